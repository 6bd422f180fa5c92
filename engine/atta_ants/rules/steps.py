"""The actions of Atta Ants prepared for playing: plain numbers, computed once for each token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.atta_ants.board import SIDES, Card, Cell, cell_number
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


PART_BITS: Final = 5
PART: Final = (1 << PART_BITS) - 1
NO_PARTS: Final = 1
"""Parts in one number, the first lowest: five bits each, and a 1 after the last."""
_ENOUGH: Final = 4
"""So many parts are never legal, whatever they are: two steps, and one leaf action (ATTA-MOVE-2, ATTA-LEAF-5)."""


def packed(parts: Sequence[int]) -> int:
    """Return the parts of a move as one number. After the first that is too much, the others do not matter."""
    found: i64 = NO_PARTS
    at = min(len(parts), _ENOUGH)
    while at:
        at -= 1
        found = found << PART_BITS | parts[at]
    return found


def numbers_of(move: AntMove) -> list[int]:
    """Return the numbers of a move's parts."""
    return [_NUMBER[part] for part in move.parts]


class Step(Prepared):
    """An action in the form that `play` takes."""

    __slots__ = ("card", "cell", "code", "kind", "parts")

    kind: i64
    code: i64
    """The number of an ant (in ANT_NAMES), of a spider, or of the cell of a card."""
    parts: i64
    """The parts of a move, `packed`, so that no other object has to be waited for; or the side of a choice."""
    card: Card | None
    cell: Cell | None
    """Where a card is laid; none if it is set aside."""

    def __init__(
        self, kind: int, code: int = 0, parts: int = NO_PARTS, card: Card | None = None, cell: Cell | None = None
    ) -> None:
        super().__init__()
        self.kind, self.code, self.parts, self.card, self.cell = kind, code, parts, card, cell


@lru_cache(maxsize=_KEPT, typed=True)
def step(action: Action) -> Step:
    """Return an action in the form that `play` takes."""
    if isinstance(action, AntMove):
        return Step(MOVE, ANT_NAMES[action.ant], packed(numbers_of(action)))
    if isinstance(action, EndTurn):
        return Step(END)
    if isinstance(action, Placing):
        cell = action.cell
        return Step(LAY, 0 if cell is None else cell_number(cell), card=action.card, cell=cell)
    return Step(CHOOSE, action.number - 1, SIDES.index(action.side))


__all__ = [
    "CHOOSE", "DROP", "END", "LAY", "MOVE", "NO_PARTS", "PART", "PARTS", "PART_BITS", "ROB", "TAKE", "Step",
    "numbers_of", "packed", "step",
]  # fmt: skip
