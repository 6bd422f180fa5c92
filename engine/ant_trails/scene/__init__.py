"""What a position of Ant Trails looks like; nothing else decides that."""

from collections.abc import Iterator
from functools import lru_cache, partial

from engine.ant_trails.board import CELLS, NAMES, NEIGHBOURS, members, trails
from engine.ant_trails.scene.captions import COLOURS, caption
from engine.ant_trails.scene.drawings import CARRIED, LYING, draw, symbol_of
from engine.ant_trails.scene.layout import BOX, LABELS, centre, heading
from engine.ant_trails.scene.picture import picture, text
from engine.ant_trails.scene.traces import tile_id, traces
from engine.ant_trails.scene.trays import COUNTS, sheets, trays
from engine.ant_trails.state import COLLECTED, Action, State, player
from engine.scene.drawing import LIGHT
from engine.scene.values import GROUND, LOOSE, TOP, WALKING, Piece, Scene, in_order
from engine.shown import Headings
from engine.words import marked, words

SHAPES = ("round", "square")
"""Seats differ in shape as well as in colour."""
_OUTLINED = 2
"""From so many ants on, a longest trail is outlined: single ants would all be."""
_KEPT = 1 << 12


def scene(
    state: State,
    before: State | None = None,
    action: Action | None = None,
    *,
    token: str = "",
    headings: Headings | None = None,  # noqa: ARG001 (here no piece turns)
) -> Scene:
    """Return the picture of a position.

    :param before: the position before it; none for the first.
    :param action: the action that led here; none when a seat left or both agreed to a draw, as the token says.
    """
    ants = [piece for seat in range(len(SHAPES)) for piece in _ants_of(state.ants[seat], seat)]
    return Scene(
        box=BOX,
        pieces=in_order([*cell_pieces(), *ants, *_tiles(state)]),
        draw=draw,
        traces=traces(before, action),
        trays=trays(state),
        labels=LABELS,
        caption=caption(before, action, state, token),
        token=token,
        write=partial(text, state),
    )


@lru_cache
def cell_pieces() -> tuple[Piece, ...]:
    return tuple(
        Piece(
            f"cell:{NAMES[cell]}", symbol_of(cell), *centre(cell), GROUND, title=words("Cell {cell}", cell=NAMES[cell])
        )
        for cell in CELLS
    )


# Ants and trails


@lru_cache(maxsize=_KEPT)
def _ants_of(ants: int, seat: int) -> tuple[Piece, ...]:
    """Return the ants of a seat, the bands that join them, and the outlines of its longest trails."""
    pieces = [_ant(ant, seat) for ant in members(ants)]
    pieces += [_link(ant, other, seat) for ant, other in _joined(ants)]
    most = max(map(int.bit_count, trails(ants)), default=0)
    if most >= _OUTLINED:
        pieces += [rim for trail in trails(ants) if trail.bit_count() == most for rim in _rims(trail, seat)]
    return tuple(pieces)


def _joined(ants: int) -> Iterator[tuple[int, int]]:
    """Yield every pair of adjacent ants of one colour."""
    for ant in members(ants):
        yield from ((ant, other) for other in NEIGHBOURS[ant] if other > ant and ants >> other & 1)


def _rims(trail: int, seat: int) -> Iterator[Piece]:
    yield from (_rim(ant, seat) for ant in members(trail))
    yield from (_rim_link(ant, other) for ant, other in _joined(trail))


@lru_cache(maxsize=_KEPT)
def _ant(cell: int, seat: int) -> Piece:
    title = words("{player} ant at {cell}", player=player(seat), cell=NAMES[cell])
    classes = "ant", f"seat-{COLOURS[seat]}"
    return Piece(f"ant:{NAMES[cell]}", f"ant-{SHAPES[seat]}", *centre(cell), WALKING, classes=classes, title=title)


@lru_cache(maxsize=_KEPT)
def _link(ant: int, other: int, seat: int) -> Piece:
    return _between("link", ant, other, "link", LOOSE, ("link", f"seat-{COLOURS[seat]}"))


@lru_cache(maxsize=_KEPT)
def _rim(cell: int, seat: int) -> Piece:
    return Piece(f"rim:{NAMES[cell]}", f"rim-{SHAPES[seat]}", *centre(cell), GROUND, classes=("longest",))


@lru_cache(maxsize=_KEPT)
def _rim_link(ant: int, other: int) -> Piece:
    return _between("rim", ant, other, "rim-link", GROUND, ("longest",))


def _between(prefix: str, ant: int, other: int, symbol: str, layer: int, classes: tuple[str, ...]) -> Piece:
    (x, y), (u, v) = centre(ant), centre(other)
    name = f"{prefix}:{NAMES[ant]}-{NAMES[other]}"
    middle = round((x + u) / 2, 1), round((y + v) / 2, 1)
    return Piece(name, symbol, *middle, layer, heading(ant, other) % 180, classes=classes)


# Tiles


def _tiles(state: State) -> list[Piece]:
    taken = state.ants[0] | state.ants[1]
    return [
        tile_piece(tile, cell, state.table.points[tile], carried=bool(taken >> cell & 1))
        for tile, cell in enumerate(state.tiles)
        if cell != COLLECTED
    ]


@lru_cache(maxsize=_KEPT)
def tile_piece(tile: int, cell: int, points: int, *, carried: bool) -> Piece:
    """Return a tile. Lying or carried, it is in the same layer, so that it is one moving piece."""
    title = words(marked("Tile of {points} carried at {cell}") if carried else marked("Tile of {points} at {cell}"),
                  points=points, cell=NAMES[cell])  # fmt: skip
    size, classes = (CARRIED, ("tile", "carried", LIGHT)) if carried else (LYING, ("tile", LIGHT))
    return Piece(tile_id(tile), "tile", *centre(cell), TOP, size=size, classes=classes, text=str(points), title=title)


__all__ = ["COUNTS", "caption", "draw", "picture", "scene", "sheets"]
