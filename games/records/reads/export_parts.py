"""Exports games in parts that are small enough not to delay other requests.

A part has at most `MOST` games and `MOST_BYTES` of records (`export`). It is written completely, in some seconds,
before any of it is sent. So the web server sends it without a thread, however slow the reader is, and the reader knows
its length. A process writes one part at a time, and gives up one that takes longer than `SECONDS`.
"""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic

from games.models import MoveLog
from games.platform.errors import RefusedError
from games.platform.patience import TooSlowError
from games.platform.slots import Slot, Slots
from games.records.reads.export import MOST, Form, Part, find_part, records_of
from games.records.reads.games import GameFilter
from games.records.reads.visibility import Viewer

SECONDS = 20.0
_GZIP = 16 + zlib.MAX_WBITS

_slots = Slots()


class ExportError(RefusedError):
    """An export that is not available, or not now."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games are wanted, by whom, and from where on."""

    games: GameFilter
    viewer: Viewer
    after: str = ""
    most: int = MOST


def place() -> Slot:
    """Take the slot for writing parts. :raises ExportError: when another part is being written."""
    if slot := _slots.take():
        return slot
    raise ExportError("busy", "Another export is in progress. Try again in a few seconds.")


def find(wanted: Wanted) -> Part:
    """Return the games that a part has.

    :raises TooSlowError: when they are not found soon enough.
    :raises CursorError: when `after` marks nothing.
    """
    return find_part(wanted.games, wanted.viewer, after=wanted.after, most=wanted.most)


def write(part: Part, viewer: Viewer, form: Form, *, following: str | None, gzip: bool) -> bytes:
    """Write a part.

    :param following: the address of the next one.
    :raises TooSlowError: when it takes too long.
    """
    lines = form.lines(_timely(records_of(part.games, viewer)), following=following)
    pieces = (line.encode() for line in lines)
    return b"".join(compressed(pieces) if gzip else pieces)


def _timely(records: Iterable[MoveLog]) -> Iterator[MoveLog]:
    until = monotonic() + SECONDS
    for log in records:
        if monotonic() > until:
            raise TooSlowError
        yield log


def compressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Return the same in gzip."""
    packer = zlib.compressobj(wbits=_GZIP)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()
