"""The contents of an uploaded file: one part, or each file of a zip archive, as streams to be cut."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from engine.words import words
from games.uploads.unpacking.budget import Budget
from games.uploads.unpacking.errors import UnpackError
from games.uploads.unpacking.formats import ENOUGH, Format, format_of, is_debris
from games.uploads.unpacking.streams import Source, gunzip, opened, pieces, plain, unzstd
from games.uploads.unpacking.zips import MOST_NAME, entries_of, stored, too_many_entries, unzip

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
    """Yield the files of a zip archive from a number on, and in their places those in archives that it stores."""
    for number, (name, blocks) in enumerate(_files(source, budget), 1):
        if number > budget.limits.entries:
            raise too_many_entries(budget.limits)
        if number >= begin:
            budget.begin_entry()
            stream = opened(blocks)
            if not is_debris(_check_inside(stream)):
                yield Part(number, name, stream)


def _files(source: Source, budget: Budget) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield names and blocks, unread. An entry that is stored as it is may be packed itself, as in bundles of files."""
    for entry in entries_of(source, budget.limits):
        inner = stored(source, entry)
        packed = inner and _format(b"".join(pieces(inner, 0, min(ENOUGH, inner.size))))
        if inner and packed is Format.ZIP:
            for one in entries_of(inner, budget.limits):
                yield f"{entry.shown}/{one.shown}"[-MOST_NAME:], unzip(inner, one, budget)
        elif inner and packed:
            yield entry.shown, _UNPACK[packed](pieces(inner, 0, inner.size), budget)
        else:
            yield entry.shown, unzip(source, entry, budget)


def _format(head: bytes) -> Format | None:
    """Return how a stored file is packed; none if it is plain or in no format that is unpacked."""
    try:
        found = format_of(head)
    except UnpackError:
        return None
    return None if found is Format.PLAIN else found


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
