"""Samples for the reference: values of a schema, and requests as commands for a shell."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from games.web.reference.schemas import JOINS, name_of

DEPTH = 4
"""How deep a sample goes."""
_BY_KIND: Mapping[str, object] = {
    "string": "…", "integer": 1, "number": 1.5, "boolean": True, "uri": "https://example.org/…",
    "date-time": "2026-03-14T15:09:26Z", "date": "2026-03-14", "uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
}  # fmt: skip
_BY_NAME: Mapping[str, str] = {
    "key": "4k7mxq2p", "collection": "4k7mxq2p", "slug": "atta-ants-online", "ruleset": "atta-ants-online",
    "club": "thursday-ants", "name": "Ada", "username": "ada", "token": "R1:N+",
}  # fmt: skip
"""Samples of texts whose names say what they are."""
_SENT_AS_IT_IS = re.compile("octet-stream|text/plain")


def value_of(schema: Mapping[str, Any], shapes: Mapping[str, Any], depth: int = DEPTH, name: str = "") -> object:
    """Return a sample value of a schema.

    :param name: of the property or parameter that has it.
    """
    if "$ref" in schema:
        return value_of(shapes[name_of(schema["$ref"])], shapes, depth, name)
    for join in JOINS:
        if join in schema:
            return value_of(schema[join][0], shapes, depth, name)
    if schema.get("enum"):
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [value_of(schema["items"], shapes, depth - 1, name)] if depth else []
    if schema.get("type") == "object" or "properties" in schema:
        properties = schema.get("properties", {}) if depth else {}
        return {one: value_of(inner, shapes, depth - 1, one) for one, inner in properties.items()}
    return _plain(schema, name)


def _plain(schema: Mapping[str, Any], name: str) -> object:
    kind = schema.get("type", "")
    if kind == "string" and "format" not in schema and name in _BY_NAME:
        return _BY_NAME[name]
    return _BY_KIND.get(schema.get("format", ""), _BY_KIND.get(kind, None))


def as_json(value: object) -> str:
    """Return a value as it is shown."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def command_of(
    method: str, address: str, operation: Mapping[str, Any], shapes: Mapping[str, Any], *, account: bool
) -> str:
    """Return a request as a command with curl.

    :param address: with the site's name, and parameters in braces.
    """
    lines = [f"curl -X {method}" if method != "GET" else "curl", f'"{_filled(address, operation, shapes)}"']
    if account:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    lines += _body(operation.get("requestBody", {}).get("content", {}), shapes)
    return " \\\n  ".join(lines)


def _filled(address: str, operation: Mapping[str, Any], shapes: Mapping[str, Any]) -> str:
    parameters = operation.get("parameters", ())
    for one in parameters:
        if one["in"] == "path":
            address = address.replace("{" + one["name"] + "}", _written(one, shapes))
    asked = [f"{one['name']}={_written(one, shapes)}" for one in parameters if one["in"] == "query" and _needed(one)]
    return f"{address}?{'&'.join(asked)}" if asked else address


def _needed(one: Mapping[str, Any]) -> bool:
    return bool(one.get("required"))


def _written(one: Mapping[str, Any], shapes: Mapping[str, Any]) -> str:
    return str(value_of(one["schema"], shapes, name=one["name"]))


def _body(content: Mapping[str, Any], shapes: Mapping[str, Any]) -> Iterable[str]:
    if schema := content.get("application/json", {}).get("schema"):
        body = json.dumps(_least(schema, shapes), ensure_ascii=False)
        return ('-H "Content-Type: application/json"', f"-d '{body}'")
    kind = next((one for one in content if _SENT_AS_IT_IS.search(one)), next(iter(content), ""))
    return (f'-H "Content-Type: {kind}"', "--data-binary @games.agn") if kind else ()


def _least(schema: Mapping[str, Any], shapes: Mapping[str, Any]) -> object:
    """Return what a request has to say; where all is optional, all that can be said."""
    whole = value_of(schema, shapes)
    shape = shapes[name_of(schema["$ref"])] if "$ref" in schema else schema
    required = shape.get("required", ())
    return {name: one for name, one in whole.items() if name in required} or whole if isinstance(whole, dict) else whole
