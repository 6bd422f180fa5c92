"""Which action of Ant Trails somebody meant who touched what cannot be touched."""

from collections.abc import Iterator, Sequence

from engine.ant_trails.board import NAMES, NEIGHBOURS, NOWHERE
from engine.ant_trails.rules.refusals import has_moved, no_ant_beside
from engine.ant_trails.state import PLACE, State
from engine.touches import Meant

_CELLS = {name: cell for cell, name in enumerate(NAMES)}


def meant(state: State, before: Sequence[str], target: str, _: str | None) -> Iterator[Meant]:
    """Yield the actions that may have been meant, the likeliest first, or why nothing can be meant.

    :param before: the tile that was touched before, if one was.
    """
    cell = _cell_of(state, target)
    begin = _cell_of(state, before[0]) if before else None
    if cell is None:
        return
    if begin is not None:
        if begin != cell:
            yield f"{NAMES[begin]}>{NAMES[cell]}"
    elif target.startswith("tile:"):
        yield from _of_tile(state, cell)
    else:
        yield NAMES[cell]


def _cell_of(state: State, target: str) -> int | None:
    kind, _, name = target.partition(":")
    if kind == "tile" and name.isdecimal() and 0 < int(name) <= len(state.tiles):
        cell = state.tiles[int(name) - 1]
        return None if cell == NOWHERE else cell
    return _CELLS.get(name)


def _of_tile(state: State, cell: int) -> Iterator[Meant]:
    """Yield where a tile that cannot move could have gone: to the player's own ants beside it."""
    own, others = state.ants[state.seat], state.ants[1 - state.seat]
    if state.phase != PLACE and state.moved >> state.tiles.index(cell) & 1:
        yield has_moved(cell)
    beside = [other for other in NEIGHBOURS[cell] if own >> other & 1]
    yield from (f"{NAMES[cell]}>{NAMES[other]}" for other in beside)
    if state.phase == PLACE or others >> cell & 1:
        yield from (f"{NAMES[cell]}>{NAMES[other]}" for other in NEIGHBOURS[cell])
    yield no_ant_beside(cell)


__all__ = ["meant"]
