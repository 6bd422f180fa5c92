"""A cache of what is the same for many readers, and is written once for all of them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Written(Generic[Key]):
    """The messages that were written last, by what they follow from."""

    def __init__(self, most: int) -> None:
        """Keep so many messages."""
        self._most = most
        self._written = OrderedDict[Key, bytes]()
        self._lock = Lock()
        self.writing = Lock()
        """Held while messages are written, so that of a thousand who resume at once only the first has them made."""

    def find(self, key: Key) -> bytes | None:
        """Return a message; None if it is not kept."""
        with self._lock:
            return self._written.get(key)

    def keep(self, key: Key, content: bytes) -> None:
        """Keep a message, and forget the oldest."""
        with self._lock:
            self._written[key] = content
            while len(self._written) > self._most:
                self._written.popitem(last=False)

    def get(self, key: Key, write: Callable[[], bytes]) -> bytes:
        """Return a message, which is written unless it is kept."""
        if (found := self.find(key)) is None:
            with self.writing:
                if (found := self.find(key)) is None:
                    self.keep(key, found := write())
        return found
