"""Exports: games on their way to whoever wants them, in parts so bounded that nobody else has to wait for them.

A part has at most `MOST` games and `MOST_BYTES` of records (games/selectors/export.py), which are written in some
seconds. A process writes one at a time, and breaks off what takes longer than `SECONDS`; its last line is missing then.
"""

import zlib
from collections.abc import Iterable, Iterator
from threading import BoundedSemaphore
from time import monotonic

from engine.words import marked
from games.selectors.export import MOST, Form, Part, TooSlowError, find_part, records_of
from games.selectors.games import GameFilter
from games.selectors.visibility import Viewer
from games.services.refusals import RefusedError

STREAMS = 1
"""Parts that a process writes at a time: it has four threads, and the others are for everybody else."""
SECONDS = 60.0
_PIECE = 64 * 1024
"""Characters that are sent at once."""
_GZIP = 16 + zlib.MAX_WBITS

_slots = BoundedSemaphore(STREAMS)


class ExportError(RefusedError):
    """An export that cannot be had, or not now."""


class Place:
    """One of the few places at which parts are written. It is given back in any case, at the latest when forgotten."""

    def __init__(self) -> None:
        """Takes a place. :raises ExportError: when there is none."""
        self._held = _slots.acquire(blocking=False)
        if not self._held:
            raise ExportError("busy", "Another export is being written. Ask again in a few seconds.")

    def close(self) -> None:
        """Gives the place back."""
        if self._held:
            self._held = False
            _slots.release()

    __del__ = close


def begin(wanted: GameFilter, viewer: Viewer, *, after: str = "", most: int = MOST) -> tuple[Part, Place]:
    """The games that a part has, and a place at which to write it.

    :raises ExportError: when there is no place, or they are not found soon enough.
    :raises CursorError: when `after` marks nothing.
    """
    place = Place()
    try:
        return find_part(wanted, viewer, after=after, most=most), place
    except BaseException as error:
        place.close()
        if isinstance(error, TooSlowError):
            sentence = marked("These games are not found soon enough. Ask for fewer, or take the dumps.")
            raise ExportError("too_wide", sentence) from None
        raise


class Written(Iterator[bytes]):
    """A part as it is sent: its records are read while it is taken, and its place is given back at the end."""

    def __init__(self, pieces: Iterator[bytes], place: Place) -> None:
        self._pieces = pieces
        self._place = place
        self._until = monotonic() + SECONDS

    def __next__(self) -> bytes:
        """Some more of it. :raises TimeoutError: when it takes too long."""
        try:
            self._check_time()
            return next(self._pieces)
        except BaseException:
            self.close()
            raise

    def _check_time(self) -> None:
        if monotonic() > self._until:
            raise TimeoutError(f"An export was not sent within {SECONDS:.0f} seconds.")

    def close(self) -> None:
        """Gives the place back, whether all was sent or not."""
        self._place.close()


def write(part: Part, viewer: Viewer, form: Form, place: Place, *, following: str | None, gzip: bool) -> Written:
    """Writes a part.

    :param following: the address of the next one.
    """
    pieces = bundled(form.lines(records_of(part.games, viewer), following=following))
    return Written(compressed(pieces) if gzip else pieces, place)


def bundled(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines as bytes, many at once."""
    held, size = list[str](), 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _PIECE:
            yield "".join(held).encode()
            held, size = [], 0
    yield "".join(held).encode()


def compressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same in gzip, of which what is sent can be read before the rest has come."""
    packer = zlib.compressobj(wbits=_GZIP)
    for piece in pieces:
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
