"""Answers of unknown length: what is short is written whole, what is long is sent while it is written, one at a time.

Writing a long one takes a thread, of which a process has four; reading it takes none, however slowly it is read.
"""

from collections.abc import Generator, Iterator
from itertools import chain
from threading import BoundedSemaphore

from games.records.reads.export_parts import ExportError

IN_MEMORY = 16 * 2**20
"""Bytes of an answer that are held until they are sent: some hundred thousand lines of a table."""
STREAMS = 1
"""Longer answers that a process sends at a time."""

_slots = BoundedSemaphore(STREAMS)


class Stream:
    """An answer that is sent while it is written. Its place is given back when it is closed, begun or not."""

    def __init__(self, begun: bytes, rest: Generator[bytes]) -> None:
        """Take what was written already, and what is to come."""
        self._pieces, self._rest, self._closed = chain((begun,), rest), rest, False

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        """Gives the place back, once, and lets go what the rest was read from."""
        if not self._closed:
            self._closed = True
            _slots.release()
            self._rest.close()


def whole_or_stream(pieces: Generator[bytes]) -> bytes | Stream:
    """All of an answer, if it is short; else what sends it.

    :raises ExportError: when another long one is being sent.
    """
    begun, size = list[bytes](), 0
    for piece in pieces:
        begun.append(piece)
        size += len(piece)
        if size > IN_MEMORY:
            if _slots.acquire(blocking=False):
                return Stream(b"".join(begun), pieces)
            pieces.close()
            raise ExportError("busy", "Another long answer is being sent. Ask again in a few seconds.")
    return b"".join(begun)
