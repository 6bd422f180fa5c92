"""The actions of Army Ants made ready to be played: numbers and sets of cells, worked out once for every token."""

from functools import lru_cache

from engine.army_ants.board import BLACK, HOME, OFF, RED, STEP
from engine.army_ants.state import Action, Attack, Gambit, March, MoveOut, Swap

SWAP, WALK, ATTACK, RUN, GAMBIT, PASS = range(6)
"""What happens to cards. A walk is a move out or the march of one card, which differ in when they are legal."""

Step = tuple[int, int, int, int, int, int, int, str]
"""Kind, cell of the first card, where it goes, and five more, which `step` names."""


@lru_cache(maxsize=None, typed=True)
def step(action: Action) -> Step:
    """An action as `play` takes it. Equal numbers of different steps are one, for so more of them stay near at hand."""
    kind, begin, end, *sets, sign = _step(action)
    cells, path, other, stays = (_KEPT.setdefault(one, one) for one in sets)
    return kind, begin, end, cells, path, other, stays, sign


def _step(action: Action) -> Step:  # noqa: PLR0911 (a line for every form)
    match action:
        case Swap(one, other, cells, sign):
            return SWAP, one, other, cells, 0, 0, _BOTH, sign
        case March(run, _, _, cells, path, landed, sign) if len(run) == 1:
            end = _landing(action)
            return WALK, run[0], end, cells | landed, path, path, _stays(landed), sign
        case March(run, _, _, cells, path, landed, sign):
            return RUN, run[0] if run else 0, _landing(action), cells, path, landed, _stays(landed), sign
        case MoveOut(start, end, by_row, by_column, sign):
            return WALK, start, end, 1 << start | 1 << end, by_row, by_column, 0, sign
        case Attack(start, end, path, sign):
            return ATTACK, start, end, 1 << start, path, 1 << end, 0, sign
        case Gambit(sign):
            return GAMBIT, 0, 0, 0, 0, 0, _BOTH, sign
    return PASS, 0, 0, 0, 0, 0, 0, action.sign


_KEPT: dict[int, int] = {}
_BOTH = 1 << RED | 1 << BLACK


def _landing(action: March) -> int:
    """The cell to which the first card of a run goes; wherever, if the run would leave the board."""
    return 0 if action.path == OFF else action.run[0] + STEP[action.side] * action.steps


def _stays(landed: int) -> int:
    """The colonies, as bits, that may do this in the setup phase: those on whose side the cards end (ARMY-SETUP-3)."""
    return sum(1 << seat for seat in (RED, BLACK) if not landed & ~HOME[seat])


__all__ = ["ATTACK", "GAMBIT", "PASS", "RUN", "SWAP", "WALK", "Step", "step"]
