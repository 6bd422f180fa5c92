"""The reference of the API, made from its OpenAPI description: operations by subject, and the shapes they use."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_METHODS = ("get", "post", "put", "patch", "delete")
_DEPTH = 4
"""How deep a sample answer goes."""
_SAMPLES: Mapping[str, object] = {
    "string": "…", "integer": 1, "number": 1.5, "boolean": True,
    "date-time": "2026-03-14T15:09:26Z", "date": "2026-03-14", "uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
}  # fmt: skip
_MARKDOWN = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a property of a shape."""

    name: str
    kind: str
    """Its type in words."""
    shape: str
    """The shape that it has; empty for a plain one."""
    place: str
    """Of a parameter: path, query or header."""
    required: bool
    said: SafeString


@dataclass(frozen=True, slots=True)
class Content:
    """What is sent or answered."""

    status: str
    """Of an answer."""
    media_type: str
    kind: str
    shape: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation."""

    id: str
    method: str
    path: str
    said: SafeString
    account: bool
    """Whether it needs a token."""
    parameters: tuple[Field, ...]
    bodies: tuple[Content, ...]
    answers: tuple[Content, ...]
    sample: str
    """An answer as JSON."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The operations on one kind of thing."""

    name: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """An object that is sent or answered."""

    name: str
    said: SafeString
    fields: tuple[Field, ...]
    values: tuple[str, ...]
    """Of an enumeration."""


@dataclass(frozen=True, slots=True)
class Reference:
    """All of it."""

    version: str
    subjects: tuple[Subject, ...]
    shapes: tuple[Shape, ...]


def reference_of(description: Mapping[str, Any]) -> Reference:
    """Return a description of the API as the page shows it."""
    shapes = description["components"]["schemas"]
    found: dict[str, list[Operation]] = {}
    for path, methods in description["paths"].items():
        for method in _METHODS:
            if operation := methods.get(method):
                found.setdefault(operation["tags"][0], []).append(_operation(method, path, operation, shapes))
    subjects = tuple(Subject(name, tuple(operations)) for name, operations in sorted(found.items()))
    return Reference(
        description["info"]["version"], subjects, tuple(_shape(name, shapes[name]) for name in sorted(shapes))
    )


def _operation(method: str, path: str, operation: Mapping[str, Any], shapes: Mapping[str, Any]) -> Operation:
    bodies = operation.get("requestBody", {}).get("content", {})
    answers = tuple(_answers(operation["responses"]))
    fine = next((answer for answer in answers if answer.status.startswith("2") and answer.shape), None)
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        said=_markdown(operation.get("description", "")),
        account={} not in operation.get("security", [{}]),
        parameters=tuple(_parameter(one) for one in operation.get("parameters", ())),
        bodies=tuple(Content("", kind, *_kind(content.get("schema", {}))) for kind, content in bodies.items()),
        answers=answers,
        sample=_sample_text(operation["responses"][fine.status], shapes) if fine else "",
    )


def _answers(responses: Mapping[str, Any]) -> Iterator[Content]:
    for status, answer in responses.items():
        for media_type, content in (answer.get("content") or {"": {}}).items():
            yield Content(status, media_type, *_kind(content.get("schema", {})))


def _parameter(param: Mapping[str, Any]) -> Field:
    said = _markdown(param.get("description", ""))
    return Field(param["name"], *_kind(param["schema"]), param["in"], param.get("required", False), said)


def _shape(name: str, schema: Mapping[str, Any]) -> Shape:
    required = schema.get("required", ())
    fields = tuple(
        Field(field, *_kind(one), "", field in required, _markdown(one.get("description", "")))
        for field, one in schema.get("properties", {}).items()
    )
    return Shape(name, _markdown(schema.get("description", "")), fields, tuple(map(str, schema.get("enum", ()))))


def _kind(schema: Mapping[str, Any]) -> tuple[str, str]:
    """Return a schema's type in words, and the name of its shape if it has one."""
    if "$ref" in schema:
        return "", _name_of(schema["$ref"])
    for join in ("allOf", "oneOf", "anyOf"):
        if join in schema:
            return _kind(next((one for one in schema[join] if "$ref" in one), schema[join][0]))
    if schema.get("type") == "array":
        kind, shape = _kind(schema["items"])
        return f"list of {kind}".rstrip(), shape
    if values := [str(value) for value in schema.get("enum", ()) if value not in ("", None)]:
        return ", ".join(values), ""
    return schema.get("format") or schema.get("type", ""), ""


def _name_of(reference: str) -> str:
    return reference.rpartition("/")[2]


def _sample_text(answer: Mapping[str, Any], shapes: Mapping[str, Any]) -> str:
    schema = next(iter(answer["content"].values()))["schema"]
    return json.dumps(_sample(schema, shapes, _DEPTH), ensure_ascii=False, indent=2)


def _sample(schema: Mapping[str, Any], shapes: Mapping[str, Any], depth: int) -> object:
    """Return a sample value of a schema."""
    if "$ref" in schema:
        return _sample(shapes[_name_of(schema["$ref"])], shapes, depth)
    for join in ("allOf", "oneOf", "anyOf"):
        if join in schema:
            return _sample(schema[join][0], shapes, depth)
    if schema.get("enum"):
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [_sample(schema["items"], shapes, depth - 1)] if depth else []
    if schema.get("type") == "object" or "properties" in schema:
        properties = schema.get("properties", {}) if depth else {}
        return {name: _sample(one, shapes, depth - 1) for name, one in properties.items()}
    return _SAMPLES.get(schema.get("format", ""), _SAMPLES.get(schema.get("type", ""), None))


def _markdown(text: str) -> SafeString:
    rendered: str = _MARKDOWN.render(text)
    return mark_safe(rendered)  # noqa: S308 - the renderer escapes, and HTML is not read
