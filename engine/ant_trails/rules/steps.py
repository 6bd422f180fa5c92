"""The actions of Ant Trails prepared for playing: plain numbers, computed once for each token."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.ant_trails.board import BOARD, NEAR
from engine.ant_trails.state import Action, EndTurn, Placing, TileMove
from engine.steps import Prepared

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

ANT: Final = 0
TILE: Final = 1
END: Final = 2
PASS: Final = 3
NEVER: Final = 4


class Step(Prepared):
    """An action in the form that `play` takes."""

    __slots__ = ("begin", "end", "kind")

    kind: i64
    begin: i64
    """The cell at which an ant is placed, or from which a tile goes."""
    end: i64
    """The cell to which a tile goes."""

    def __init__(self, kind: int, begin: int, end: int) -> None:
        super().__init__()
        self.kind, self.begin, self.end = kind, begin, end


@lru_cache(maxsize=None, typed=True)
def step(action: Action) -> Step:
    """Return an action in the form that `play` takes."""
    match action:
        case Placing(cell):
            return Step(ANT if BOARD >> cell & 1 else NEVER, cell, 0)
        case TileMove(begin, end):
            return Step(TILE if BOARD >> begin & NEAR[begin] >> end & 1 else NEVER, begin, end)
        case EndTurn():
            return Step(END, 0, 0)
    return Step(PASS, 0, 0)


__all__ = ["ANT", "END", "NEVER", "PASS", "TILE", "Step", "step"]
