"""How well a colony of Army Ants stands: its cards, what they threaten, and the way to the other queen."""

from collections.abc import Iterator
from typing import Final

from engine.army_ants.board import NOTHING, QUEEN, RANK, RANKS, cells_of, owner_of, place_of, queen_of, rays
from engine.army_ants.state import SEATS, State
from engine.ruleset import standing

_CARD: Final = 4.0
"""What any card is worth; each rank more is worth 1 more."""
_WIN_NEXT: Final = 200.0
"""What it is worth to be able to take the queen with the next action."""
_TO_MOVE, _WAITING = 0.35, 0.12
"""Which part of a threatened card's worth counts for the colony to act, and for the other one."""
_EACH: Final = 0.02
"""Which part of every threatened card's worth counts besides."""
_CHECKED: Final = 3.0
"""What a threat to the queen is worth while the other colony is to act."""
_STEP: Final = 0.06
"""What each step nearer to the other queen is worth, of every card."""

_WORTH: Final = tuple(_CARD + rank for rank in range(len(RANKS)))


def evaluate(state: State, letter: str) -> float:
    """Return how much better a colony stands than the other one; as far below 0 for the one as above for the other."""
    seat = SEATS.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    return _worth(state, seat) - _worth(state, 1 - seat)


def _worth(state: State, seat: int) -> float:
    """Return the worth of a colony's cards, of their nearness to the other queen, and of their threats."""
    cards, total, threatened = state.cards, 0.0, dict[int, float]()
    column, row = place_of(cards.find(queen_of(1 - seat)))
    for cell in cells_of(state.held[seat]):
        rank = RANK[cards[cell]]
        if rank == QUEEN:
            continue
        x, y = place_of(cell)
        total += _WORTH[rank] - _STEP * (abs(x - column) + abs(y - row))
        for met in _prey(cards, cell, seat):
            gain = _WORTH[RANK[met]] - (_WORTH[rank] if RANK[met] == rank else 0.0)
            threatened[met] = max(gain, threatened.get(met, 0.0))
    return total + _threats(threatened, 1 - seat, to_act=state.seat == seat)


def _prey(cards: bytes, cell: int, seat: int) -> Iterator[int]:
    """Yield the cards that the card on a cell could take."""
    for way in rays(cell):
        met = next((cards[reached] for reached in way if cards[reached] != NOTHING), NOTHING)
        if met != NOTHING and owner_of(met) != seat and RANK[met] <= RANK[cards[cell]]:
            yield met


def _threats(threatened: dict[int, float], other: int, *, to_act: bool) -> float:
    """Return what it is worth to be able to take some cards of the other colony, of which one action takes one."""
    total = 0.0
    if threatened.pop(queen_of(other), None) is not None:
        total = _WIN_NEXT if to_act else _CHECKED
    best, part = max(threatened.values(), default=0.0), _TO_MOVE if to_act else _WAITING
    return total + part * best + _EACH * sum(threatened.values())


__all__ = ["evaluate"]
