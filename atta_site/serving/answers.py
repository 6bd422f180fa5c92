"""Answers: what Django answered, in the form in which it is sent, however long it is and however slowly it is read.

A short answer waits in memory for its reader. A long one is read from a file, or made piece by piece (`LongAnswer`).
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import Executor
from contextlib import aclosing, suppress
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, BinaryIO, NamedTuple, TypeVar

from django.db import close_old_connections
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from atta_site.serving.bodies import Receive, file_in
from atta_site.serving.limits import GoneError, Meter, Pace
from games.platform.long_answers import LongAnswer
from games.platform.shares import FullError, Share

T = TypeVar("T")
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Pieces = AsyncGenerator[bytes]
Headers = list[tuple[str, str]]
InThread = Callable[[Callable[[], bytes]], Awaitable[bytes]]

SHORT = 256 * 1024
"""Bytes of an answer that waits in memory for its reader, and of a piece of a longer one."""
SLICE = 0.2
"""Seconds after which others have their turn while a long answer is made."""
_LINGER, _MOST_READ_OFF = 1.0, 2 * 1024**2
"""Seconds, and bytes, for which a refused body is still read: else the refusal may be lost with the connection."""


class Long(NamedTuple):
    """The content of a long answer, and what is to be called when nobody reads it any more."""

    pieces: Pieces
    close: Callable[[], object]


class Answer(NamedTuple):
    """An answer to a request."""

    status: int
    headers: Headers
    content: bytes | Long
    fresh_until: float = 0.0
    """Until when it changes only with the version of what it shows, in seconds since 1970."""


def head_of(response: HttpResponseBase) -> tuple[int, Headers]:
    """Return the status and the headers of one of Django's answers, its cookies among them."""
    cookies = [("Set-Cookie", cookie.OutputString()) for cookie in response.cookies.values()]
    return response.status_code, [*response.items(), *cookies]


def answer_of(response: HttpResponse) -> Answer:
    """Return one of Django's short answers."""
    return Answer(*head_of(response), response.content)


def is_short(response: HttpResponseBase) -> bool:
    """Return whether an answer is short: one in pieces says so."""
    if isinstance(response, HttpResponse):
        return len(response.content) <= SHORT
    length = response.get("Content-Length", "")
    return length.isdecimal() and int(length) <= SHORT


class Written:
    """An answer that a thread has written into a file without a name, in its address' share of the room."""

    def __init__(self, pieces: Iterable[bytes], folder: Path, share: Share, gone: Event) -> None:
        """Write it. :raises FullError: when there is no room. :raises GoneError: when its reader has gone."""
        self._file: BinaryIO = file_in(folder)
        self._share = share
        try:
            self._write(pieces, gone)
        except BaseException:
            self.close()
            raise

    def _write(self, pieces: Iterable[bytes], gone: Event) -> None:
        for piece in pieces:
            if gone.is_set():
                raise GoneError
            self._share.take(len(piece))
            rest = memoryview(piece)
            while rest:
                try:
                    rest = rest[self._file.write(rest) :]
                except OSError:
                    raise FullError from None
        self._file.seek(0)

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(SHORT), b"")

    def close(self) -> None:
        """Forget it."""
        self._file.close()
        self._share.give_back()


async def from_disk(pieces: Iterable[bytes], disk: Executor) -> Pieces:
    """Yield the pieces of a file as they are read."""
    loop, rest = asyncio.get_running_loop(), iter(pieces)
    while piece := await to_its_end(loop.run_in_executor(disk, next, rest, b"")):
        yield piece


async def in_slices(response: LongAnswer, in_thread: InThread) -> Pieces:
    """Yield a long answer a slice at a time: each when its reader has read the one before, in turn with others."""
    rest = iter(response)
    while piece := await in_thread(lambda: _slice(rest, response.every)):
        yield piece
        await asyncio.sleep(response.every)


def _slice(rest: Iterator[bytes], every: float) -> bytes:
    """Return what is next; empty at the end. Between two slices nothing of the thread is held."""
    made, until = bytearray(), monotonic() + SLICE
    try:
        for piece in rest:
            made += piece
            if every or len(made) >= SHORT or monotonic() > until:
                break
        return bytes(made)
    finally:
        close_old_connections()


async def to_its_end(job: "asyncio.Future[T]", gone: Event | None = None) -> T:
    """Return what a thread makes. Who no longer waits for it tells it so, and stays until it has ended."""
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        if gone:
            gone.set()
        await asyncio.wait([job])
        if not job.cancelled():
            job.exception()  # which nobody hears of any more
        raise


class Client:
    """The client of one request, to which an answer is sent."""

    def __init__(self, send: Send, receive: Receive, pace: Pace) -> None:
        self._send, self._receive, self._meter = send, receive, Meter(pace)

    async def give(self, answer: Answer) -> None:
        """Send an answer. :raises SlowError: when its reader is too slow."""
        await self._head(answer)
        if isinstance(answer.content, bytes):
            await self._send({"type": "http.response.body", "body": answer.content})
            return
        async with aclosing(answer.content.pieces) as pieces:
            async for piece in pieces:
                await self._meter.wait(self._send({"type": "http.response.body", "body": piece, "more_body": True}))
                self._meter.count(len(piece))
        await self._meter.wait(self._send({"type": "http.response.body", "body": b""}))

    async def refuse(self, answer: Answer) -> None:
        """Send an answer before the whole request has arrived; read some of the rest, as some clients read late."""
        await self._head(answer)
        await self._send({"type": "http.response.body", "body": answer.content, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER):
                await self._read_off(_MOST_READ_OFF)
        await self._send({"type": "http.response.body", "body": b""})

    async def gone(self) -> None:
        """Return when the client has gone, which has sent its whole request."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _head(self, answer: Answer) -> None:
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
        await self._send({"type": "http.response.start", "status": answer.status, "headers": headers})

    async def _read_off(self, most: int) -> None:
        while most > 0:
            message = await self._receive()
            if not message.get("more_body"):
                return
            most -= len(message["body"])
