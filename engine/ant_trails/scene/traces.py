"""The traces of the last action of Ant Trails: the path of a tile, a frame where something was placed or arrived."""

from engine.ant_trails.scene.layout import RADIUS, centre, hexagon
from engine.ant_trails.state import Action, Placing, State, TileMove
from engine.scene.values import Point, Trace

_FRAME = RADIUS - 5
_BEND = 0.33
"""How far a tile's way bends aside, as a share of its length, so that it is seen beside a trail."""
_PARTS = 8


def tile_id(tile: int) -> str:
    """Return the name of a tile's piece throughout a game."""
    return f"tile:{tile + 1:02}"


def traces(before: State | None, action: Action | None) -> tuple[Trace, ...]:
    """Return the traces of the action done in a position."""
    match action:
        case Placing(cell):
            return (_frame(cell),)
        case TileMove(start, end) if before:
            tile = tile_id(before.tiles.index(start))
            return Trace("path", _arc(centre(start), centre(end)), (tile,)), _frame(end)
    return ()


def _arc(start: Point, end: Point) -> tuple[Point, ...]:
    """Return an arc from centre to centre."""
    (x, y), (u, v) = start, end
    along, aside = (u - x, v - y), ((v - y) * _BEND, (x - u) * _BEND)
    shares = [(k / _PARTS, 4 * k * (_PARTS - k) / _PARTS**2) for k in range(_PARTS + 1)]
    return tuple((x + along[0] * far + aside[0] * out, y + along[1] * far + aside[1] * out) for far, out in shares)


def _frame(cell: int) -> Trace:
    corners = hexagon(_FRAME, centre(cell))
    return Trace("frame", (*corners, corners[0]))
