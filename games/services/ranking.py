"""Ranks in ladders that change, without a database: what the recomputation finds best ranks with."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from math import floor
from typing import NamedTuple

from games.services.standings import Line

_WIDTH = 128
"""Whole points to a block, and blocks."""
_LAST = _WIDTH * _WIDTH - 1
_LOWEST = -4096
"""Whole points of the first bucket; who has less is found there, too, as who has more than all is in the last."""


class Best(NamedTuple):
    """The best rank of a line so far, and the game and the moment after which it was so."""

    rank: int
    number: int
    at: datetime


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
        """Takes a value away, puts one in, or both."""
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
        """The rank of a value: one more than there are greater ones."""
        at = _bucket(value)
        block = at // _WIDTH + 1
        values = self._values.get(at, [])
        beside = len(values) - bisect_right(values, value)
        return sum(self._blocks[block:]) + sum(self._players[at + 1 : block * _WIDTH]) + beside + 1


def _bucket(value: float) -> int:
    return min(max(floor(value) - _LOWEST, 0), _LAST)


@dataclass(slots=True)
class BestRanks:
    """The best ranks of all lines of all ladders, looked at whenever a transaction had changed some of them."""

    best: dict[Line, Best] = field(default_factory=dict)
    _values: dict[Line, float] = field(default_factory=dict)
    _ladders: defaultdict[int, Ranking] = field(default_factory=lambda: defaultdict(Ranking))

    def change(self, now: Iterable[tuple[Line, float | None, int]], at: datetime) -> None:
        """Lines with other values than before, or none any more, each with the newest game that counts there."""
        changed = list(now)
        for line, value, _ in changed:
            self._ladders[line[0]].move(self._values.pop(line, None), value)
            if value is not None:
                self._values[line] = value
        for line, value, number in changed:
            if value is not None:
                rank = self._ladders[line[0]].rank(value)
                if line not in self.best or rank < self.best[line].rank:
                    self.best[line] = Best(rank, number, at)
