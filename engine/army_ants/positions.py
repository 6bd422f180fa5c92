"""When two positions of Army Ants are the same: also seen in a mirror, west for east."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from typing import Final

from engine.army_ants.board import CELLS, COLONY, COLUMNS, GAP, LETTER, NAMES, NOTHING, OWNER, RANK, queen_of
from engine.army_ants.rules import play
from engine.army_ants.rules.steps import ATTACK, GAMBIT, RUN, SWAP, WALK, Step
from engine.army_ants.state import BATTLE, OVER, SETUP, State
from engine.positions import PositionParts, Weights, beside_number

_IN_MIRROR: Final = str.maketrans(COLUMNS, COLUMNS[::-1])
_AT: Final = "@"


def _same(mark: str) -> str:
    return mark


def _mirrored(mark: str) -> str:
    what, _, cell = mark.partition(_AT)
    return f"{what}{_AT}{cell.translate(_IN_MIRROR)}"


_WEIGHTS: Final = Weights((_same, _mirrored))
_CARDS: Final = range(NOTHING + 1, 2 * COLONY + 1)
_CALLED: Final = ("", *[f"{chr(OWNER[card])}{chr(LETTER[card])}" for card in _CARDS])
"""Each card by its colony and rank: of the two of a rank neither matters more."""


@cache
def _weights() -> tuple[tuple[int, ...], ...]:
    """Return for each cell and each card there, or none, what it weighs."""
    return tuple([(0, *[_WEIGHTS[f"{_CALLED[card]}{_AT}{cell}"] for card in _CARDS]) for cell in NAMES])


def _marks(state: State) -> Iterator[str]:
    return (f"{_CALLED[card]}{_AT}{cell}" for cell, card in zip(NAMES, state.cards, strict=True) if card != NOTHING)


def _beside(state: State) -> Hashable:
    """Return whose turn it is, and in the setup phase how much each colony has done."""
    return (state.phase, state.seat, state.done) if state.phase == SETUP else _turn(state.phase, state.seat)


def _turn(phase: str, seat: int) -> Hashable:
    return OVER if phase == OVER else (phase, seat)


_TURNS: Final = (beside_number((BATTLE, 0)), beside_number((BATTLE, 1)))
"""What is beside the board in the battle."""


def _along(state: State, steps: Sequence[Step], over: State | None) -> list[int]:
    """Return the numbers of a position and of those after some legal actions.

    The rules say whose turn it is in the setup phase; in the battle the colonies take turns.
    """
    on, weights = list(state.cards), _weights()
    total = sum([weights[cell][card] for cell, card in enumerate(on)])
    seat, in_setup = state.seat, state.phase == SETUP
    totals, besides = [total], [beside_number(_beside(state))]
    for step in steps:
        for cell, card in _changes(step, on, seat):
            total += weights[cell][card] - weights[cell][on[cell]]
            on[cell] = card
        if in_setup:
            state = play(state, (step,)).state
            seat, in_setup = state.seat, state.phase == SETUP
            besides.append(beside_number(_beside(state)))
        else:
            seat = 1 - seat
            besides.append(_TURNS[seat])
        totals.append(total)
    if over:
        besides[-1] = beside_number(_beside(over))
    return _WEIGHTS.numbers(totals, besides)


def _changes(step: Step, on: Sequence[int], seat: int) -> Sequence[tuple[int, int]]:
    """Return the cells that a legal action changes and what lies on them then, one after the other."""
    kind, begin, end = step.kind, step.begin, step.end
    if kind == WALK:
        return (begin, NOTHING), (end, on[begin])
    if kind == ATTACK:
        attacker = on[begin]
        return (begin, NOTHING), (end, attacker if RANK[attacker] > RANK[on[end]] else NOTHING)
    if kind == SWAP:
        return (begin, on[end]), (end, on[begin])
    if kind == RUN:
        run, landing = _ALL[step.run], _ALL[step.landing]
        return [*[(cell, NOTHING) for cell in run], *zip(landing, [on[cell] for cell in run], strict=True)]
    if kind == GAMBIT:
        queen = on.index(queen_of(seat))
        return (queen, NOTHING), (GAP[seat], on[queen])
    return ()


_ALL: Final = range(len(CELLS))

POSITIONS: Final = PositionParts(weights=_WEIGHTS, marks=_marks, beside=_beside, along=_along)

__all__ = ["POSITIONS"]
