"""Answers: short ones are sent at once, long ones piece by piece from a file, as fast as their reader reads."""

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, NamedTuple, Protocol

from django.http import HttpResponse

from atta_site.serving.bodies import GoneError, Receive, file_in
from atta_site.serving.pace import Meter, Pace
from atta_site.serving.presence import Presence
from games.platform.shares import FullError, Share

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

SHORT = 256 * 1024
"""Bytes of an answer that waits in memory for its reader."""
_PIECE = 256 * 1024
_LINGER, _MOST_READ_OFF = 1.0, 2 * 1024**2
"""Seconds, and bytes, for which a refused body is still read: else the refusal may be lost with the connection."""


class Source(Protocol):
    """What a long answer is read from."""

    async def read(self) -> bytes:
        """Return the next bytes; empty at the end. :raises GoneError: when it was cut off."""

    def leave(self) -> None:
        """Release it: nobody reads on."""


class Answer(NamedTuple):
    """An answer to a request."""

    status: int
    headers: list[tuple[str, str]]
    content: bytes | Source


def answer_of(response: HttpResponse) -> Answer:
    """Return one of Django's short answers as an answer of this server."""
    return Answer(response.status_code, list(response.items()), response.content)


class Download:
    """A file that exists already."""

    def __init__(self, file: BinaryIO, share: Share, disk: Executor) -> None:
        self._file, self._share, self._disk = file, share, disk
        self._is_left, self._lock = False, Lock()

    async def read(self) -> bytes:
        """Return the next bytes; empty at the end. :raises GoneError: when it was released."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, self._next)

    def leave(self) -> None:
        """Close it, once."""
        if not self._is_left:
            self._is_left = True
            self._share.give_back()
            self._disk.submit(self._close)

    def _next(self) -> bytes:
        with self._lock:
            if self._is_left:
                raise GoneError
            return self._file.read(_PIECE)

    def _close(self) -> None:
        with self._lock:
            self._file.close()


class Written(NamedTuple):
    """Bytes of an answer that a thread writes, and their place."""

    place: Share
    bytes: Share


class Outbox:
    """An answer that a thread is still writing into a file, from which the client reads it.

    So the thread is free when everything is written, however slowly it is read.
    """

    def __init__(self, folder: Path, shares: Written, loop: asyncio.AbstractEventLoop, disk: Executor) -> None:
        self._file = file_in(folder)
        self._shares, self._loop, self._disk = shares, loop, disk
        self._news, self._lock = asyncio.Event(), Lock()
        self._written = self._sent = 0
        self._is_over = self._is_whole = self._is_left = False
        self._resume: Callable[[], object] | None = None

    @property
    def is_left(self) -> bool:
        """Return whether nobody reads it any more."""
        return self._is_left

    def write(self, data: bytes) -> None:
        """Write some more. :raises GoneError: when nobody reads it. :raises FullError: when there is no room."""
        if self._is_left:
            raise GoneError
        self._shares.bytes.take(len(data))
        rest = memoryview(data)
        try:
            while rest:
                size = os.pwrite(self._file.fileno(), rest, self._written)
                self._written, rest = self._written + size, rest[size:]
        except OSError:
            raise FullError from None
        self._tell()

    def pause(self, resume: Callable[[], object]) -> None:
        """Write no more until all is read, so that its room is free again; call `resume` then, or when nobody reads."""
        with self._lock:
            self._resume = resume
        if self._is_left:
            self._go_on()
        self._tell()

    def end(self, *, is_whole: bool) -> None:
        """Mark the end of writing, and whether the answer is complete."""
        with self._lock:
            self._is_over, self._is_whole = True, is_whole
            self._close_if_done()
        self._tell()

    async def read(self) -> bytes:
        """Return the next bytes as soon as they are written; empty at the end.

        :raises GoneError: if the answer was cut off.
        """
        while True:
            self._news.clear()
            is_over = self._is_over  # looked at first: what is written before the end is read before it
            if self._sent < self._written:
                return await self._loop.run_in_executor(self._disk, self._next)
            if self._is_left or (is_over and not self._is_whole):
                raise GoneError
            if is_over:
                return b""
            self._go_on()
            await self._news.wait()

    def leave(self) -> None:
        """Release it; the thread stops writing."""
        with self._lock:
            self._is_left = True
            self._close_if_done()
        self._go_on()
        self._news.set()

    def _go_on(self) -> None:
        """Let a writer who pauses write again, over what was read."""
        with self._lock:
            resume = self._resume if self._is_left or self._sent == self._written else None
            if resume:
                self._resume, self._written, self._sent = None, 0, 0
                self._shares.bytes.give_back()
        if resume:
            resume()

    def _next(self) -> bytes:
        with self._lock:
            if self._is_left:
                raise GoneError
            data = os.pread(self._file.fileno(), min(_PIECE, self._written - self._sent), self._sent)
        self._sent += len(data)
        return data

    def _tell(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: the process ends
            self._loop.call_soon_threadsafe(self._news.set)

    def _close_if_done(self) -> None:
        if self._is_over and self._is_left:
            self._file.close()
            self._shares.place.give_back()
            self._shares.bytes.give_back()


class Sender:
    """Sends answers to one client."""

    def __init__(self, send: Send, receive: Receive, presence: Presence, pace: Pace) -> None:
        self._send, self._receive, self._presence, self._pace = send, receive, presence, pace

    async def whole(self, answer: Answer) -> None:
        """Send an answer. :raises SlowError: when its reader is too slow. :raises GoneError: when it was cut off."""
        await self._send({"type": "http.response.start", "status": answer.status, "headers": _encoded(answer.headers)})
        if isinstance(answer.content, bytes):
            await self._send({"type": "http.response.body", "body": answer.content})
            return
        # The server keeps sending when the client has disconnected.
        self._presence.when_over(answer.content.leave)
        await self._pieces(answer.content)

    async def early(self, answer: Answer) -> None:
        """Send an answer before the whole request has arrived; read some of the rest, as some clients read late."""
        await self._send({"type": "http.response.start", "status": answer.status, "headers": _encoded(answer.headers)})
        await self._send({"type": "http.response.body", "body": answer.content, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER):
                await self._read_off(_MOST_READ_OFF)
        await self._send({"type": "http.response.body", "body": b""})

    async def _read_off(self, most: int) -> None:
        while most > 0:
            message = await self._receive()
            if not message.get("more_body"):
                return
            most -= len(message["body"])

    async def _pieces(self, source: Source) -> None:
        meter = Meter(self._pace)
        while piece := await source.read():
            await meter.wait(self._send({"type": "http.response.body", "body": piece, "more_body": True}))
            meter.count(len(piece))
        await meter.wait(self._send({"type": "http.response.body", "body": b""}))


def _encoded(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
