"""The traces of the last action of Army Ants: the paths taken, and frames where they ended."""

from functools import cache
from math import cos, pi, sin

from engine.army_ants.board import (
    BLACK,
    EAST,
    EVERYWHERE,
    GAP,
    RED,
    STEP,
    WEST,
    WIDTH,
    corners,
    queen_of,
    shortest_path,
)
from engine.army_ants.scene.drawings import CELL_HEIGHT, CELL_WIDTH
from engine.army_ants.scene.layout import centre
from engine.army_ants.scene.names import name_of
from engine.army_ants.state import Action, Attack, Gambit, March, MoveOut, State, Swap
from engine.scene.values import Point, Trace

_INSET = 2.5
_CORNER = 6


def traces(before: State | None, action: Action | None) -> tuple[Trace, ...]:
    """Return the traces of an action from a position."""
    if before is None:
        return ()
    match action:
        case Swap(one, other):
            return (_path(one, other), _frame(one), _frame(other))
        case March():
            return _march(action)
        case MoveOut(_, end):
            return (_way_out(before, action), _frame(end))
        case Attack(start, end):
            return (_path(start, end), _frame(end))
    return _gambit(before) if isinstance(action, Gambit) else ()


def _gambit(before: State) -> tuple[Trace, ...]:
    gap = GAP[before.seat]
    return (_path(before.cards.index(queen_of(before.seat)), gap), _frame(gap))


@cache
def _path(start: int, end: int) -> Trace:
    return Trace("path", (centre(start), centre(end)))


def _march(action: March) -> tuple[Trace, ...]:
    """Return a path for each card of a run that moves abreast, one path for cards in a file, and a frame around all."""
    run, shift = action.run, STEP[action.side] * action.steps
    landed = _frame(run[0] + shift, run[-1] + shift)
    in_file = (action.side in (EAST, WEST)) == (run[-1] - run[0] < WIDTH)
    if len(run) == 1 or not in_file:
        return (*(_path(cell, cell + shift) for cell in run), landed)
    rear, front = (run[0], run[-1]) if shift > 0 else (run[-1], run[0])
    return (_path(rear, front + shift), landed)


def _way_out(before: State, action: MoveOut) -> Trace:
    """Return the path by the row first, by the column first where only that is free, or else the shortest one."""
    start, end = action.start, action.end
    row_first, column_first = corners(start, end)
    held = before.held[RED] | before.held[BLACK]
    corner = column_first if action.by_row & held else row_first
    cells = [start, end] if corner in (start, end) else [start, corner, end]
    if action.by_row & held and action.by_column & held:
        cells = shortest_path(start, end, EVERYWHERE & ~held)
    return Trace("path", tuple(map(centre, cells)), (name_of(before.cards[start]),))


@cache
def _frame(first: int, last: int | None = None) -> Trace:
    """Return a rounded rectangle just within a cell, or within a row of cells from the south-west one."""
    (west, south), (east, north) = centre(first), centre(first if last is None else last)
    across, along = CELL_WIDTH / 2 - _INSET - _CORNER, CELL_HEIGHT / 2 - _INSET - _CORNER
    edges = (
        (east + across, south + along),
        (west - across, south + along),
        (west - across, north - along),
        (east + across, north - along),
    )
    points: list[Point] = [
        (x + _CORNER * cos(angle), y + _CORNER * sin(angle))
        for quarter, (x, y) in enumerate(edges)
        for angle in (quarter * pi / 2 + step * pi / 6 for step in range(4))
    ]
    return Trace("frame", (*points, points[0]))
