"""The traces of the last action of Atta Ants: the path walked, and a frame where it ended."""

from itertools import pairwise
from math import cos, pi, sin

from engine.atta_ants.board import SIDES, STEP, Cell
from engine.atta_ants.scene.drawings import HALF, PITCH
from engine.atta_ants.scene.layout import centre
from engine.atta_ants.state import COLONY, Action, AntMove, Placing, SpiderStep, State
from engine.scene.values import Point, Trace

_FRAME = HALF - 2.5
_CORNER = 6


def traces(state: State, before: State | None, action: Action | None) -> tuple[Trace, ...]:
    """Return the traces of the action that led from one position to the other."""
    if before is None:
        return ()
    match action:
        case Placing(_, (x, y)):
            return (_frame((x, y)),)
        case AntMove(ant, parts):
            return _walk(state, before, ant, "".join(part for part in parts if part in SIDES))
        case SpiderStep(number, side) if state.spiders == before.spiders:
            return (_choice(state.board.cells[state.spiders[number - 1]], side),)
    return _hunt(state, before)


def _walk(state: State, before: State, ant: str, steps: str) -> tuple[Trace, ...]:
    number = next(number for number in range(len(state.ants)) if state.table.ant_name(number) == ant)
    cells = [before.board.cells[before.ants[number]]]
    for step in steps:
        dx, dy = STEP[SIDES.index(step)]
        cells.append((cells[-1][0] + dx, cells[-1][1] + dy))
    frame = _frame(cells[-1])
    return (Trace("path", course(cells, steps), (ant, f"leaf:{ant}")), frame) if steps else (frame,)


def course(cells: list[Cell], steps: str) -> tuple[Point, ...]:
    """Return the path from centre to centre; it follows the bends of the trail, so that ants stay on it."""
    points = [centre(cells[0])]
    for here, there in pairwise(cells):
        points.append(_between(centre(here), centre(there)))
    if len(steps) > 1 and cells[0] != cells[2]:
        points[2:2] = _bend(points[1], centre(cells[1]), points[2])
    return (*points, centre(cells[-1]))


def _between(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _bend(start: Point, middle: Point, end: Point) -> list[Point]:
    """Return points of the curve between two sides of a card; for a straight line, its middle."""
    shares = [(1 - k / 4, k / 4) for k in (1, 2, 3)]
    return [
        tuple(s * s * a + 2 * s * t * m + t * t * b for a, m, b in zip(start, middle, end, strict=True))  # type: ignore[misc]
        for s, t in shares
    ]


def _choice(cell: Cell, side: str) -> Trace:
    """Return the step chosen for a spider that still waits for the others."""
    (x, y), (dx, dy) = centre(cell), STEP[SIDES.index(side)]
    return Trace("path", ((x, y), (x + dx * PITCH / 2, y - dy * PITCH / 2)))


def _hunt(state: State, before: State) -> tuple[Trace, ...]:
    """Return the paths of the spiders that moved, and frames around the cards on which they ate."""
    cells = state.board.cells
    moves = zip(before.spiders, state.spiders, strict=False)
    ways = [
        Trace("path", (centre(cells[old]), centre(cells[new])), (f"S{number}",))
        for number, (old, new) in enumerate(moves, 1)
        if old != new
    ]
    if not ways:
        return ()
    return (*ways, *(_frame(cells[slot]) for slot in sorted({before.ants[ant] for ant in eaten(state, before)})))


def eaten(state: State, before: State) -> list[int]:
    """Return the ants that spiders ate between two positions; a colony that left took its ants with it."""
    gone = [ant for ant, (old, new) in enumerate(zip(before.ants, state.ants, strict=True)) if new < 0 <= old]
    left = state.left[len(before.left) :]
    return [ant for ant in gone if ant // COLONY not in left]


def _frame(cell: Cell) -> Trace:
    """Return a rounded square just within a card."""
    x, y = centre(cell)
    inner = _FRAME - _CORNER
    points = [
        (x + sx * inner + _CORNER * cos(angle), y + sy * inner + _CORNER * sin(angle))
        for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)))
        for angle in (quarter * pi / 2 + k * pi / 6 for k in range(4))
    ]
    return Trace("frame", (*points, points[0]))
