"""The hexagonal board and the trails on it: only geometry, no rules.

A cell is a number, row by row on a grid of 11 × 11 of which the hexagon is a part (TRAILS-BOARD-1): `a1` is 0, `a2`
is 1, `b1` is 11. So cells are in the order in which records list them. A set of cells is the bits of a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

SIDE = 6
"""Cells along each side of the hexagon."""
WIDTH = 2 * SIDE - 1
ROWS = "abcdefghijk"

STEPS = (-WIDTH - 1, -WIDTH, -1, 1, WIDTH, WIDTH + 1)
"""From a cell to its neighbours; no step leads around the grid's edge onto the hexagon."""

NAMES = tuple(f"{row}{number}" for row in ROWS for number in range(1, WIDTH + 1))
"""The name of every cell of the grid, the hexagon's or not."""


NOWHERE: Final = -1


def row_of(cell: int) -> int:
    """Return the row of a cell, from 0."""
    return cell // WIDTH


def column_of(cell: int) -> int:
    """Return the number in a cell's name, from 0."""
    return cell % WIDTH


CELLS: Final = tuple(cell for cell in range(WIDTH * WIDTH) if abs(row_of(cell) - column_of(cell)) < SIDE)
"""The 91 cells of the hexagon."""


def bits(cells: Iterable[int]) -> int:
    """Return some cells as a set."""
    found = 0
    for cell in cells:
        found |= _SETS[cell]
    return found


_SETS = tuple([1 << cell for cell in range(WIDTH * WIDTH)])
"""Each cell as a set."""


BOARD = bits(CELLS)
NEIGHBOURS: Final = tuple(
    tuple(cell + step for step in STEPS if cell + step >= 0 and BOARD >> cell + step & 1)
    for cell in range(WIDTH * WIDTH)
)
"""For every cell its neighbours on the hexagon, in order."""
NEAR = tuple(bits(cells) for cells in NEIGHBOURS)
"""The same as sets."""
BORDER = bits(cell for cell in CELLS if len(NEIGHBOURS[cell]) < len(STEPS))


def members(cells: int) -> Iterator[int]:
    """Yield the cells of a set, in order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def trail_of(ants: int, ant: int) -> int:
    """Return all ants in an ant's trail, itself included."""
    trail, newest = 0, 1 << ant
    while newest:
        trail |= newest
        around = newest << 1 | newest >> 1 | newest << WIDTH | newest >> WIDTH
        around |= newest << WIDTH + 1 | newest >> WIDTH + 1
        newest = around & ants & ~trail
    return trail


@lru_cache(maxsize=1 << 10)
def trails(ants: int) -> tuple[int, ...]:
    """Return all trails of a colour, in the order of their first cells."""
    found = []
    while ants:
        trail = trail_of(ants, (ants & -ants).bit_length() - 1)
        found.append(trail)
        ants &= ~trail
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def longest(ants: int) -> int:
    """Return how many ants the longest trail has (TRAILS-SCORE-1)."""
    return Lengths(Trails(ants)).longest


# Growing trails. For each colour, one number for each cell says how many ants of the colour are beside it, and more.

BESIDE: Final = 7
"""The bits of that number which count the ants beside the cell."""
BORDERING: Final = 8
SHUT: Final = 16
HERE: Final = 32
"""The cell is on the border; it is beside an ant that is no end of a trail; an ant of the colour stands on it."""
MIDDLE: Final = 2
"""Number of ants beside one that is not an end of its trail (TRAILS-PLACE-2)."""


def _is_open(found: int) -> bool:
    if found & (HERE | SHUT):
        return False
    return 0 < found & BESIDE <= MIDDLE or found & (BESIDE | BORDERING) == BORDERING


OPEN: Final = tuple(map(_is_open, range(2 * HERE)))
"""Whether an ant of the colour may go to a cell, were it empty, by that number (TRAILS-PLACE-2)."""

_WORD: Final = 60
"""Cells whose set fits into a machine word."""
_BITS: Final = [1 << cell for cell in range(WIDTH * WIDTH - _WORD)]
_NO_ANTS: Final = [BORDERING * (BORDER >> cell & 1) for cell in range(WIDTH * WIDTH)]


class Trails:
    """The trails of one colour, updated ant by ant: what placing and carrying need (`bench/`).

    Lists indexed by cell: a set of cells does not fit into a machine word, and compiled code is fast only with those.
    """

    __slots__ = ("_before", "_known", "_linked", "cells", "placed")

    def __init__(self, ants: int) -> None:
        self.placed = list[int]()
        """The ants in the order in which they were placed, the first by their cells."""
        self.cells = _NO_ANTS.copy()
        self._linked = [0] * len(_NO_ANTS)
        """For each ant the sum of the cells of those to which it is joined: the one less what is known is the other."""
        for ant in members(ants):
            self.place(ant)
        self._before, self._known = ants, len(self.placed)

    def ants(self) -> int:
        """Return the cells of the ants, as a set."""
        low: i64 = 0
        high: i64 = 0
        cell: i64
        for cell in self.placed[self._known :]:
            if cell < _WORD:
                low |= _BITS[cell]
            else:
                high |= _BITS[cell - _WORD]
        first: int = low
        others: int = high  # the set as a whole is no machine word
        return self._before | first | others << _WORD

    def place(self, cell: i64) -> None:
        """Place an ant on an open cell."""
        cells, linked = self.cells, self._linked
        near: i64
        for near in NEIGHBOURS[cell]:
            found: i64 = cells[near] + 1
            cells[near] = found
            if found & HERE:
                linked[near] += cell
                linked[cell] += near
                if found & BESIDE == MIDDLE:
                    self._shut_around(near)
        here: i64 = cells[cell] | HERE
        cells[cell] = here
        if here & BESIDE >= MIDDLE:
            self._shut_around(cell)
        self.placed.append(cell)

    def _shut_around(self, ant: i64) -> None:
        cells = self.cells
        near: i64
        for near in NEIGHBOURS[ant]:
            found: i64 = cells[near]
            if not found & SHUT:
                cells[near] = found | SHUT

    def is_middle(self, ant: i64) -> bool:
        """Return whether an ant is not an end of its trail: it has two neighbours (TRAILS-PLACE-2)."""
        return self.cells[ant] & BESIDE >= MIDDLE

    def end_of_way(self, ant: i64, following: i64) -> i64:
        """Return the end of the trail that is reached from an ant through the next one; NOWHERE in a loop."""
        cells, linked = self.cells, self._linked
        before, here = ant, following
        while cells[here] & BESIDE == MIDDLE:
            before, here = here, linked[here] - before
            if here == ant:
                return NOWHERE
        return here

    def way(self, ant: i64, following: i64) -> list[int]:
        """Return the ants from the next one to the end of the trail, or around a loop to the first one."""
        cells, linked, found = self.cells, self._linked, [following]
        before, here = ant, following
        while cells[here] & BESIDE == MIDDLE and here != ant:
            before, here = here, linked[here] - before
            found.append(here)
        return found


class Lengths:
    """How long the trails of a colour are: what the score and bots need."""

    __slots__ = ("_cells", "_far", "_lengths", "longest")

    def __init__(self, trails: Trails) -> None:
        self.longest, self._cells = 0, trails.cells
        self._far = list(range(len(trails.cells)))
        """For each end of a trail the other end."""
        self._lengths = [0] * len(trails.cells)
        """For each ant how many its trail has."""
        for ant in trails.placed:
            if not self._lengths[ant]:
                self._measure(trails, ant)

    def _measure(self, trails: Trails, ant: int) -> None:
        ways = [trails.way(ant, near) for near in NEIGHBOURS[ant] if trails.cells[near] & HERE]
        if ways and ways[0][-1] == ant:  # a loop
            del ways[1:]
        ants = {ant, *chain.from_iterable(ways)}
        for one in ants:
            self._lengths[one] = len(ants)
        begin, end = ways[0][-1] if ways else ant, ways[1][-1] if len(ways) > 1 else ant
        self._far[begin], self._far[end] = end, begin
        self.longest = max(self.longest, len(ants))

    def length_with(self, cell: int) -> int:
        """Return the length of the trail that another ant, on an open cell, would make."""
        length, joined = 1, NOWHERE
        for near in NEIGHBOURS[cell]:
            if self._cells[near] & HERE and near != joined:
                length += self._lengths[near]
                joined = self._far[near]
        return length
