"""The format of event streams, and the header for a server that can hold them open."""

import json
import random
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

KIND = "text/event-stream"
LINES = "application/x-ndjson"
"""What programs ask for that would rather read a JSON object a line: the same events, an empty line for a beat."""
HOLDS = "atta.holds"
"""What a server that holds streams open adds to a request's environment; nobody can send a header of that name."""
TOPIC = "Atta-Stream"
"""The header that says to such a server what the stream is about; it goes no further."""
_NONE = "-"
_SOON = 1000, 3000
_LATER = 4000, 8000
"""Milliseconds until a reader comes back to a stream that was held open, and to one that nobody holds."""


class Topic(NamedTuple):
    """A stream's subject and language, the last event that is written already, and what it is open by."""

    kind: str
    name: str
    language: str
    number: int = 0
    sits: bool = False
    """Whether the reader sits at the table, and so is not one of those who watch."""
    credential: str = ""
    """The token or session without which the stream ends; empty for a stream that needs none."""

    def __str__(self) -> str:
        """Return the value of the header."""
        return f"{self.kind} {self.name} {self.language} {self.number} {int(self.sits)} {self.credential or _NONE}"

    @classmethod
    def of(cls, header: str) -> Self:
        """Parse a header."""
        kind, name, language, number, sits, credential = header.split(" ")
        return cls(kind, name, language, int(number), sits == "1", credential.removeprefix(_NONE))


BEAT = b"event: beat\ndata: 1\n\n"
"""Says that the stream lives, and nothing else."""


def event(body: Mapping[str, Any], *, number: int = 0, kind: str = "") -> bytes:
    """Return one event; a reader resumes after the last one that had a number."""
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":"))  # on one line: JSON escapes the others
    lines = [*([f"id: {number}"] if number else []), *([f"event: {kind}"] if kind else []), f"data: {data}"]
    return "".join(f"{line}\n" for line in (*lines, "")).encode()


def as_lines(events: bytes) -> bytes:
    """Return events as lines, each with one object; an empty line is a sign of life."""
    data = (field.removeprefix(b"data: ") for field in events.split(b"\n") if field.startswith(b"data: "))
    return b"".join((one if one.startswith(b"{") else b"") + b"\n" for one in data)


def stream(request: HttpRequest, topic: Topic, events: Iterable[bytes]) -> HttpResponse:
    """Return the answer with the events so far; it ends there unless the server holds it open."""
    is_held = HOLDS in request.META and "poll" not in request.GET  # some proxies keep a stream until it ends
    wait = random.randint(*(_SOON if is_held else _LATER))  # noqa: S311 - that not all come back at once
    content, kind = b"".join((f"retry: {wait}\n\n".encode(), BEAT, *events)), KIND
    if LINES in request.headers.get("Accept", ""):
        content, kind = as_lines(content), LINES
    answer = HttpResponse(content, content_type=f"{kind}; charset=utf-8")
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"  # nginx would wait for more
    patch_vary_headers(answer, ("Accept", "Authorization", "Cookie", "Accept-Language"))
    if is_held:
        answer[TOPIC] = str(topic)
    return answer
