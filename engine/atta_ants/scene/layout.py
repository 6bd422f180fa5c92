"""Where things stand on the cards of Atta Ants, and which way they look."""

from functools import lru_cache
from math import atan2, ceil, cos, degrees, radians, sin, sqrt

from engine.atta_ants.board import NEST, Cell
from engine.atta_ants.scene.drawings import HALF, HOME_HEIGHT, HOME_WIDTH, PITCH
from engine.atta_ants.state import COLONY, State
from engine.scene.drawing import ANT_MIDDLE, ANT_REACH, SMALL_ANT_MIDDLE, SMALL_ANT_REACH
from engine.scene.values import Point

_CROWDS: tuple[tuple[float, tuple[Point, ...]], ...] = (
    (27.8, ((0, 0),)),
    (27.8, ((20, -20), (-20, 20))),
    (21.0, ((-5, -27), (27, 1), (-14, 17))),
    (19.7, ((0, -28), (-28, 0), (28, 0), (0, 28))),
    (17.9, ((-7, -29), (29, -29), (-29, 0), (20, 6), (-8, 29))),
    (16.9, ((-4, -30), (30, -30), (-30, -4), (28, 4), (4, 28), (-30, 30))),
    (15.5, ((-9, -31), (28, -31), (-31, -9), (0, 0), (31, 5), (-29, 26), (5, 31))),
    (16.0, ((-32, -32), (0, -32), (32, -28), (-32, 0), (0, 0), (32, 4), (-28, 32), (4, 32))),
    (14.0, ((-33, -33), (-5, -33), (28, -33), (11, -10), (-33, -5), (-9, 11), (33, 9), (-30, 30), (9, 33))),
    (13.4, ((-34, -34), (5, -34), (32, -31), (-15, -14), (12, -7), (-34, 6), (-7, 12), (34, 9), (-30, 34), (9, 34))),
    (13.0, ((-34, -34), (11, -34), (-12, -20), (34, -21), (12, -7), (-34, -6), (-11, 7),
            (34, 7), (-34, 21), (12, 21), (-11, 34))),
    (12.7, ((-35, -35), (9, -35), (35, -35), (-13, -22), (-35, -9), (9, -9), (35, -9), (-35, 17),
            (-4, 13), (22, 13), (-17, 35), (9, 35))),
)  # fmt: skip
"""For one to twelve ants on a card: how far each reaches about its middle, and the middles.

They are the widest places in a square from which the corner of loose leaves, in the south-east, is cut, and up to seven
leave the printed symbol in the north-west free as well.
"""

_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""The directions of the corners of the nest, one for each colony in the order of the seats."""

SMALLEST = 15
"""With a shorter reach than this, ants are drawn as little more than their numbers."""

LEAVES: tuple[tuple[float, float, float], ...] = ((22.5, 37, 24), (37.5, 22, 66))
"""Where the loose leaves of a card lie that are shown apart, and how they are turned."""
LEAF_COUNT: Point = (37, 37)
"""Where their number stands when there are more."""


@lru_cache
def crowd(count: int) -> tuple[float, tuple[Point, ...]]:
    """Return the places of ants that share a card: the radius that each may take, and their middles."""
    if count <= len(_CROWDS):
        return _CROWDS[count - 1]
    columns = ceil(sqrt(count + 1))
    rows = ceil((count + 1) / columns)
    places = [(_step(column, columns), _step(row, rows)) for row in range(rows) for column in range(columns)]
    return HALF / columns * 0.98, tuple(places[:-1])


def _step(number: int, count: int) -> float:
    """Return the middle of one of several equal parts of a card's width."""
    return round((2 * number + 1 - count) * HALF / count, 1)


def nest_crowd(ants: list[int]) -> tuple[float, tuple[Point, ...]]:
    """Return the same for the nest: the ants of a colony share its corner, and neither moves when the other leaves."""
    taken: list[int] = []
    for ant in ants:
        place = ant // COLONY * 2 + ant % 2
        taken.append(place ^ 1 if place in taken else place)
    return HOME_WIDTH / 2, tuple(_at_home(*divmod(place, 2)) for place in taken)


def _at_home(seat: int, second: int) -> Point:
    across, along = _CORNERS[seat]
    beside = second if across < 0 else 1 - second
    return across * (HALF - HOME_WIDTH * (beside + 0.5)), along * (HALF - HOME_HEIGHT / 2)


def centre(cell: Cell) -> Point:
    """Return the middle of a card in scene units."""
    return cell[0] * PITCH, -cell[1] * PITCH


def ant_places(state: State) -> dict[int, tuple[float, Point]]:
    """Return, for each ant in play, its radius and its middle."""
    there: dict[int, list[int]] = {}
    for ant, slot in enumerate(state.ants):
        if slot >= NEST:
            there.setdefault(slot, []).append(ant)
    found = {}
    for slot, ants in there.items():
        x, y = centre(state.board.cells[slot])
        reach, middles = nest_crowd(ants) if slot == NEST else crowd(len(ants))
        for ant, (dx, dy) in zip(ants, middles, strict=False):
            found[ant] = reach, (x + dx, y + dy)
    return found


def heading(point: Point, *, home: bool) -> float:
    """Return the heading of an ant whose last step is unknown: away from the nest or towards it, in degrees."""
    x, y = point
    outward = degrees(atan2(x, -y)) if x or y else 0
    return round((outward + 180 * home) % 360, 1)


def ant_stands(middle: Point, reach: float, turn: float) -> tuple[str, float, float, float]:
    """Return the drawing, the origin and the size of an ant, from its middle, its radius and its heading."""
    small = reach < SMALLEST
    symbol, ahead, full = ("ant-small", SMALL_ANT_MIDDLE, SMALL_ANT_REACH) if small else ("ant", ANT_MIDDLE, ANT_REACH)
    size = round(reach / full, 3)
    angle = radians(turn)
    x, y = middle
    return symbol, round(x - sin(angle) * ahead * size, 1), round(y + cos(angle) * ahead * size, 1), size
