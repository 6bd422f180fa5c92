"""The cells, the paths between them, and the cards: only geometry, no rules.

A set of cells is the bits of a number, so a path is free when it has no bit in common with the occupied cells.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

COLUMNS, ROWS = "abcde", 8
WIDTH = len(COLUMNS)

NAMES = tuple(f"{column}{row}" for row in range(1, ROWS + 1) for column in COLUMNS)
"""The cells' names. A cell is its place in this row: along row 1 from the west, then row 2 (ARMY-BOARD-1)."""
CELLS = {name: cell for cell, name in enumerate(NAMES)}

SIDES = "NESW"
NORTH, EAST, SOUTH, WEST = range(4)
STEP = (WIDTH, 1, -WIDTH, -1)
"""How far a cell's number is from that of its neighbour to each side."""
FURTHEST = ROWS - 1
"""The most cells that a march goes (ARMY-MARCH-1)."""

RED, BLACK = range(2)
HALF = len(NAMES) // 2
"""Cells of a side. Those of red come first."""
HOME = ((1 << HALF) - 1, (1 << 2 * HALF) - (1 << HALF))
"""The side of each colony."""
FRONT = (HOME[RED] & ~(HOME[RED] >> WIDTH), HOME[BLACK] & ~(HOME[BLACK] << WIDTH))
"""The row of each colony that faces the other's."""
GAP = (CELLS["c1"], CELLS["c8"])
"""The cell of each back row that is dealt empty."""

RANKS = "QA23456789"
"""From the lowest to the highest (ARMY-BOARD-2)."""
QUEEN: Final = 0
COLONY = 19
"""Cards of a colony: its queen, then two of each rank."""
NOTHING: Final = 0
"""What lies on an empty cell. Cards are numbered from 1: red's, by rank and as they were dealt, then black's."""
RANK = bytes([0, *((number % COLONY + 1) // 2 for number in range(2 * COLONY))])
"""The rank of each card, as its place in RANKS."""
DEALT = {
    (seat, letter): [card for card in range(seat * COLONY + 1, (seat + 1) * COLONY + 1) if RANK[card] == rank]
    for seat in (RED, BLACK)
    for rank, letter in enumerate(RANKS)
}
"""The numbers of the cards of each colony and rank."""
LETTER = bytes([ord("."), *(ord(RANKS[rank]) for rank in RANK[1:])]).ljust(256, b"?")
"""Turns the cards of some cells into their ranks' letters."""
OWNER = (b"." + b"r" * COLONY + b"b" * COLONY).ljust(256, b"?")
"""Turns the cards of some cells into their owners' letters."""

OFF = -1
"""The bits of a way that leads off the board or nowhere: it shares a cell with whatever lies on the board."""


def queen_of(seat: int) -> int:
    """Return the number of a colony's queen."""
    return 1 + seat * COLONY


def owner_of(card: int) -> int:
    """Return the colony of a card."""
    return RED if card <= COLONY else BLACK


def side_of(cell: int) -> int:
    """Return the colony on whose side a cell lies."""
    return RED if HOME[RED] >> cell & 1 else BLACK


def cells_of(bits: int) -> list[int]:
    """Return the cells of a set, in the order of their numbers."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def bits_of(cells: list[int]) -> int:
    """Return some cells as a set."""
    return sum(1 << cell for cell in set(cells))


@cache
def place_of(cell: int) -> tuple[int, int]:
    """Return a cell's column and row, both counted from 0 in the south-west."""
    return cell % WIDTH, cell // WIDTH


@cache
def beside(one: int, other: int) -> bool:
    """Return whether two cells touch, at a side or at a corner."""
    (a, b), (c, d) = place_of(one), place_of(other)
    return max(abs(a - c), abs(b - d)) == 1


@cache
def line(start: int, end: int) -> tuple[int, ...]:
    """Return the cells from one to another along a row or a column, both included; none if they share neither."""
    (a, b), (c, d) = place_of(start), place_of(end)
    if a != c and b != d:
        return ()
    step = ((c > a) - (c < a)) + ((d > b) - (d < b)) * WIDTH
    return tuple(range(start, end + step, step)) if step else (start,)


@cache
def between(start: int, end: int) -> int:
    """Return the cells strictly between two; OFF when they are not in one row or column."""
    way = line(start, end)
    return bits_of([*way[1:-1]]) if way else OFF


@cache
def corners(start: int, end: int) -> tuple[int, int]:
    """Return where a card turns if it moves along its row first, and if along its column first."""
    (a, b), (c, d) = place_of(start), place_of(end)
    return c + b * WIDTH, a + d * WIDTH


@cache
def courses(start: int, end: int) -> tuple[int, int]:
    """Return the cells that a card passes and reaches, moving along its row first, and along its column first."""
    row, column = (
        bits_of([*line(start, corner), *line(corner, end)]) & ~(1 << start) for corner in corners(start, end)
    )
    return row, column


@cache
def further(cell: int, side: int, steps: int) -> int | None:
    """Return the cell some steps away; None if that is off the board."""
    column, row = place_of(cell)
    column += steps * ((side == EAST) - (side == WEST))
    row += steps * ((side == NORTH) - (side == SOUTH))
    return column + row * WIDTH if 0 <= column < WIDTH and 0 <= row < ROWS else None


@cache
def rays(cell: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each direction, the cells up to the edge, the nearest first."""
    ways = ([further(cell, side, steps) for steps in range(1, ROWS)] for side in range(len(SIDES)))
    return tuple(tuple(reached for reached in way if reached is not None) for way in ways)


Way = tuple[int, bool]
"""The cells from one to the edge of the board, as bits, and whether the lowest bit is the nearest of them."""


@cache
def ways(cell: int) -> tuple[Way, ...]:
    """Return the same cells as `rays`, as bits."""
    return tuple((bits_of([*way]), side in (NORTH, EAST)) for side, way in enumerate(rays(cell)))


def first_on(way: Way, cells: int) -> int:
    """Return the first of some cells on a path, as its bit; 0 if there is none."""
    cells, nearest_is_lowest = cells & way[0], way[1]
    return cells & -cells if nearest_is_lowest or not cells else 1 << cells.bit_length() - 1


EVERYWHERE: Final = (1 << WIDTH * ROWS) - 1
"""All cells."""
_EAST_EDGE: Final = sum(1 << row * WIDTH + WIDTH - 1 for row in range(ROWS))
_NOT_EAST: Final = EVERYWHERE & ~_EAST_EDGE
_NOT_WEST: Final = EVERYWHERE & ~(_EAST_EDGE >> WIDTH - 1)


def reached(begin: i64, empty: i64) -> int:
    """Return the cells to which a path of empty cells, neighbours by a side, leads from some cells (ARMY-OUT-1)."""
    free: i64 = empty & ~begin
    found: i64 = 0
    grown: i64 = begin
    while grown:
        grown = (grown << 5 | grown >> 5 | (grown & _NOT_EAST) << 1 | (grown & _NOT_WEST) >> 1) & free & ~found
        found |= grown
    return found


def shortest_path(start: int, end: int, empty: int) -> list[int]:
    """Return the cells of a shortest path from a cell over empty ones, both ends included; none if there is no path."""
    paths = {start: [start]}
    newest = [start]
    while newest and end not in paths:
        newest = [
            other
            for cell in newest
            for ray in rays(cell)
            for other in ray[:1]
            if empty >> other & 1 and paths.setdefault(other, path := [*paths[cell], other]) is path
        ]
    return paths.get(end, [])


@cache
def neighbours_after(cell: int) -> tuple[int, ...]:
    """Return the cells that touch one and come after it, by column and then by row."""
    after = (other for other in range(len(NAMES)) if beside(cell, other) and place_of(other) > place_of(cell))
    return tuple(sorted(after, key=place_of))


@cache
def swept(run: tuple[int, ...], side: int, steps: int) -> int:
    """Return the cells that a marching run passes or reaches, without its own; OFF if it leaves the board."""
    reached = [further(cell, side, step) for cell in run for step in range(1, steps + 1)]
    if None in reached:
        return OFF
    return bits_of([cell for cell in reached if cell is not None and cell not in run])
