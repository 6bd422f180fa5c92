"""How good a position of Ant Trails is for a player: the longest trail, how far it can grow, and tiles on their way."""

from typing import Final

from engine.ant_trails.board import BESIDE, BORDERING, CELLS, HERE, NAMES, NEIGHBOURS, NOWHERE, OPEN, Lengths, Trails
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
    """Return the player's lead over the other; for the other player it is the same number below 0."""
    seat = SEATS.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    own, other = Trails(state.ants[seat]), Trails(state.ants[1 - seat])
    return _worth(state, seat, own, other) - _worth(state, 1 - seat, other, own)


def _worth(state: State, seat: int, own: Trails, other: Trails) -> float:
    points, total = state.table.points, 0.0
    for tile in state.collected[seat]:
        total += points[tile]
    lying = [0] * len(NAMES)
    for tile, cell in enumerate(state.tiles):
        if cell != COLLECTED:
            lying[cell] = points[tile]
            total += _tile(own, other, cell, points[tile])
    return total + _trails(own, other, lying)


def _trails(own: Trails, other: Trails, lying: list[int]) -> float:
    """Return what the trails are worth: the longest now, and the longest after the best free cell is filled."""
    mine, theirs, lengths, free = own.cells, other.cells, Lengths(own), 0
    longest = best = lengths.longest
    for cell in CELLS:
        if OPEN[mine[cell]] and not theirs[cell] & HERE and not lying[cell]:
            free += 1
            length = lengths.length_with(cell)
            best = max(best, length)
    return longest + _FREE * free + _JOINS * (best - longest)


def _tile(own: Trails, other: Trails, cell: int, points: int) -> float:
    """Return what a tile on the board is worth."""
    mine = own.cells[cell]
    if mine & HERE:
        return _HELD * points if _leads_out(own, cell) else 0.0
    if not other.cells[cell] & HERE and mine & BESIDE:
        return _NEAR * points
    return 0.0


def _leads_out(own: Trails, cell: int) -> bool:
    """Return whether an ant's trail has an end at the border."""
    for near in NEIGHBOURS[cell]:
        if own.cells[near] & HERE:
            end = own.end_of_way(cell, near)
            if end != NOWHERE and own.cells[end] & BORDERING:
                return True
    return False


__all__ = ["evaluate"]
