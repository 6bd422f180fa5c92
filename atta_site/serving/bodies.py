"""Request bodies, received as they arrive: short ones in memory, others in unnamed files."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from io import BufferedReader, BytesIO, FileIO
from pathlib import Path
from typing import Any, BinaryIO

from atta_site.serving.limits import GoneError, Meter, Pace, SlowError
from games.platform.shares import FullError, Share, Shares

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

IN_MEMORY = 64 * 1024
"""Bytes of a body that wait in memory for more of them."""


Cut = SlowError | GoneError | FullError
"""Why less of a body came than was announced."""


class Incoming:
    """The body of one request as it arrives; `left` is how many bytes are still missing."""

    def __init__(self, receive: Receive, length: int, pace: Pace) -> None:
        self.left = length
        self._receive, self._meter, self._read = receive, Meter(pace), b""

    async def read(self, most: int) -> bytes:
        """Return the next bytes, at most so many. :raises SlowError, GoneError: when none arrive."""
        data = self._read or await self._next()
        data, self._read = data[:most], data[most:]
        self.left -= len(data)
        return data

    async def _next(self) -> bytes:
        while True:
            message = await self._meter.wait(self._receive())
            data: bytes = message.get("body", b"")[: self.left]
            if data:
                self._meter.count(len(data))
                return data
            if not message.get("more_body"):
                raise GoneError


class Body:
    """A received body, to be read from `file`; `cut` says why it is shorter than announced."""

    def __init__(self, folder: Path) -> None:
        self.file: BinaryIO = BytesIO()
        self.size = 0
        self.cut: Cut | None = None
        self._folder, self._waiting = folder, bytearray()
        self._disk: FileIO | None = None

    def add(self, data: bytes) -> None:
        """Add bytes, in memory."""
        self._waiting += data
        self.size += len(data)

    def is_to_be_written(self) -> bool:
        """Return whether too many bytes wait in memory."""
        return len(self._waiting) > IN_MEMORY

    def write(self) -> None:
        """Write what waits in memory. :raises FullError: when the disk is full; what was not written is lost."""
        waiting, self._waiting = memoryview(self._waiting), bytearray()
        self.size -= len(waiting)
        try:
            self._disk = self._disk or file_in(self._folder)
            while waiting:
                written = self._disk.write(waiting)
                self.size += written
                waiting = waiting[written:]
        except OSError:
            raise FullError from None

    def finish(self) -> None:
        """Make it ready to be read."""
        if self._disk is None:
            self.file = BytesIO(self._waiting)
            return
        try:
            self.write()
        except FullError as cut:
            self.cut = cut
        self._disk.seek(0)
        self.file = BufferedReader(self._disk, IN_MEMORY)

    def close(self) -> None:
        """Forget it."""
        for file in (self.file, self._disk):
            if file is not None:
                file.close()


def file_in(folder: Path) -> FileIO:
    """Return a file without a name: it is gone when it is closed, also when the process is killed."""
    return tempfile.TemporaryFile(dir=folder, buffering=0)


class Spool:
    """Receives bodies, with limits on their bytes in all and for each address."""

    def __init__(self, folder: Path, shares: Shares, disk: Executor) -> None:
        self._folder, self._shares, self._disk = folder, shares, disk

    @asynccontextmanager
    async def body(self, incoming: Incoming, size: int, address: str) -> AsyncIterator[Body]:
        """Receive the next bytes of a body, so many or all; they are deleted afterwards."""
        body, share = Body(self._folder), self._shares.of(address)
        try:
            try:
                await self._fill(body, incoming, size, share)
            except (SlowError, GoneError, FullError) as cut:
                body.cut = cut
            await self._finish(body)
            yield body
        finally:
            share.give_back()
            body.close()

    async def _fill(self, body: Body, incoming: Incoming, size: int, share: Share) -> None:
        missing = size
        while missing:
            data = await incoming.read(missing)
            share.take(len(data))
            body.add(data)
            missing -= len(data)
            if body.is_to_be_written():
                await asyncio.get_running_loop().run_in_executor(self._disk, body.write)

    async def _finish(self, body: Body) -> None:
        if body.size <= IN_MEMORY:
            body.finish()
        else:
            await asyncio.get_running_loop().run_in_executor(self._disk, body.finish)
