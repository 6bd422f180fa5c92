"""Answers of any length as one download: short ones are sent whole; others are written by the server in slices."""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from django.http import HttpResponse, StreamingHttpResponse

IN_MEMORY = 2**20
"""Bytes up to which an answer is written before it is sent, so that its length is known."""
_PIECE = 64 * 1024
_GZIP = 16 + zlib.MAX_WBITS


class LongAnswer(StreamingHttpResponse):
    """An answer that holds nothing between two pieces: the web server takes them in any of its threads, as it likes."""

    in_slices = True


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
