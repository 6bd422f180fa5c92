"""The actions of Atta Ants prepared for playing: plain numbers, computed once for each token."""

from functools import lru_cache
from typing import Final

from engine.atta_ants.board import SIDES
from engine.atta_ants.state import ANT_NAMES, Action, AntMove, EndTurn, Placing

MOVE: Final = 0
END: Final = 1
LAY: Final = 2
CHOOSE: Final = 3

PARTS = (*SIDES, "+", "-", *[f"x{ant}" for ant in ANT_NAMES])
"""Every part of a move. Its number is its place here."""
_NUMBER = {part: number for number, part in enumerate(PARTS)}
TAKE: Final = 4
DROP: Final = 5
ROB: Final = 6
"""The parts that are no steps to one of the sides. The ant that is robbed is added to the last."""

Step = tuple[int, int, tuple[int, ...], Placing | None]
"""Kind, the number of an ant (in ANT_NAMES) or a spider, the parts of a move or the side of a choice, and a placing."""

_KEPT = 1 << 14


@lru_cache(maxsize=_KEPT, typed=True)
def step(action: Action) -> Step:
    """Return an action in the form that `play` takes."""
    if isinstance(action, AntMove):
        return MOVE, ANT_NAMES[action.ant], tuple([_NUMBER[part] for part in action.parts]), None
    if isinstance(action, EndTurn):
        return END, 0, (), None
    if isinstance(action, Placing):
        return LAY, 0, (), action
    return CHOOSE, action.number - 1, (SIDES.index(action.side),), None


__all__ = ["CHOOSE", "DROP", "END", "LAY", "MOVE", "PARTS", "ROB", "TAKE", "Step", "step"]
