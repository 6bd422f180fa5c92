"""Caches that are bounded by how much they hold, not by how many things: some are a thousand times as large."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """What was asked for lately. One thing is made at a time, so that no two threads make the same."""

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        """Limit all that is kept to a weight."""
        self._most, self._weigh, self._weight = most, weigh, 0
        self._lock, self._making = Lock(), Lock()
        self._kept = OrderedDict[K, V]()

    def get(self, key: K) -> V | None:
        """Return what is kept under a key, if something is."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep something, and drop what was asked for longest ago where there is no room."""
        with self._lock:
            before = self._kept.pop(key, None)
            self._weight += self._weigh(value) - (0 if before is None else self._weigh(before))
            self._kept[key] = value
            self._shrink(self._most)

    def of(self, key: K, make: Callable[[], V], weight: int = 0) -> V:
        """Return what is kept under a key, or make and keep it.

        :param weight: for which there is to be room before it is made, where that is known by then.
        """
        found = self.get(key)
        if found is not None:
            return found
        with self._making:
            found = self.get(key)  # another thread may have made it meanwhile
            if found is None:
                with self._lock:
                    self._shrink(self._most - weight)
                found = make()
                self.put(key, found)
        return found

    def _shrink(self, most: int) -> None:
        """Drop what was asked for longest ago until the rest weighs no more than so much."""
        while self._weight > most and self._kept:
            self._weight -= self._weigh(self._kept.popitem(last=False)[1])
