"""The contents of an uploaded file: one part, or each file of a zip archive, as streams to be cut."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from engine.words import words
from games.uploads.unpacking.budget import Budget
from games.uploads.unpacking.errors import UnpackError
from games.uploads.unpacking.formats import ENOUGH, Format, format_of, is_debris
from games.uploads.unpacking.streams import Source, gunzip, opened, pieces, plain, unzstd
from games.uploads.unpacking.zips import entries_of, unzip

_UNPACK = {Format.PLAIN: plain, Format.GZIP: gunzip, Format.ZSTD: unzstd}


@dataclass(frozen=True, slots=True)
class Part:
    """A file as it was before it was packed."""

    number: int
    """From 1, in the order of a zip archive; 0 if the file is none."""
    name: str
    """Of a zip archive's entry, fit to be shown; else empty."""
    stream: io.BufferedReader


def parts(source: Source, budget: Budget, *, begin: int = 0) -> Iterator[Part]:
    """Yield the parts of a file; each must be read to its end before the next is asked for.

    :param begin: the number of the part to begin with.
    :raises UnpackError: also while a part is read, if it turns out to be unacceptable.
    """
    head = b"".join(pieces(source, 0, min(ENOUGH, source.size)))
    found = format_of(head)
    if found is Format.ZIP:
        yield from _entries(source, budget, begin)
    else:
        stream = opened(_UNPACK[found](pieces(source, 0, source.size), budget))
        if found is not Format.PLAIN:
            _check_inside(stream)
        yield Part(0, "", stream)


def _entries(source: Source, budget: Budget, begin: int) -> Iterator[Part]:
    for number, entry in enumerate(entries_of(source, budget.limits), 1):
        if number >= begin:
            budget.begin_entry()
            stream = opened(unzip(source, entry, budget))
            if not is_debris(_check_inside(stream)):
                yield Part(number, entry.shown, stream)


def _check_inside(stream: io.BufferedReader) -> bytes:
    """Refuse what is packed twice. :returns: how it begins."""
    head = stream.peek(ENOUGH)[:ENOUGH]
    try:
        packed = format_of(head) is not Format.PLAIN
    except UnpackError:
        packed = True
    if packed:
        raise UnpackError("nested", words("This file contains a compressed file inside a compressed file."))
    return head
