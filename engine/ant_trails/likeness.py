"""When two records of Ant Trails are the same play: when one is the other rotated or mirrored."""

from collections.abc import Iterator
from struct import Struct
from typing import Final

from engine.ant_trails.board import BORDER, CELLS, NAMES, SIDE, WIDTH, column_of, row_of
from engine.ruleset import Tags
from engine.written import Written

_BITS: Final = 2
"""Of a set of tiles for each cell, for its points are three at the most."""
_INNER: Final = {cell: at for at, cell in enumerate(cell for cell in CELLS if not BORDER >> cell & 1)}
"""The cells on which tiles may lie at first, numbered."""
_SIZE: Final = -(-len(_INNER) * _BITS // 8)
"""Bytes of such a set."""
_ONTO: Final = ">"


def likeness(tags: Tags, actions: Written) -> str:
    """Return the tiles and the actions in a form that is the same for all rotations and mirror images of a record.

    Of the twelve views of the tiles, the numerically first is taken; if several are equal, the one whose actions come
    first in alphabetical order.
    """
    seen = _apart(sum(map(_SEEN.__getitem__, tags["Setup"].split(" "))).to_bytes(_BYTES))
    tiles = min(seen)
    if seen.count(tiles) == 1:
        return f"{tiles.hex()}\n{actions.seen(SYMMETRIES, seen.index(tiles))}"
    plays = [actions.seen(SYMMETRIES, view) for view, found in enumerate(seen) if found == tiles]
    return f"{tiles.hex()}\n{min(plays)}"


class Symmetry(dict[str, str]):
    """Legal tokens as seen in one of the twelve symmetries of the hexagon, cached: there are only a few hundred."""

    def __init__(self, turns: int, *, mirrored: bool) -> None:
        """Rotate by so many sixths, after mirroring if `mirrored`."""
        super().__init__()
        self.cells = {cell: _seen(cell, turns, mirrored=mirrored) for cell in CELLS}
        self.names = {NAMES[cell]: NAMES[seen] for cell, seen in self.cells.items()}
        """The name of the cell at which each cell is seen."""

    def __missing__(self, token: str) -> str:
        found = self[token] = _ONTO.join([self.names.get(word, word) for word in token.split(_ONTO)])
        return found


def _seen(cell: int, turns: int, *, mirrored: bool) -> int:
    """Return where a cell goes when the board is mirrored, if asked, and rotated by so many sixths."""
    row, column = row_of(cell) - SIDE + 1, column_of(cell) - SIDE + 1
    if mirrored:
        row, column = column, row
    for _ in range(turns):
        row, column = column, column - row
    return (row + SIDE - 1) * WIDTH + column + SIDE - 1


SYMMETRIES: Final = tuple([Symmetry(turns, mirrored=mirrored) for mirrored in (False, True) for turns in range(6)])
"""The first changes nothing."""


_BYTES: Final = _SIZE * len(SYMMETRIES)
_apart: Final = Struct(f"{_SIZE}s" * len(SYMMETRIES)).unpack
"""Takes what all symmetries see apart again, in their order."""


def _tiles() -> Iterator[tuple[str, int]]:
    """Yield, for each tile that `Setup` may contain, where it is in each of the symmetries, as bits."""
    for cell in _INNER:
        for points in range(1, 1 << _BITS):
            seen = 0
            for symmetry in SYMMETRIES:
                seen = seen << 8 * _SIZE | points << _BITS * _INNER[symmetry.cells[cell]]
            yield f"{NAMES[cell]}={points}", seen


_SEEN: Final = dict(_tiles())

__all__ = ["SYMMETRIES", "Symmetry", "likeness"]
