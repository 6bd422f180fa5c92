"""One figure."""

from typing import NamedTuple


class Rate(NamedTuple):
    """Work done in a second by one core."""

    plies: float
    games: float

    def __str__(self) -> str:
        return f"{self.plies:>10,.0f} plies/s {self.games:>8,.0f} games/s   per core"
