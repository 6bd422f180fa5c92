"""When two positions of Ant Trails are the same: also when the hexagon is turned or seen in a mirror."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from typing import Final

from engine.ant_trails.board import CELLS, NAMES, members
from engine.ant_trails.likeness import SYMMETRIES
from engine.ant_trails.rules.position import PASSES_THAT_END, Position
from engine.ant_trails.rules.steps import ANT, TILE, Step
from engine.ant_trails.state import ANTS_A_TURN, COLLECTED, OVER, SEATS, State
from engine.positions import PositionParts, Weights, beside_number

_AT: Final = "@"
_POINTS: Final = range(4)


def _seen(names: dict[str, str]) -> Callable[[str], str]:
    def seen(mark: str) -> str:
        what, _, cell = mark.partition(_AT)
        return f"{what}{_AT}{names[cell]}"

    return seen


_WEIGHTS: Final = Weights([_seen(symmetry.names) for symmetry in SYMMETRIES])


def _ant(seat: int, cell: int) -> str:
    return f"{SEATS[seat]}{_AT}{NAMES[cell]}"


def _tile(points: int, cell: int, *, moved: bool) -> str:
    return f"{points}{'moved' if moved else ''}{_AT}{NAMES[cell]}"


@cache
def _ants() -> tuple[dict[int, int], ...]:
    """Return what an ant weighs, by its seat and its cell."""
    return tuple([{cell: _WEIGHTS[_ant(seat, cell)] for cell in CELLS} for seat in range(len(SEATS))])


@cache
def _tiles(*, moved: bool) -> tuple[dict[int, int], ...]:
    """Return what a tile weighs that has moved in this turn, or has not, by its points and its cell."""
    return tuple([{cell: _WEIGHTS[_tile(points, cell, moved=moved)] for cell in CELLS} for points in _POINTS])


def _marks(state: State) -> Iterator[str]:
    for seat, ants in enumerate(state.ants):
        yield from (_ant(seat, cell) for cell in members(ants))
    for tile, (cell, points) in enumerate(zip(state.tiles, state.table.points, strict=True)):
        if cell != COLLECTED:
            yield _tile(points, cell, moved=bool(state.moved >> tile & 1))


def _beside(of: State | Position) -> tuple[Hashable, ...]:
    """Return whose turn it is and how many ants were placed in it; and the points of each seat.

    Whether tiles are moved already follows from the ants.
    """
    return OVER if of.phase == OVER else (of.seat, of.placed, of.passes), _collected(of)


def _collected(of: State | Position) -> tuple[int, ...]:
    """Return the points that each seat has collected."""
    points = of.table.points
    return tuple([sum([points[tile] for tile in tiles]) for tiles in of.collected])


def _total(state: State) -> int:
    """Return the sum of the weights of all marks."""
    weights, lying, moved = _ants(), _tiles(moved=False), _tiles(moved=True)
    total = 0
    for seat, ants in enumerate(state.ants):
        total += sum([weights[seat][cell] for cell in members(ants)])
    for tile, cell in enumerate(state.tiles):
        if cell != COLLECTED:
            points = state.table.points[tile]
            total += moved[points][cell] if state.moved >> tile & 1 else lying[points][cell]
    return total


def _along(state: State, steps: Sequence[Step], over: State | None) -> tuple[list[int], Callable[[], State]]:
    """Return the numbers of a position and of those after some legal actions, and what returns the last of them."""
    if steps:
        return _played(state, steps, over)
    # As after a seat has left: to find the trails would take longer than all the rest.
    return _WEIGHTS.numbers([_total(state)], [sum(map(beside_number, _beside(over or state)))]), lambda: state


def _played(state: State, steps: Sequence[Step], over: State | None) -> tuple[list[int], Callable[[], State]]:
    """Do what `_along` does, for one action at least."""
    position, points, turns = Position(state), state.table.points, _turns()
    ants, lying, moved = _ants(), _tiles(moved=False), _tiles(moved=True)
    total, collected = _total(state), beside_number(_collected(state))
    totals, besides = [total], [sum(map(beside_number, _beside(state)))]
    for step in steps:
        kind, begin, end = step.kind, step.begin, step.end
        if kind == ANT:
            total += ants[position.seat][begin]
            position.play((step,))
        elif kind == TILE:
            tile = position.lying[begin]
            position.play((step,))
            total -= lying[points[tile]][begin]
            if position.tiles[tile] != COLLECTED:
                total += moved[points[tile]][end]
            else:
                collected = beside_number(_collected(position))
        else:
            for tile in members(position.moved):
                if (cell := position.tiles[tile]) != COLLECTED:
                    total += lying[points[tile]][cell] - moved[points[tile]][cell]
            position.play((step,))
        totals.append(total)
        besides.append(turns[position.seat][position.placed][position.passes] + collected)
    if over:
        besides[-1] = sum(map(beside_number, _beside(over)))
    return _WEIGHTS.numbers(totals, besides), position.state


@cache
def _turns() -> list[list[list[int]]]:
    """Return what is beside the board by the seat whose turn it is, the ants placed in it, and the turns passed."""
    placed, passes = range(ANTS_A_TURN + 1), range(PASSES_THAT_END + 1)
    return [[[beside_number((seat, ants, turns)) for turns in passes] for ants in placed] for seat in range(len(SEATS))]


POSITIONS: Final = PositionParts(weights=_WEIGHTS, marks=_marks, beside=_beside, along=_along)

__all__ = ["POSITIONS"]
