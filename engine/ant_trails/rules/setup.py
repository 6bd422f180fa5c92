"""How a game of Ant Trails begins."""

from itertools import pairwise

from engine.ant_trails.board import BOARD, BORDER, NAMES, NEAR, bits
from engine.ant_trails.state import PLACE, State, Table
from engine.ruleset import TagError
from engine.words import marked

TILES_WORTH = [1] * 4 + [2] * 4 + [3] * 4
"""What the tiles are worth, the least first (TRAILS-SETUP-1)."""


def start(tiles: tuple[tuple[int, int], ...]) -> State:
    """Return the position before the first ant: twelve tiles on an empty board, and black begins (TRAILS-TURN-1).

    :param tiles: the cell and the points of each.
    :raises TagError: when they do not lie as TRAILS-SETUP-1 says, or not on the board (TRAILS-BOARD-1).
    """
    cells = tuple(cell for cell, _ in tiles)
    _check_cells(cells)
    points = tuple(worth for _, worth in tiles)
    if sorted(points) != TILES_WORTH:
        raise TagError("Setup", "TRAILS-SETUP-1", "Setup must have four tiles worth 3, four worth 2 and four worth 1.")
    return State(
        table=Table(points), phase=PLACE, seat=0, pair=1, placed=0, ants=(0, 0), tiles=cells, moved=0,
        collected=((), ()), passes=0, outcome=None,
    )  # fmt: skip


def _check_cells(cells: tuple[int, ...]) -> None:
    taken = bits(cells)
    for cell in cells:
        if not BOARD >> cell & 1:
            raise TagError("Setup", "TRAILS-BOARD-1", "{cell} in Setup is not on the board.", cell=NAMES[cell])
        if BORDER >> cell & 1:
            raise _wrong_setup(marked("Setup has a tile on {cell}, which is on the border."), cell)
        if taken & NEAR[cell]:
            raise _wrong_setup(marked("Setup has another tile next to the one on {cell}."), cell)
    for before, cell in pairwise(cells):
        if cell == before:
            raise _wrong_setup(marked("Setup has two tiles on {cell}."), cell)
        if cell < before:
            raise _wrong_setup(
                marked("The tile on {cell} is out of order: tiles are listed by row, then by number."), cell
            )


def _wrong_setup(template: str, cell: int) -> TagError:
    return TagError("Setup", "TRAILS-SETUP-1", template, cell=NAMES[cell])


__all__ = ["start"]
