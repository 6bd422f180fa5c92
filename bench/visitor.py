"""A visitor: one connection to the site, with an address of its own, that asks for one page after another."""

import asyncio
import re
from time import perf_counter
from typing import NamedTuple, Self

_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)


class Reply(NamedTuple):
    """An answer: its status, and the seconds until its last byte."""

    status: int
    seconds: float


class Visitor(asyncio.Protocol):
    """A connection, kept open; it parses no more of an answer than its end."""

    def __init__(self, number: int) -> None:
        self._address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self._transport: asyncio.Transport | None = None
        self._came, self._missing = bytearray(), -1
        self._over: asyncio.Future[int] | None = None

    @classmethod
    async def connect(cls, port: int, number: int) -> Self:
        """Return a connected visitor with an address of its own."""
        made = await asyncio.get_running_loop().create_connection(lambda: cls(number), "127.0.0.1", port)
        return made[1]

    async def ask(self, path: str, cookie: str = "") -> Reply:
        """Ask for a page. :raises ConnectionError: when the site disconnects."""
        assert self._transport  # noqa: S101 - connected
        cookies = f"Cookie: {cookie}\r\n" if cookie else ""
        self._came, self._missing = bytearray(), -1
        over = self._over = asyncio.get_running_loop().create_future()
        begun = perf_counter()
        self._transport.write(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html,*/*\r\nAccept-Encoding: gzip\r\n"
            f"Accept-Language: en\r\nX-Forwarded-For: {self._address}\r\n{cookies}\r\n".encode()
        )
        status = await over
        return Reply(status, perf_counter() - begun)

    def leave(self) -> None:
        """Disconnect."""
        if self._transport:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the connection."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the types
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take what has arrived of an answer, whose head names its length or that it comes in chunks."""
        self._came += data
        if self._missing < 0 and (end := self._came.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self._came, 0, end)
            self._missing = end + 4 + int(length[1]) if length else 0
        if self._missing > 0:
            is_over = len(self._came) >= self._missing
        else:
            is_over = self._missing == 0 and self._came.endswith((b"\r\n0\r\n\r\n", b"\r\n\r\n0\r\n\r\n"))
        if is_over and self._over and not self._over.done():
            self._over.set_result(int(self._came[9:12]))

    def connection_lost(self, error: Exception | None) -> None:
        """End what waits."""
        if self._over and not self._over.done():
            self._over.set_exception(error or ConnectionError("the site disconnected"))
