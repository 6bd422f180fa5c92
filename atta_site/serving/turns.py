"""Who is next: requests wait in a queue for each address, and the addresses take turns."""

from collections import Counter, OrderedDict, deque
from typing import Generic, NamedTuple, TypeVar

from games.platform.shares import FullError

T = TypeVar("T")


class CrowdedError(Exception):
    """One address has too many requests waiting."""


class Bounds(NamedTuple):
    """How many may wait, in all and for one address, and how many of one address may be in progress."""

    most: int
    each: int
    at_a_time: int


class Turns(Generic[T]):
    """What waits for its turn; used under a lock."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._waiting = OrderedDict[str, deque[T]]()
        self._under_way = Counter[str]()
        self._number = 0

    def put(self, address: str, item: T) -> T | None:
        """Add something to the queue; return what is dropped for it: the last of the address with the most waiting.

        :raises CrowdedError: when this address has too many waiting.
        :raises FullError: when too many wait in all, and no address has more of them than this one.
        """
        if len(self._waiting.get(address, ())) >= self._bounds.each:
            raise CrowdedError
        ousted = self._make_room(address)
        self._waiting.setdefault(address, deque()).append(item)
        self._number += 1
        return ousted

    def take(self) -> tuple[str, T] | None:
        """Return the next address and its item; None if every waiting address has enough in progress."""
        address = next((one for one in self._waiting if self._under_way[one] < self._bounds.at_a_time), None)
        if address is None:
            return None
        item = self._waiting[address].popleft()
        self._waiting.move_to_end(address)
        self._left(address)
        self._under_way[address] += 1
        return address, item

    def end(self, address: str) -> None:
        """Note that something is no longer under way."""
        self._under_way[address] -= 1
        if not self._under_way[address]:
            del self._under_way[address]

    def drop(self, address: str, item: T) -> bool:
        """Forget what waits; return whether it still did."""
        queue = self._waiting.get(address)
        if queue is None or item not in queue:
            return False
        queue.remove(item)
        self._left(address)
        return True

    def _make_room(self, address: str) -> T | None:
        if self._number < self._bounds.most:
            return None
        longest = max(self._waiting, key=lambda one: len(self._waiting[one]))
        if len(self._waiting[longest]) <= len(self._waiting.get(address, ())) + 1:
            raise FullError
        ousted = self._waiting[longest].pop()
        self._left(longest)
        return ousted

    def _left(self, address: str) -> None:
        """Count one less, and forget an address that has none waiting any more."""
        self._number -= 1
        if not self._waiting[address]:
            del self._waiting[address]
