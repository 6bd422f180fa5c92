"""Shared resources, and how much of them one address may use."""

from collections import Counter
from threading import Lock


class FullError(Exception):
    """There is no room left, for all or for one address."""


class Shares:
    """A limited resource, with a limit for all clients and one for each address; thread-safe."""

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._taken, self._total = Counter[str](), 0
        self._lock = Lock()

    def of(self, address: str) -> "Share":
        """Return an empty share for one client."""
        return Share(self, address)

    def take(self, address: str, size: int) -> None:
        """Take some for an address. :raises FullError: when there are not enough; none is taken then."""
        with self._lock:
            if self._taken[address] + size > self._each or self._total + size > self._most:
                raise FullError
            self._taken[address] += size
            self._total += size

    def give_back(self, address: str, size: int) -> None:
        """Give back what was taken for an address."""
        with self._lock:
            self._taken[address] -= size
            self._total -= size
            if not self._taken[address]:
                del self._taken[address]


class Share:
    """One client's share."""

    def __init__(self, shares: Shares, address: str) -> None:
        self._shares, self._address, self._size = shares, address, 0

    def take(self, size: int) -> None:
        """Take some more. :raises FullError: when there are not enough; none is taken then."""
        self._shares.take(self._address, size)
        self._size += size

    def give_back(self) -> None:
        """Give all of it back."""
        size, self._size = self._size, 0
        self._shares.give_back(self._address, size)
