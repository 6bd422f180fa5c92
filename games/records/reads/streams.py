"""Answers of unknown length: short ones are written at once, long ones are streamed, one at a time.

Writing a long one takes one of a process's four threads; sending it takes none, however slowly it is read.
"""

from collections.abc import Generator, Iterator
from itertools import chain

from games.platform.errors import RefusedError
from games.platform.slots import Slot, Slots

IN_MEMORY = 2**20
"""Bytes of an answer that are held until they are sent: some thousands of lines of a table."""

_slots = Slots()


class ExportError(RefusedError):
    """A long answer that is not available now."""


class Stream:
    """An answer that is sent while it is written. Its slot is released when it is closed, begun or not."""

    def __init__(self, begun: bytes, rest: Generator[bytes], slot: Slot) -> None:
        """Take what was written already, what is to come, and the place at which it is written."""
        self._pieces, self._rest, self._slot = chain((begun,), rest), rest, slot

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        """Give the place back, and let go what the rest was read from."""
        self._slot.close()
        self._rest.close()


def whole_or_stream(pieces: Generator[bytes]) -> bytes | Stream:
    """Return all of an answer, if it is short; else what sends it.

    :raises ExportError: when another long one is being sent.
    """
    begun, size = list[bytes](), 0
    for piece in pieces:
        begun.append(piece)
        size += len(piece)
        if size > IN_MEMORY:
            if slot := _slots.take():
                return Stream(b"".join(begun), pieces, slot)
            pieces.close()
            raise ExportError("busy", "Another long answer is being sent. Try again in a few seconds.")
    return b"".join(begun)
