"""Schemas of the OpenAPI description: their names, and their types in words."""

from collections.abc import Mapping
from typing import Any

JOINS = ("allOf", "oneOf", "anyOf")


def name_of(reference: str) -> str:
    """Return the name of the shape that a `$ref` leads to."""
    return reference.rpartition("/")[2]


def kind_of(schema: Mapping[str, Any]) -> tuple[str, str]:
    """Return a schema's type in words, and the name of its shape if it has one."""
    if "$ref" in schema:
        return "", name_of(schema["$ref"])
    for join in JOINS:
        if join in schema:
            return kind_of(next((one for one in schema[join] if "$ref" in one), schema[join][0]))
    if schema.get("type") == "array":
        kind, shape = kind_of(schema["items"])
        return f"list of {kind}".rstrip(), shape
    if values := values_of(schema):
        return ", ".join(values), ""
    return schema.get("format") or schema.get("type", ""), ""


def values_of(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the values of an enumeration, without those that say nothing."""
    return tuple(str(value) for value in schema.get("enum", ()) if value not in ("", None))


def shapes_in(schema: object) -> set[str]:
    """Return the names of all shapes that a part of the description names itself."""
    if isinstance(schema, Mapping):
        own = {name_of(schema["$ref"])} if isinstance(schema.get("$ref"), str) else set()
        return own.union(*map(shapes_in, schema.values()))
    return set().union(*map(shapes_in, schema)) if isinstance(schema, list | tuple) else set()
