"""The actions of Atta Ants prepared for playing: plain numbers, computed once for each token."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.atta_ants.board import SIDES, Card, cell_number
from engine.atta_ants.state import ANT_NAMES, Action, AntMove, EndTurn, Placing
from engine.steps import Prepared

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

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

_KEPT = 1 << 14


class Step(Prepared):
    """An action in the form that `play` takes."""

    __slots__ = ("card", "code", "kind", "parts")

    kind: i64
    code: i64
    """The number of an ant (in ANT_NAMES), of a spider, or of the cell of a card."""
    parts: tuple[int, ...]
    """The parts of a move, the side of a choice, or the cell of a card; no cell if the card is set aside."""
    card: Card | None

    def __init__(self, kind: int, code: int = 0, parts: tuple[int, ...] = (), card: Card | None = None) -> None:
        super().__init__()
        self.kind, self.code, self.parts, self.card = kind, code, parts, card


@lru_cache(maxsize=_KEPT, typed=True)
def step(action: Action) -> Step:
    """Return an action in the form that `play` takes."""
    if isinstance(action, AntMove):
        return Step(MOVE, ANT_NAMES[action.ant], tuple([_NUMBER[part] for part in action.parts]))
    if isinstance(action, EndTurn):
        return Step(END)
    if isinstance(action, Placing):
        cell = action.cell
        return Step(LAY, 0 if cell is None else cell_number(cell), cell or (), action.card)
    return Step(CHOOSE, action.number - 1, (SIDES.index(action.side),))


__all__ = ["CHOOSE", "DROP", "END", "LAY", "MOVE", "PARTS", "ROB", "TAKE", "Step", "step"]
