"""Where the cells of Army Ants lie in the picture."""

from functools import cache

from engine.army_ants.board import COLUMNS, NAMES, ROWS, WIDTH, place_of
from engine.army_ants.scene.drawings import CELL_HEIGHT, CELL_WIDTH, FRONTIER, FRONTIER_WIDTH, GAP
from engine.scene.values import Box, Label, Point

PITCH_X, PITCH_Y = CELL_WIDTH + GAP, CELL_HEIGHT + GAP
"""From a cell to the next."""


@cache
def centre(cell: int) -> Point:
    """Return the middle of a cell; that of the frontier is the picture's origin."""
    column, row = place_of(cell)
    north = (row - (ROWS - 1) / 2) * PITCH_Y + (FRONTIER / 2 if 2 * row >= ROWS else -FRONTIER / 2)
    return (column - (WIDTH - 1) / 2) * PITCH_X, -north


_WIDE = FRONTIER_WIDTH + 2
_HIGH = ROWS * PITCH_Y - GAP + FRONTIER + 2
BOX = Box(-_WIDE / 2, -_HIGH / 2, _WIDE, _HIGH)

LABELS = frozenset((
    *(Label(name, centre(column)[0], None) for column, name in enumerate(COLUMNS)),
    *(Label(str(row + 1), None, centre(row * WIDTH)[1]) for row in range(len(NAMES) // WIDTH)),
))  # fmt: skip
"""The letters of the columns at the foot, the numbers of the rows at the left."""
