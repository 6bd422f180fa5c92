"""A measured rate."""

from typing import NamedTuple


class Rate(NamedTuple):
    """The work that one core does in a second."""

    plies: float
    games: float

    def __str__(self) -> str:
        return f"{self.plies:>10,.0f} plies/s {self.games:>8,.0f} games/s   per core"
