"""Links of the API's description: which operations take a name that an answer contains.

The answers of `GET /games` and `POST /clubs` contain the keys of games and the addresses of clubs. For each operation
below `/games/{key}` or `/clubs/{club}` that needs nothing else, a link says where in the answer its name is.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_PARAMETER = re.compile(r"\{(\w+)\}")
_CALLED = {"club": "slug", "collection": "key"}
"""What parameters are called in answers, where that differs."""
_OWN = "/account/"
"""What a list of an account's own is below: what it names is where that of others is."""
_JSON = "application/json"


def add_links(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add to each answer that names something the operations which take that name."""
    schemas = result["components"]["schemas"]
    for path, operations in result["paths"].items():
        for answer in _answers(operations):
            if links := dict(_links(path, answer["content"][_JSON]["schema"], result["paths"], schemas)):
                answer["links"] = links
    return result


def _answers(operations: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the answers of what lists or makes something, if they are JSON."""
    for method in operations.keys() & {"get", "post"}:
        for status, answer in operations[method]["responses"].items():
            if status.startswith("2") and _JSON in answer.get("content", {}):
                yield answer


def _links(
    path: str, schema: Mapping[str, Any], paths: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    below = re.compile(re.escape(path.replace(_OWN, "/")) + r"/\{(\w+)\}(?:/[^{}]*)?")
    given = {name: f"$request.path.{name}" for name in _PARAMETER.findall(path)}
    for found, operations in ((found, paths[other]) for other in paths if (found := below.fullmatch(other))):
        if place := _place(_CALLED.get(found[1], found[1]), schema, schemas):
            for operation in operations.values():
                known = given | {found[1]: f"$response.body#{place}"}
                yield operation["operationId"], {"operationId": operation["operationId"], "parameters": known}


def _place(name: str, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return where a value is in an answer: in the object, in the first of a list, or in the object's first list."""
    schema = _resolved(schema, schemas)
    if schema.get("type") == "array":
        return _within("/0", _place(name, schema["items"], schemas))
    properties = schema.get("properties", {})
    if name in properties:
        return f"/{name}"
    lists = [one for one in properties if properties[one].get("type") == "array"]
    return _within(f"/{lists[0]}", _place(name, properties[lists[0]], schemas)) if lists else ""


def _within(outer: str, inner: str) -> str:
    return outer + inner if inner else ""


def _resolved(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found
