"""The actions of Atta Ants made ready to be played: numbers, worked out once for every token."""

from functools import lru_cache

from engine.atta_ants.board import SIDES
from engine.atta_ants.state import ANT_NAMES, Action, AntMove, EndTurn, Placing

MOVE, END, LAY, CHOOSE = range(4)

TAKE, DROP, ROB = range(len(SIDES), len(SIDES) + 3)
"""The parts of a move that are no steps to one of the sides. The ant that is robbed is added to the last."""

Step = tuple[int, int, tuple[int, ...], Placing | None]
"""Kind, the number of an ant (in ANT_NAMES) or a spider, the parts of a move or the side of a choice, and a placing."""

_KEPT = 1 << 14


@lru_cache(maxsize=_KEPT, typed=True)
def step(action: Action) -> Step:
    """An action as `play` takes it."""
    if isinstance(action, AntMove):
        return MOVE, ANT_NAMES[action.ant], tuple(map(_part, action.parts)), None
    if isinstance(action, EndTurn):
        return END, 0, (), None
    if isinstance(action, Placing):
        return LAY, 0, (), action
    return CHOOSE, action.number - 1, (SIDES.index(action.side),), None


def _part(part: str) -> int:
    if part in SIDES:
        return SIDES.index(part)
    return {"+": TAKE, "-": DROP}.get(part) or ROB + ANT_NAMES[part[1:]]


__all__ = ["CHOOSE", "DROP", "END", "LAY", "MOVE", "ROB", "TAKE", "Step", "step"]
