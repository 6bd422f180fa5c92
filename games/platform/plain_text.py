"""What is not Unicode text: halves of pairs (lone surrogates), and NUL, which no table keeps."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.datastructures import MultiValueDict

from engine.words import marked

NOT_TEXT = marked("“{field}” contains {char}, which is not a character of a text and cannot be stored. Remove it.")
_BAD = re.compile(r"[\0\ud800-\udfff]")
_MOST_FIELD = 64


class Fault:
    """Where a request has something that is not text, and which character."""

    def __init__(self, place: str, text: str) -> None:
        self.field = _BAD.sub(lambda found: _named(found[0]), place)[:_MOST_FIELD]
        found = _BAD.search(text)
        self.char = _named(found[0]) if found else ""


def _named(char: str) -> str:
    return f"U+{ord(char):04X}"


def is_text(text: str) -> bool:
    """Return whether a text can be written as UTF-8 and stored."""
    return _BAD.search(text) is None


def fault_in(value: Any, place: str = "") -> Fault | None:  # noqa: ANN401 (whatever JSON holds)
    """Return the first fault in a value and in all that it holds, keys included; None if there is none."""
    rest = [(place, value)]
    while rest:
        place, one = rest.pop()
        if isinstance(one, str) and not is_text(one):
            return Fault(place, one)
        if isinstance(one, dict):
            for key in one:
                if not is_text(str(key)):
                    return Fault(_below(place, key), str(key))
            rest.extend((_below(place, key), held) for key, held in reversed(one.items()))
        elif isinstance(one, list | tuple):
            rest.extend((_below(place, at), held) for at, held in reversed([*enumerate(one)]))
    return None


def fault_in_fields(fields: MultiValueDict[str, Any]) -> Fault | None:
    """Return the first fault in the names and values of a form or an address, and in the names of files."""
    return next(_faults_in(fields), None)


def _faults_in(fields: MultiValueDict[str, Any]) -> Iterator[Fault]:
    for name, values in fields.lists():
        for text in (name, *(getattr(value, "name", value) for value in values)):
            if isinstance(text, str) and not is_text(text):
                yield Fault(name, text)


def _below(place: str, key: object) -> str:
    return f"{place}.{key}"[:_MOST_FIELD] if place else str(key)
