"""Backoff: how long to wait after each failed attempt, and when to give up."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Self


@dataclass(frozen=True, slots=True)
class Backoff:
    """The waits after the first failed attempt, the second, and so on; one further failed attempt is the last."""

    waits: tuple[timedelta, ...]

    @classmethod
    def of_minutes(cls, *minutes: float) -> Self:
        """Return waits of so many minutes."""
        return cls(tuple(timedelta(minutes=each) for each in minutes))

    def after(self, attempts: int) -> timedelta:
        """Return how long to wait after so many attempts."""
        return self.waits[min(attempts, len(self.waits)) - 1]

    def is_over(self, attempts: int) -> bool:
        """Return whether no further attempt follows so many."""
        return attempts > len(self.waits)
