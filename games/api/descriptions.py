"""Additions to the OpenAPI description that apply to all operations."""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.serializers import ListSerializer

_ERROR = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorShape"}}}, "description": ""}
_RETRY = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before trying again."}}
_LATER = ("429", "503")
"""What may be asked again later: too many requests, a site that is busy or whose database is away."""
_METHODS = frozenset({"get", "put", "post", "delete", "head", "patch"})


_OF_MANY = re.compile(r"(ies|s)/\{[^}]*\}")
"""The plural before a parameter, which names one."""
_TEXT = "[^\\u0000]*"
_NOT_BLANK = f"{_TEXT}[^\\u0000\\s]{_TEXT}"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_NOT_IN_NAMES = re.compile(r"[^a-z]+")


class Description(AutoSchema):
    """The framework's description of an operation, named by one pattern: the method, then the path.

    `GET /games` is `get_games`, `GET /games/{key}` is `get_game`, `POST /claims/{id}/decision` is
    `post_claim_decision`.
    """

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 (the framework's own)
        """Return how a field is described; of a list of objects also how many there may be, which is left out."""
        schema = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]
        if isinstance(field, ListSerializer) and schema:
            bounds = {"minItems": vars(field).get("min_length"), "maxItems": vars(field).get("max_length")}
            schema = {**schema, **{name: bound for name, bound in bounds.items() if bound is not None}}
        return schema

    def get_operation_id(self) -> str:
        """Return the operation's name."""
        path = _OF_MANY.sub(lambda found: "y" if found[1] == "ies" else "", self.path.removeprefix("/api/v1/"))
        return f"{self.method.lower()}_{_NOT_IN_NAMES.sub('_', path).strip('_')}"


def say_refusals(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add to every operation what any of its kind may be refused with, whatever it does."""
    for path, operation in _operations(result):
        _say(operation, ["404"] if "{" in path else [])
    return result


def say_what_may_be_empty(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Say of parameters in addresses that they may be left empty where that is the same as leaving them out.

    Empty defaults go: generated clients would send them, or generators reject them.
    """
    for _path, operation in _operations(result):
        is_read = operation["operationId"].startswith("get_")
        for parameter in operation.get("parameters", ()):
            schema = parameter["schema"]
            if schema.get("default") == "":
                del schema["default"]
            if is_read and parameter["in"] == "query" and not parameter.get("required") and "items" not in schema:
                parameter["allowEmptyValue"] = True
                if schema.pop("minLength", 0):
                    schema.setdefault("pattern", f"^({_NOT_BLANK})?$")
    return result


def say_what_is_text(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Say that what is sent may have no other names, but for objects as they were read, and texts no NUL."""
    shapes = result["components"]["schemas"]
    as_read = {_body_of(operation) for path in result["paths"].values() if (operation := path.get("put"))}
    for name, schema in [*shapes.items()]:
        if name.endswith("Request"):
            shapes[name] = schema if name in as_read else {**schema, "additionalProperties": False}
            _say_text(shapes[name])
    for _path, operation in _operations(result):
        for parameter in operation.get("parameters", ()):
            _say_text(parameter["schema"])
    return result


def _body_of(operation: dict[str, Any]) -> str:
    """Return the name of an operation's body, as JSON, or ``""``."""
    content = operation.get("requestBody", {}).get("content", {})
    name: str = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    return name


def drop_forms(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Describe as forms only bodies that a form can say, without lists, objects and nulls; with parts only files."""
    shapes = result["components"]["schemas"]
    for _path, operation in _operations(result):
        content = operation.get("requestBody", {}).get("content", {})
        fields = shapes.get(_body_of(operation), {}).get("properties", {}).values()
        nests = any(field.get("type") in ("array", "object") or field.get("nullable") for field in fields)
        for kind in _FORMS if nests else _FORMS[1:]:
            if "$ref" in content.get(kind, {}).get("schema", {}):
                del content[kind]
    return result


def need_pieces(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Say that a piece of a file, or a correction, needs a body; the framework leaves open whether it has one."""
    for _path, operation in _operations(result):
        if operation["operationId"].startswith("patch_") and "requestBody" in operation:
            operation["requestBody"]["required"] = True
    return result


def _say_text(schema: dict[str, Any]) -> None:
    if schema.get("type") == "string" and not schema.keys() & {"pattern", "format", "enum"}:
        schema["pattern"] = f"^{_NOT_BLANK if schema.get('minLength') else _TEXT}$"
    for inner in (*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            _say_text(inner)


def _operations(result: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, operations in result["paths"].items():
        yield from ((path, operation) for method, operation in operations.items() if method in _METHODS)


def _say(operation: dict[str, Any], more: Iterable[str]) -> None:
    """Add the answers that are missing; each looks like the refusals that are described."""
    responses = operation["responses"]
    like = next((answer for code, answer in responses.items() if code.startswith("4") and "content" in answer), _ERROR)
    for code in (*more, *_refusals(operation)):
        responses.setdefault(code, deepcopy(like))
    for code in _LATER:
        responses[code]["headers"] = _RETRY
    operation["responses"] = dict(sorted(responses.items()))


def _refusals(operation: dict[str, Any]) -> Iterator[str]:
    yield from ("401", "403", *_LATER)
    if "requestBody" in operation or any(one["in"] != "path" for one in operation.get("parameters", ())):
        yield "400"
    if "requestBody" in operation:
        yield "413"
    if any(one["in"] == "query" for one in operation.get("parameters", ())):
        yield "431"
    if "*/*" not in operation.get("requestBody", {"content": {"*/*": {}}})["content"]:
        yield "415"
