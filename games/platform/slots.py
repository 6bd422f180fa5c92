"""Slots: limit how many slow answers of a kind a process makes at a time, so that other threads stay free."""

from threading import BoundedSemaphore
from typing import Self


class Slots:
    """The slots for one kind of slow answer; a process has four threads, so by default there is one."""

    def __init__(self, count: int = 1) -> None:
        """Provide so many slots."""
        self._free = BoundedSemaphore(count)

    def take(self, patience: float = 0) -> "Slot | None":
        """Return a free slot; None if all stay taken for some seconds."""
        return Slot(self._free) if self._free.acquire(timeout=patience) else None

    def turn(self, refused: Exception, patience: float) -> "Slot":
        """Return a free slot. :raises: what is given, if all stay taken for some seconds."""
        slot = self.take(patience)
        if slot is None:
            raise refused
        return slot


class Slot:
    """A slot that is taken until it is closed: at the end of a `with`, or explicitly."""

    def __init__(self, free: BoundedSemaphore) -> None:
        self._free: BoundedSemaphore | None = free

    def close(self) -> None:
        """Release the slot, once."""
        free, self._free = self._free, None
        if free:
            free.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
