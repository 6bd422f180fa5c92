"""The hexagon of cells and the trails on it: geometry and nothing else.

A cell is a number, row by row on a grid of 11 × 11 of which the hexagon is a part (TRAILS-BOARD-1): `a1` is 0, `a2`
is 1, `b1` is 11. So cells are in the order in which records list them. A set of cells is the bits of a number.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

SIDE = 6
"""Cells along each side of the hexagon."""
WIDTH = 2 * SIDE - 1
ROWS = "abcdefghijk"

STEPS = (-WIDTH - 1, -WIDTH, -1, 1, WIDTH, WIDTH + 1)
"""From a cell to its neighbours; no step leads around the grid's edge onto the hexagon."""

NAMES = tuple(f"{row}{number}" for row in ROWS for number in range(1, WIDTH + 1))
"""The name of every cell of the grid, the hexagon's or not."""


NOWHERE = -1
_SHIFT = 7
_CELL = (1 << _SHIFT) - 1
"""A step from a cell to the next is a number: the first one's, shifted, and the second one's."""


def row_of(cell: int) -> int:
    """The row of a cell, from 0."""
    return cell // WIDTH


def column_of(cell: int) -> int:
    """The number in a cell's name, from 0."""
    return cell % WIDTH


CELLS = tuple(cell for cell in range(WIDTH * WIDTH) if abs(row_of(cell) - column_of(cell)) < SIDE)
"""The 91 cells of the hexagon."""


def bits(cells: Iterable[int]) -> int:
    """Some cells as a set."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


BOARD = bits(CELLS)
NEIGHBOURS = tuple(
    tuple(cell + step for step in STEPS if cell + step >= 0 and BOARD >> cell + step & 1)
    for cell in range(WIDTH * WIDTH)
)
"""For every cell its neighbours on the hexagon, in order."""
NEAR = tuple(bits(cells) for cells in NEIGHBOURS)
"""The same as sets."""
BORDER = bits(cell for cell in CELLS if len(NEIGHBOURS[cell]) < len(STEPS))


def members(cells: int) -> Iterator[int]:
    """The cells of a set, in order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def trail_of(ants: int, ant: int) -> int:
    """The ants joined to an ant, itself among them."""
    trail, newest = 0, 1 << ant
    while newest:
        trail |= newest
        around = newest << 1 | newest >> 1 | newest << WIDTH | newest >> WIDTH
        around |= newest << WIDTH + 1 | newest >> WIDTH + 1
        newest = around & ants & ~trail
    return trail


@lru_cache(maxsize=1 << 10)
def trails(ants: int) -> tuple[int, ...]:
    """All trails of a colour, in the order of their first cells."""
    found = []
    while ants:
        trail = trail_of(ants, (ants & -ants).bit_length() - 1)
        found.append(trail)
        ants &= ~trail
    return tuple(found)


def longest(ants: int) -> int:
    """How many ants the longest trail has (TRAILS-SCORE-1)."""
    return max(map(int.bit_count, trails(ants)), default=0)


class Trails:
    """The trails of one colour as they grow: what placing and carrying ask, worked out ant by ant (`bench/`)."""

    __slots__ = ("_barred", "_beside", "_beside_two", "_linked", "_ways", "ants", "full", "open")

    def __init__(self, ants: int) -> None:
        self.ants = ants
        one = two = three = 0
        for near in (ants << 1, ants >> 1, ants << WIDTH, ants >> WIDTH, ants << WIDTH + 1, ants >> WIDTH + 1):
            three |= two & near
            two |= one & near
            one |= near
        self._beside, self._beside_two = one, two
        self._linked = ants & one
        self.full = ants & two
        """The ants that are no end of a trail, for they have two neighbours (TRAILS-PLACE-2)."""
        self._barred = three
        for ant in members(self.full):
            self._barred |= NEAR[ant]
        self.open = BORDER & ~one | one & ~self._barred
        """The cells that an ant may go to, were they empty: by the number of ants beside them (TRAILS-PLACE-2)."""
        self._ways: dict[int, int] = {}

    def place(self, cell: int) -> None:
        """An ant more, on one of the open cells."""
        near, ant = NEAR[cell], 1 << cell
        beside, one, two = self.ants & near, self._beside, self._beside_two
        self.ants |= ant
        barred = self._barred | two & near
        self._beside_two = two | one & near
        self._beside = one = one | near
        if beside:
            full = beside & self._linked | (ant if beside & beside - 1 else 0)
            self._linked |= beside | ant
            self.full |= full
            while full:
                lowest = full & -full
                barred |= NEAR[lowest.bit_length() - 1]
                full ^= lowest
        self._barred = barred
        self.open = BORDER & ~one | one & ~barred

    def end_of_way(self, ant: int, following: int) -> int:
        """The end of a trail to which one comes from an ant by way of the next; NOWHERE in a loop.

        Ways only become longer, so how far one led before is where the next look begins.
        """
        ants, ways, first = self.ants, self._ways, ant << _SHIFT | following
        step, passed = first, [first]
        while True:
            step = ways.get(step, step)
            here = step & _CELL
            onward = ants & NEAR[here] & ~(1 << (step >> _SHIFT))
            if not onward:
                break
            step = here << _SHIFT | onward.bit_length() - 1
            if step == first or len(passed) > len(CELLS):
                return NOWHERE
            passed.append(step)
        for one in passed:
            ways[one] = step
        return here
