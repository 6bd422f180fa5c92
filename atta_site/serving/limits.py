"""What one client can take of a process: places in its threads, and time to send and to read."""

import asyncio
from collections.abc import Awaitable
from time import monotonic
from typing import NamedTuple, TypeVar

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds after which a request that waits for a place is refused."""


class SlowError(Exception):
    """A client sends or reads more slowly than it may."""


class GoneError(Exception):
    """The client has gone."""


class Pace(NamedTuple):
    """The limits of a client: seconds without a byte, seconds at the start, then bytes a second, and seconds in all."""

    stall: float = 20
    grace: float = 10
    rate: int = 8 * 1024
    most: float = 3600


class Meter:
    """Measures how long one client has been waited for, and how many bytes came."""

    def __init__(self, pace: Pace) -> None:
        self._pace, self._waited, self._bytes = pace, 0.0, 0

    async def wait(self, coming: Awaitable[T]) -> T:
        """Wait for a client, as long as it may take. :raises SlowError: when it takes longer."""
        begun = monotonic()
        try:
            async with asyncio.timeout(self._patience()):
                return await coming
        except TimeoutError:
            raise SlowError from None
        finally:
            self._waited += monotonic() - begun

    def count(self, size: int) -> None:
        """Count bytes that the client has sent or read."""
        self._bytes += size

    def _patience(self) -> float:
        """Return how many more seconds to wait for it now."""
        due = min(self._pace.most, self._pace.grace + self._bytes / self._pace.rate)
        return min(self._pace.stall, max(0, due - self._waited))


class _Own:
    """The places of one address, and how many of its requests have one or wait."""

    def __init__(self, places: int) -> None:
        self.free, self.requests = asyncio.Semaphore(places), 0


class Places:
    """So many requests are answered at once, and of one address fewer.

    Of each address only as many as it may have places wait among all others, so that the addresses take turns.
    """

    def __init__(self, places: int, each: int) -> None:
        self._free, self._each = asyncio.Semaphore(places), each
        self._own = dict[str, _Own]()

    def has_free(self, address: str) -> bool:
        """Return whether a request of an address would wait for others of that address only as long as all do."""
        own = self._own.get(address)
        return own is None or not own.free.locked()

    async def take(self, address: str) -> None:
        """Wait for a place, which is to be given back."""
        own = self._own.setdefault(address, _Own(self._each))
        own.requests += 1
        try:
            await own.free.acquire()
            try:
                await self._free.acquire()
            except BaseException:
                own.free.release()
                raise
        except BaseException:
            self._leave(address)
            raise

    def give_back(self, address: str) -> None:
        """Give a place to the next request."""
        self._free.release()
        self._own[address].free.release()
        self._leave(address)

    def _leave(self, address: str) -> None:
        self._own[address].requests -= 1
        if not self._own[address].requests:
            del self._own[address]
