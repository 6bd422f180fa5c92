"""The format of event streams, and their subjects."""

import json
import random
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

KIND = "text/event-stream"
LINES = "application/x-ndjson"
"""What programs ask for that would rather read a JSON object a line: the same events, an empty line for a beat."""
_SOON = 1000, 3000
_LATER = 4000, 8000
"""Milliseconds until a reader comes back to a stream that was held open, and to one that nobody holds."""


Numbered = tuple[int, bytes]
"""A message with its number."""


class Variant(NamedTuple):
    """In which form a reader gets events."""

    language: str
    viewer: str | None = None
    """Whose page of the table gets its parts with the events, named as in streams; None for the events alone."""
    known: frozenset[str] = frozenset()
    """The drawings that this page has already."""


class Topic(NamedTuple):
    """A stream's subject and variant, the last event that is written already, and what it is open by."""

    kind: str
    name: str
    variant: Variant
    number: int = 0
    sits: bool = False
    """Whether the reader sits at the table, and so is not one of those who watch."""
    credential: str = ""
    """The token or session without which the stream ends; empty for a stream that needs none."""


BEAT = b"event: beat\ndata: 1\n\n"
"""Says that the stream lives, and nothing else."""


def event(body: Mapping[str, Any], *, number: int = 0, kind: str = "") -> bytes:
    """Return one event; a reader resumes after the last one that had a number."""
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":"))  # on one line: JSON escapes the others
    lines = [*([f"id: {number}"] if number else []), *([f"event: {kind}"] if kind else []), f"data: {data}"]
    return "".join(f"{line}\n" for line in (*lines, "")).encode()


def extended(event: bytes, more: Mapping[str, Any]) -> bytes:
    """Return an event whose object has some more fields."""
    data = json.dumps(more, ensure_ascii=False, separators=(",", ":")).encode()
    return event.removesuffix(b"}\n\n") + b"," + data.removeprefix(b"{") + b"\n\n"


def as_lines(events: bytes) -> bytes:
    """Return events as lines, each with one object; an empty line is a sign of life."""
    data = (field.removeprefix(b"data: ") for field in events.split(b"\n") if field.startswith(b"data: "))
    return b"".join((one if one.startswith(b"{") else b"") + b"\n" for one in data)


def so_far(begun: Iterable[bytes], *, is_held: bool) -> bytes:
    """Return the beginning of a stream: when its reader comes back after its end, and what has happened until now."""
    wait = random.randint(*(_SOON if is_held else _LATER))  # noqa: S311 - that not all come back at once
    return b"".join((f"retry: {wait}\n\n".encode(), BEAT, *begun))
