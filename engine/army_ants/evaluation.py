"""How good a position of Army Ants is for a colony: its cards, their threats, and the distance to the other queen."""

from typing import Final

from engine.army_ants.board import CELLS, COLONY, NOTHING, RANK, RANKS, place_of, queen_of, rays
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

_WORTH: Final = [_CARD + rank for rank in range(len(RANKS))]
_RANK: Final = list(RANK)
_RAYS: Final = [[list(way) for way in rays(cell) if way] for cell in range(len(CELLS))]


def _far(one: int, other: int) -> float:
    (column, row), (x, y) = place_of(one), place_of(other)
    return _STEP * (abs(x - column) + abs(y - row))


_FAR: Final = [[_far(one, other) for other in range(len(CELLS))] for one in range(len(CELLS))]
"""What it costs a card on one cell that the other queen is on another."""


def evaluate(state: State, letter: str) -> float:
    """Return the colony's lead over the other; for the other colony it is the same number below 0."""
    seat = SEATS.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    return _worth(state, seat) - _worth(state, 1 - seat)


def _worth(state: State, seat: int) -> float:
    """Return the worth of a colony's cards, their distance to the other queen, and their threats.

    One loop over local values, because a search spends its time here (`bench/bots.py`).
    """
    cards, total, gains = list(state.cards), 0.0, [0.0] * len(_RANK)
    own, theirs = queen_of(seat), queen_of(1 - seat)
    far, checked = _FAR[cards.index(theirs)], False
    for cell in range(len(cards)):
        card = cards[cell]
        if not own < card < own + COLONY:  # the queen takes nothing
            continue
        rank = _RANK[card]
        worth = _WORTH[rank]
        total += worth - far[cell]
        for way in _RAYS[cell]:
            for reached in way:
                met = cards[reached]
                if met == NOTHING:
                    continue
                if theirs <= met < theirs + COLONY and _RANK[met] < rank:
                    checked = checked or met == theirs
                    gains[met] = _WORTH[_RANK[met]]
                break
    gains[theirs] = 0.0
    return total + _threats(gains, checked=checked, to_act=state.seat == seat)


def _threats(gains: list[float], *, checked: bool, to_act: bool) -> float:
    """Return the worth of threatening some cards of the other colony: one action can take only one of them."""
    queen = 0.0 if not checked else _WIN_NEXT if to_act else _CHECKED
    return queen + (_TO_MOVE if to_act else _WAITING) * max(gains) + _EACH * sum(gains)


__all__ = ["evaluate"]
