"""How well a player of Ant Trails stands: the longest trail, what it can still become, and tiles on their way."""

from typing import Final

from engine.ant_trails.board import (
    BESIDE,
    BORDERING,
    CELLS,
    HERE,
    NEIGHBOURS,
    NOWHERE,
    OPEN,
    Trails,
)
from engine.ant_trails.state import COLLECTED, SEATS, State
from engine.ruleset import standing

_FREE: Final = 0.12
"""What a cell is worth on which a player may still place an ant."""
_JOINS: Final = 0.45
"""What an ant of the trails is worth that a free cell would join to the longest trail, or joins to each other."""
_HELD: Final = 0.55
_NEAR: Final = 0.2
"""Which part of a tile's points counts when it is on a trail that leads to the border, and when it is beside an ant."""


def evaluate(state: State, letter: str) -> float:
    """Return how much better a player stands than the other; as far below 0 for the one as above for the other."""
    seat = SEATS.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    own, other = Trails(state.ants[seat]), Trails(state.ants[1 - seat])
    return _worth(state, seat, own, other) - _worth(state, 1 - seat, other, own)


def _worth(state: State, seat: int, own: Trails, other: Trails) -> float:
    lying = {cell: state.table.points[tile] for tile, cell in enumerate(state.tiles) if cell != COLLECTED}
    total = float(sum([state.table.points[tile] for tile in state.collected[seat]]))
    return total + _trails(own, other, lying) + _tiles(own, other, lying)


def _trails(own: Trails, other: Trails, lying: dict[int, int]) -> float:
    """Return what the trails are worth: the longest, and what it would be after the best cell that is free."""
    mine, theirs, free, best = own.cells, other.cells, 0, 0
    for cell in CELLS:
        if OPEN[mine[cell]] and not theirs[cell] & HERE and cell not in lying:
            free += 1
            best = max(best, own.length_with(cell))
    return own.longest + _FREE * free + _JOINS * max(0, best - own.longest)


def _tiles(own: Trails, other: Trails, lying: dict[int, int]) -> float:
    total, mine = 0.0, own.cells
    for cell, points in lying.items():
        if mine[cell] & HERE:
            total += _HELD * points * _leads_out(own, cell)
        elif not other.cells[cell] & HERE and mine[cell] & BESIDE:
            total += _NEAR * points
    return total


def _leads_out(own: Trails, cell: int) -> bool:
    """Return whether the trail of an ant has an end at the border."""
    return any(
        own.cells[near] & HERE and (end := own.end_of_way(cell, near)) != NOWHERE and own.cells[end] & BORDERING
        for near in NEIGHBOURS[cell]
    )


__all__ = ["evaluate"]
