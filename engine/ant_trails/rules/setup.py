"""How a game of Ant Trails begins."""

from itertools import pairwise

from engine.ant_trails.board import BOARD, BORDER, NAMES, NEAR, bits
from engine.ant_trails.state import PLACE, State, Table
from engine.ruleset import TagError
from engine.words import marked

_INNER = [bool(BOARD >> cell & ~BORDER >> cell & 1) for cell in range(len(NAMES))]
"""For each cell whether a tile may lie on it at first."""
_make = tuple.__new__
TILES_WORTH = [1] * 4 + [2] * 4 + [3] * 4
"""What the tiles are worth, the least first (TRAILS-SETUP-1)."""


def start(tiles: tuple[tuple[int, int], ...]) -> State:
    """Return the position before the first ant: twelve tiles on an empty board, and black begins (TRAILS-TURN-1).

    :param tiles: the cell and the points of each.
    :raises TagError: when they do not lie as TRAILS-SETUP-1 says, or not on the board (TRAILS-BOARD-1).
    """
    cells = tuple([cell for cell, _ in tiles])
    _check_cells(cells)
    points = tuple([worth for _, worth in tiles])
    if sorted(points) != TILES_WORTH:
        raise TagError("Setup", "TRAILS-SETUP-1", "Setup must have four tiles worth 3, four worth 2 and four worth 1.")
    return _make(State, (Table(points), PLACE, 0, 1, 0, (0, 0), cells, 0, ((), ()), 0, None))


def _check_cells(cells: tuple[int, ...]) -> None:
    taken, near, before = bits(cells), 0, -1
    for cell in cells:
        if cell <= before or not _INNER[cell]:
            raise _wrong_cell(cells)
        near |= NEAR[cell]
        before = cell
    if taken & near:
        raise _wrong_cell(cells)


def _wrong_cell(cells: tuple[int, ...]) -> TagError:
    """Return what is wrong with the first tile that lies where it must not, or else with the order."""
    taken = bits(cells)
    for cell in cells:
        if not BOARD >> cell & 1:
            return TagError("Setup", "TRAILS-BOARD-1", "{cell} in Setup is not on the board.", cell=NAMES[cell])
        if BORDER >> cell & 1:
            return _wrong_setup(marked("Setup has a tile on {cell}, which is on the border."), cell)
        if taken & NEAR[cell]:
            return _wrong_setup(marked("Setup has another tile next to the one on {cell}."), cell)
    for before, cell in pairwise(cells):
        if cell == before:
            return _wrong_setup(marked("Setup has two tiles on {cell}."), cell)
        if cell < before:
            break
    return _wrong_setup(marked("The tile on {cell} is out of order: tiles are listed by row, then by number."), cell)


def _wrong_setup(template: str, cell: int) -> TagError:
    return TagError("Setup", "TRAILS-SETUP-1", template, cell=NAMES[cell])


__all__ = ["start"]
