"""Answers of any length, written in slices: each when its reader has read the one before, in turn with other answers.

So they take one thread and little room, however many there are, however long and however slowly they are read.
Such an answer says so (`in_slices`): between two pieces it holds nothing of a thread, such as a transaction.
"""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic
from typing import Protocol
from wsgiref.types import WSGIApplication, WSGIEnvironment

from django.db import close_old_connections
from django.http import HttpResponse

from atta_site.serving.answers import Outbox
from atta_site.serving.bodies import GoneError

SECONDS, BYTES = 1.0, 8 * 1024**2
"""After which a slice ends, with the piece that is being written."""
log = logging.getLogger(__name__)


class InSlices(Protocol):
    """A response that any thread may continue."""

    def __iter__(self) -> Iterator[bytes]:
        """Return its pieces."""

    def close(self) -> None:
        """Release what it needs."""


class Sliced:
    """An answer of which one slice is written after another."""

    def __init__(self, address: str, response: InSlices, outbox: Outbox, queue: Callable[["Sliced"], object]) -> None:
        """Write what the response has into the outbox; `queue` is where each slice waits for a thread."""
        self.address = address
        self._response, self._pieces, self._outbox, self._queue = response, iter(response), outbox, queue

    def run(self, _application: WSGIApplication | None = None) -> None:
        """Write a slice, and queue the next one for when it is read."""
        is_over, is_whole = True, False
        try:
            is_over = is_whole = self._write()
        except GoneError:
            pass
        except Exception:
            log.exception("an answer was cut off")
        if is_over:
            self._end(is_whole=is_whole)
        else:
            self._pause()

    def refuse(self, _why: Callable[[WSGIEnvironment], HttpResponse]) -> None:
        """End it early."""
        self._end(is_whole=False)

    def _write(self) -> bool:
        """Return whether everything is written. :raises GoneError: when nobody reads it."""
        if self._outbox.is_left:
            raise GoneError
        until, size = monotonic() + SECONDS, 0
        for piece in self._pieces:
            self._outbox.write(piece)
            size += len(piece)
            if size > BYTES or monotonic() > until:
                return False
        return True

    def _pause(self) -> None:
        close_old_connections()  # Django does so when the response is closed, and that may be in another thread
        self._outbox.pause(partial(self._queue, self))

    def _end(self, *, is_whole: bool) -> None:
        self._outbox.end(is_whole=is_whole)
        try:
            self._response.close()
        except Exception:
            log.exception("an answer was not closed")
