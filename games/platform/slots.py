"""Slots: how many slow answers of a kind a process gives at a time; its other threads stay free for everybody else."""

from threading import BoundedSemaphore
from typing import Self


class Slots:
    """The places of one kind of slow answer; a process has four threads, so by default there is one."""

    def __init__(self, count: int = 1) -> None:
        """Have so many places."""
        self._free = BoundedSemaphore(count)

    def take(self, patience: float = 0) -> "Slot | None":
        """Return a place that is free; none if all are taken, and stay so for some seconds."""
        return Slot(self._free) if self._free.acquire(timeout=patience) else None


class Slot:
    """A place that was taken, until it is closed: at the end of a `with`, or by whoever has it."""

    def __init__(self, free: BoundedSemaphore) -> None:
        self._free: BoundedSemaphore | None = free

    def close(self) -> None:
        """Give the place back, once."""
        free, self._free = self._free, None
        if free:
            free.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
