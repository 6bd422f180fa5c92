"""The actions of Ant Trails prepared for playing: plain numbers, computed once for each token."""

from functools import lru_cache
from typing import Final

from engine.ant_trails.board import BOARD, NEAR
from engine.ant_trails.state import Action, EndTurn, Placing, TileMove

ANT: Final = 0
TILE: Final = 1
END: Final = 2
PASS: Final = 3
NEVER: Final = 4

Step = tuple[int, int, int]
"""Kind, and of a tile's move the cells from and to which it goes. An ant is placed at the first."""


@lru_cache(maxsize=None, typed=True)
def step(action: Action) -> Step:
    """Return an action in the form that `play` takes."""
    match action:
        case Placing(cell):
            return (ANT if BOARD >> cell & 1 else NEVER), cell, 0
        case TileMove(begin, end):
            return (TILE if BOARD >> begin & NEAR[begin] >> end & 1 else NEVER), begin, end
        case EndTurn():
            return END, 0, 0
    return PASS, 0, 0


__all__ = ["ANT", "END", "NEVER", "PASS", "TILE", "Step", "step"]
