"""The reference of the API, made from its OpenAPI description: operations by subject, and the shapes they use."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain, groupby
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from games.web.reference.samples import as_json, command_of, value_of
from games.web.reference.schemas import kind_of, shapes_in, values_of
from games.web.reference.subjects import SUBJECTS

_SENT = "Request"
"""How the names of shapes end that are sent: in answers all that is said to be there is there."""
_METHODS = ("get", "post", "put", "patch", "delete")
_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_FIRST_CLAUSE = re.compile(r"(?:`[^`]*`|[^`])*?(?=[.:;](?:\s|$)|$)", re.DOTALL)
_VALUES = re.compile(r"\s*^\* `(.*)` - \1$", re.MULTILINE | re.IGNORECASE)
"""Values of an enumeration that have no other names: the type has them already."""


_PHRASES = {"460": "Checksum Mismatch"}
"""What tus calls statuses that HTTP does not know."""


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
    default: str
    said: SafeString


@dataclass(frozen=True, slots=True)
class Shape:
    """An object that is sent or answered."""

    name: str
    said: SafeString
    fields: tuple[Field, ...]
    values: tuple[str, ...]
    """Of an enumeration."""
    used_by: tuple[str, ...]
    """The operations that send or answer it."""
    part_of: tuple[str, ...]
    """The shapes that have it as a part."""


@dataclass(frozen=True, slots=True)
class Content:
    """What is sent or answered."""

    status: str
    """Of an answer."""
    media_types: tuple[str, ...]
    kind: str
    shape: Shape | None

    @property
    def is_fine(self) -> bool:
        """Whether it is the answer to what was right."""
        return self.status.startswith("2")

    @property
    def phrase(self) -> str:
        """What HTTP, or the protocol of uploads in pieces, calls the status of an answer."""
        return _PHRASES.get(self.status) or HTTPStatus(int(self.status)).phrase

    @property
    def needs_saying(self) -> bool:
        """Whether it is anything but JSON, which most answers are."""
        return self.media_types not in ((), ("application/json",))


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation."""

    id: str
    subject: str
    method: str
    path: str
    summary: SafeString
    said: SafeString
    account: bool
    """Whether it needs a token."""
    parameters: tuple[Field, ...]
    bodies: tuple[Content, ...]
    answers: tuple[Content, ...]
    command: str
    """A request, for a shell."""
    sample: str
    """An answer as JSON."""

    @property
    def breakable(self) -> SafeString:
        """The path, which may be broken into lines before its parts."""
        return mark_safe(escape(self.path).replace("/", "<wbr>/"))  # noqa: S308 - escaped here


@dataclass(frozen=True, slots=True)
class Subject:
    """The operations on one kind of thing."""

    name: str
    title: str
    said: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """All of it."""

    version: str
    subjects: tuple[Subject, ...]
    shapes: Mapping[str, Shape]


def reference_of(description: Mapping[str, Any], site: str) -> Reference:
    """Return a description of the API as the pages show it.

    :param site: the address with which sample requests begin.
    """
    schemas = description["components"]["schemas"]
    used, wholes = _used(description), _wholes(schemas)
    shapes = {name: _shape(name, schemas, used.get(name, ()), wholes.get(name, ())) for name in sorted(schemas)}
    operations = [_operation(*one, site, schemas, shapes) for one in _described(description)]
    operations.sort(key=lambda one: [*SUBJECTS].index(one.subject))
    found = groupby(operations, key=lambda one: one.subject)
    subjects = tuple(_subject(name, tuple(those)) for name, those in found)
    return Reference(description["info"]["version"], subjects, shapes)


def _subject(name: str, operations: tuple[Operation, ...]) -> Subject:
    title, sentence = map(str, SUBJECTS[name])
    return Subject(name, title, sentence, operations)


def _described(description: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in description["paths"].items():
        yield from ((method, path, methods[method]) for method in _METHODS if method in methods)


def _used(description: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """Return the operations by the names of the shapes that they send or answer."""
    used: dict[str, list[str]] = {}
    for _method, _path, operation in _described(description):
        for name in shapes_in(operation):
            used.setdefault(name, []).append(operation["operationId"])
    return {name: tuple(operations) for name, operations in used.items()}


def _wholes(schemas: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """Return the shapes by the names of those that are their parts."""
    wholes: dict[str, list[str]] = {}
    for whole in sorted(schemas):
        for name in shapes_in(schemas[whole]) - {whole}:
            wholes.setdefault(name, []).append(whole)
    return {name: tuple(found) for name, found in wholes.items()}


def _operation(
    method: str,
    path: str,
    operation: Mapping[str, Any],
    site: str,
    schemas: Mapping[str, Any],
    shapes: Mapping[str, Shape],
) -> Operation:
    account = {} not in operation.get("security", [{}])
    method, text = method.upper(), operation.get("description", "")
    answers: Mapping[str, Any] = operation["responses"]
    return Operation(
        id=operation["operationId"],
        subject=operation["tags"][0],
        method=method,
        path=path,
        summary=_inline(operation.get("summary") or _first_clause(text)),
        said=_markdown(text),
        account=account,
        parameters=tuple(_parameter(one, schemas) for one in operation.get("parameters", ())),
        bodies=tuple(_contents("", operation.get("requestBody", {}), shapes)),
        answers=tuple(chain(*(_contents(status, said, shapes) for status, said in answers.items()))),
        command=command_of(method, site + path, operation, schemas, account=account),
        sample=_sample(operation, schemas),
    )


def _contents(status: str, said: Mapping[str, Any], shapes: Mapping[str, Shape]) -> Iterator[Content]:
    """Yield what is sent or answered, once for all media types that have the same."""
    found: dict[tuple[str, str], list[str]] = {}
    for media_type, content in said.get("content", {} if status == "" else {"": {}}).items():
        found.setdefault(kind_of(content.get("schema", {})), []).append(media_type)
    for (kind, shape), media_types in found.items():
        yield Content(status, tuple(filter(None, media_types)), kind, shapes.get(shape))


def _parameter(one: Mapping[str, Any], schemas: Mapping[str, Any]) -> Field:
    required = one.get("required", False)
    return _field(one["name"], one["schema"], one.get("description", ""), schemas, one["in"], required=required)


def _shape(name: str, schemas: Mapping[str, Any], used_by: tuple[str, ...], part_of: tuple[str, ...]) -> Shape:
    schema = schemas[name]
    required = schema.get("required", ()) if name.endswith(_SENT) else ()
    fields = tuple(
        _field(field, one, one.get("description", ""), schemas, required=field in required)
        for field, one in schema.get("properties", {}).items()
    )
    return Shape(name, _markdown(schema.get("description", "")), fields, values_of(schema), used_by, part_of)


def _field(
    name: str, schema: Mapping[str, Any], said: str, schemas: Mapping[str, Any], place: str = "", *, required: bool
) -> Field:
    kind, shape = kind_of(schema)
    if values := values_of(schemas.get(shape, {})):
        kind, shape = f"{kind} {', '.join(values)}".lstrip(), ""
    return Field(name, kind, shape, place, required, _default(schema), _markdown(said))


def _default(schema: Mapping[str, Any]) -> str:
    default = schema.get("default")
    return json.dumps(default).strip('"') if default not in (None, "") else ""


def _sample(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return the first right answer that is JSON."""
    for status, answer in operation["responses"].items():
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        if status.startswith("2") and schema:
            return as_json(value_of(schema, schemas))
    return ""


def _first_clause(text: str) -> str:
    found = _FIRST_CLAUSE.match(text)
    return " ".join(found.group().split()) if found else text


def _inline(text: str) -> SafeString:
    rendered: str = _MARKDOWN.renderInline(text)
    return mark_safe(rendered)  # noqa: S308 - the renderer escapes, and HTML is not read


def _markdown(text: str) -> SafeString:
    rendered: str = _MARKDOWN.render(_VALUES.sub("", text))
    return mark_safe(rendered)  # noqa: S308 - the renderer escapes, and HTML is not read
