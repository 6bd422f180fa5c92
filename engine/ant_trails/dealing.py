"""Deals Ant Trails: first the cells of the bonus tiles, then their points (DEAL-SETUP-1)."""

from typing import Final

from engine.ant_trails.board import BORDER, CELLS, NAMES, NEAR
from engine.chance import Stream
from engine.ruleset import Dealer, Dealt

_INNER: Final = tuple(cell for cell in CELLS if not BORDER >> cell & 1)
"""The cells that may hold a tile, by row and number."""
_POINTS: Final = (3,) * 4 + (2,) * 4 + (1,) * 4

CELLS_STAGE: Final = "cells"
POINTS_STAGE: Final = "points"
"""What is drawn in turn: each try of the cells, then the points."""


def _deal(_cards: tuple[str, ...], stream: Stream) -> Dealt:
    cells: list[int] = []
    while len(cells) < len(_POINTS):
        stream.stage(CELLS_STAGE)
        cells = _apart(stream.shuffle(_INNER))
    stream.stage(POINTS_STAGE)
    tiles = sorted(zip(cells, stream.shuffle(_POINTS), strict=True))
    return Dealt(" ".join([f"{NAMES[cell]}={points}" for cell, points in tiles]))


def _apart(cells: list[int]) -> list[int]:
    """Return the first twelve cells, or fewer, leaving out each cell beside one that was taken before."""
    taken, near = list[int](), 0
    for cell in cells:
        if not near >> cell & 1:
            taken.append(cell)
            near |= NEAR[cell]
    return taken[: len(_POINTS)]


DEALER: Final = Dealer(deal=_deal)

__all__ = ["DEALER"]
