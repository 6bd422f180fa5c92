"""How slowly a client may send or read, and what happens to one that is slower."""

import asyncio
from collections.abc import Awaitable
from time import monotonic
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Pace(NamedTuple):
    """The limits of a client: seconds without a byte, seconds at the start, then bytes a second, and seconds in all."""

    stall: float = 20
    grace: float = 10
    rate: int = 8 * 1024
    most: float = 3600


class SlowError(Exception):
    """A client sends or reads more slowly than it may."""


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
