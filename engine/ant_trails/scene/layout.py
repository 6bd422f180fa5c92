"""Where the cells of Ant Trails lie in a picture: pointy hexagons, row a at the foot."""

from math import cos, pi, sin, sqrt

from engine.ant_trails.board import CELLS, ROWS, SIDE, STEPS, column_of, row_of
from engine.scene.values import Box, Label, Point

PITCH = 58
"""From a cell to its neighbours."""
RISE = PITCH * sqrt(3) / 2
"""From a row to the next."""
RADIUS = PITCH / sqrt(3)
"""From the middle of a cell to the corners that it shares with its neighbours."""
LABEL = PITCH / 2 + 13
"""From the middle of a cell to the label beside it."""

_MIDDLE = SIDE - 1
_LAST = 2 * _MIDDLE


def centre(cell: int) -> Point:
    """Return the middle of a cell; f6 lies at 0, 0."""
    row, column = row_of(cell) - _MIDDLE, column_of(cell) - _MIDDLE
    return round((column - row / 2) * PITCH, 1), round(-row * RISE, 1)


def heading(start: int, end: int) -> int:
    """Return the direction from a cell to its neighbour, in degrees clockwise from east."""
    return _HEADINGS[end - start]


_HEADINGS = dict(zip(STEPS, (120, 60, 180, 0, 240, 300), strict=True))


def hexagon(radius: float, at: Point = (0, 0)) -> list[Point]:
    """Return the corners of a pointy-topped hexagon, clockwise from the upper right."""
    x, y = at
    return [(x + radius * sin(turn), y - radius * cos(turn)) for turn in (pi * k / 3 for k in range(1, 7))]


def _box() -> Box:
    wide, high = PITCH * (_MIDDLE + 0.5) + 1, RISE * _MIDDLE + RADIUS + 1
    return Box(-wide, -round(high, 1), 2 * wide, round(2 * high, 1))


BOX = _box()


def _labels() -> frozenset[Label]:
    """Return the rows' letters at the left; each number where its column of cells ends, at the foot or at the right."""
    firsts = [min(cell for cell in CELLS if row_of(cell) == row) for row in range(_LAST + 1)]
    feet = [min(cell for cell in CELLS if column_of(cell) == column) for column in range(_LAST + 1)]
    letters = [Label(ROWS[row_of(cell)], *_beside(cell, pi)) for cell in firsts]
    return frozenset((*letters, *(Label(str(column_of(cell) + 1), *_beside(cell, pi / 3)) for cell in feet)))


def _beside(cell: int, turn: float) -> Point:
    x, y = centre(cell)
    return round(x + LABEL * cos(turn), 1), round(y + LABEL * sin(turn), 1)


LABELS = _labels()
