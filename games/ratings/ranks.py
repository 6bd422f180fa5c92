"""Ranks in changing ladders, in memory, to find best ranks."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import floor

_WIDTH = 128
"""Whole points to a block, and blocks."""
_LAST = _WIDTH * _WIDTH - 1
_LOWEST = -4096
"""Whole points of the first bucket; who has less is found there, too, as who has more than all is in the last."""


@dataclass(slots=True)
class Ranking:
    """The values of one ladder. To move one, or to find its rank, costs the same however many there are."""

    _values: dict[int, list[float]] = field(default_factory=dict)
    """By bucket, in order."""
    _players: list[int] = field(default_factory=lambda: [0] * (_LAST + 1))
    """By bucket."""
    _blocks: list[int] = field(default_factory=lambda: [0] * _WIDTH)
    """Players by block of buckets."""

    def move(self, old: float | None, new: float | None) -> None:
        """Remove a value, add one, or both."""
        if old is not None:
            at = _bucket(old)
            values = self._values[at]
            del values[bisect_left(values, old)]
            self._count(at, -1)
        if new is not None:
            at = _bucket(new)
            insort(self._values.setdefault(at, []), new)
            self._count(at, 1)

    def _count(self, at: int, players: int) -> None:
        self._players[at] += players
        self._blocks[at // _WIDTH] += players

    def rank(self, value: float) -> int:
        """Return the rank of a value: one more than there are greater ones."""
        at = _bucket(value)
        block = at // _WIDTH + 1
        values = self._values.get(at, [])
        beside = len(values) - bisect_right(values, value)
        return sum(self._blocks[block:]) + sum(self._players[at + 1 : block * _WIDTH]) + beside + 1


def _bucket(value: float) -> int:
    return min(max(floor(value) - _LOWEST, 0), _LAST)


@dataclass(slots=True)
class BestRanks:
    """The best ranks of a ladder's players, looked at whenever a transaction had changed some of them."""

    values: dict[int, float] = field(default_factory=dict)
    """By player, as they are now."""
    best: dict[int, int] = field(default_factory=dict)
    """By player, so far."""
    _ranking: Ranking = field(init=False, default_factory=Ranking)

    def __post_init__(self) -> None:
        """Start with the given values."""
        for value in self.values.values():
            self._ranking.move(None, value)

    def change(self, now: Mapping[int, float]) -> Iterator[tuple[int, int]]:
        """Take other values than before. :returns: who of these has a better rank than ever, and which."""
        for player, value in now.items():
            self._ranking.move(self.values.get(player), value)
            self.values[player] = value
        for player, value in now.items():
            rank = self._ranking.rank(value)
            if rank < self.best.get(player, rank + 1):
                self.best[player] = rank
                yield player, rank
