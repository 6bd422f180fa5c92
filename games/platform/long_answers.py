"""Answers of any length as one download: short ones are sent whole; others are written by the server in slices."""

import zlib
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse

IN_MEMORY = 2**20
"""Bytes up to which an answer is written before it is sent, so that its length is known."""
_PIECE = 64 * 1024
_GZIP = 16 + zlib.MAX_WBITS


class LongAnswer(StreamingHttpResponse):
    """An answer that holds nothing of a thread between two pieces, such as a transaction: any thread makes the next."""

    def __init__(self, *args: Any, every: float = 0, **named: Any) -> None:  # noqa: ANN401 - Django's own
        """Make an answer; `every` is how many seconds there are at least between two of its pieces."""
        super().__init__(*args, **named)
        self.every = every


class EventStream(StreamingHttpResponse):
    """An answer whose pieces come in the event loop, whenever something happens; it is closed with its generator."""

    def __init__(self, events: AsyncGenerator[bytes], **named: Any) -> None:  # noqa: ANN401 - Django's own
        """Make an answer of events."""
        super().__init__(events, **named)
        self.events = events


def download(lines: Iterator[str], headers: Mapping[str, str], *, gzip: bool) -> HttpResponse | LongAnswer:
    """Return lines as an answer; the first of them are written at once, and what they raise is raised here."""
    pieces = _bundled(lines)
    begun, is_whole = _begin(pieces)
    written = chain(begun, pieces)
    sent = _compressed(written) if gzip else written
    return HttpResponse(b"".join(sent), headers=headers) if is_whole else LongAnswer(sent, headers=headers)


def _begin(pieces: Iterator[bytes]) -> tuple[list[bytes], bool]:
    """Return the first pieces, and whether these are all."""
    begun, size = list[bytes](), 0
    for piece in pieces:
        begun.append(piece)
        size += len(piece)
        if size > IN_MEMORY:
            return begun, False
    return begun, True


def _bundled(lines: Iterator[str]) -> Iterator[bytes]:
    """Yield many lines at once."""
    held, size = list[str](), 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _PIECE:
            yield "".join(held).encode()
            held, size = [], 0
    if held:
        yield "".join(held).encode()


def _compressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same in gzip."""
    packer = zlib.compressobj(wbits=_GZIP)
    for piece in pieces:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()
