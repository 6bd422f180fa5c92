"""When two positions of Army Ants are the same: also seen in a mirror, west for east."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.army_ants.board import CELLS, COLONY, COLUMNS, GAP, LETTER, NAMES, NOTHING, OWNER, RANK, queen_of
from engine.army_ants.rules.actions import after_setup_action, play
from engine.army_ants.rules.steps import ATTACK, GAMBIT, ROAM, RUN, SWAP, WALK, Step
from engine.army_ants.state import BATTLE, OVER, SETUP, SETUP_ACTIONS, State
from engine.positions import MASK, PositionParts, Weights, beside_number

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

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


_MANY: Final = len(_CALLED)


@cache
def _weights() -> tuple[list[int], list[int]]:
    """Return what each card or none weighs in each cell, one cell after the other: as they lie, and in the mirror."""
    cells = [_mirrored(f"{_AT}{cell}")[1:] for cell in NAMES]
    return _in_each(NAMES), _in_each(cells)


def _in_each(cells: Sequence[str]) -> list[int]:
    return [_WEIGHTS.first(f"{called}{_AT}{cell}") if called else 0 for cell in cells for called in _CALLED]


def _marks(state: State) -> Iterator[str]:
    return (f"{_CALLED[card]}{_AT}{cell}" for cell, card in zip(NAMES, state.cards, strict=True) if card != NOTHING)


def _beside(state: State) -> tuple[Hashable]:
    """Return whose turn it is, and in the setup phase how much each colony has done."""
    return ((state.phase, state.seat, state.done) if state.phase == SETUP else _turn(state.phase, state.seat),)


def _turn(phase: str, seat: int) -> Hashable:
    return OVER if phase == OVER else (phase, seat)


_TURNS: Final = [beside_number((BATTLE, 0)), beside_number((BATTLE, 1))]
"""What is beside the board in the battle."""


def _along(state: State, steps: Sequence[Step], over: State | None) -> tuple[list[int], Callable[[], State]]:
    """Return the numbers of a position and of those after some legal actions, and what returns the last of them.

    The rules say whose turn it is in the setup phase; in the battle the colonies take turns.
    """
    on, (weights, mirrored) = list(state.cards), _weights()
    seen: i64 = 0
    in_mirror: i64 = 0
    first: i64
    at: i64
    beside: i64 = beside_number(*_beside(state))
    for cell, card in enumerate(on):
        seen += weights[_MANY * cell + card]
        in_mirror += mirrored[_MANY * cell + card]
    seat, in_setup = state.seat, state.phase == SETUP
    made, others_made = state.done[seat], state.done[1 - seat]
    numbers = [_number(seen, in_mirror, beside)]
    for step in steps:
        for cell, card in _changes(step, on, seat):
            first = _MANY * cell
            at = first + on[cell]
            seen -= weights[at]
            in_mirror -= mirrored[at]
            at = first + card
            seen += weights[at]
            in_mirror += mirrored[at]
            on[cell] = card
        if in_setup:
            made, others_made, seat = after_setup_action(made, others_made, seat, step.kind)
            in_setup = made < SETUP_ACTIONS or others_made < SETUP_ACTIONS
            done = (others_made, made) if seat else (made, others_made)
            beside = beside_number((SETUP, seat, done)) if in_setup else _TURNS[seat]
        else:
            seat = 1 - seat
            beside = _TURNS[seat]
        numbers.append(_number(seen, in_mirror, beside))
    if over:
        numbers[-1] = _number(seen, in_mirror, beside_number(*_beside(over)))
    return numbers, _after(state, steps)


def _after(state: State, steps: Sequence[Step]) -> Callable[[], State]:
    return lambda: play(state, steps).state


def _number(seen: i64, in_mirror: i64, beside: i64) -> int:
    return min(seen, in_mirror) + beside & MASK


def _changes(step: Step, on: Sequence[int], seat: int) -> Sequence[tuple[int, int]]:
    """Return the cells that a legal action changes and what lies on them then, one after the other."""
    kind, begin, end = step.kind, step.begin, step.end
    if kind in (WALK, ROAM):
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
