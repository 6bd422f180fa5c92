"""Streamed JSON: an object whose lists are written while they are read."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

Members = Mapping[str, Any]


def json_of(members: Members) -> Iterator[str]:
    """Yield an object piece by piece; a member that is an iterator becomes a list, written item by item."""
    yield "{"
    for number, (name, value) in enumerate(members.items()):
        yield f"{',' if number else ''}\n{json.dumps(name)}: "
        yield from _list(value) if isinstance(value, Iterator) else [_one(value)]
    yield "\n}\n"


def _list(items: Iterable[Any]) -> Iterator[str]:
    yield "["
    for number, item in enumerate(items):
        yield f"{',' if number else ''}\n  {_one(item)}"
    yield "]"


def _one(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
