"""When two records of Ant Trails are the same play: when a turn or a mirror makes one of the other."""

from collections.abc import Iterator, Sequence
from struct import Struct
from typing import Final

from engine.ant_trails.board import BORDER, CELLS, NAMES, SIDE, WIDTH, column_of, row_of
from engine.ruleset import Tags

_BITS: Final = 2
"""Of a set of tiles for each cell, for its points are three at the most."""
_INNER: Final = {cell: at for at, cell in enumerate(cell for cell in CELLS if not BORDER >> cell & 1)}
"""The cells on which tiles may lie at first, numbered."""
_SIZE: Final = -(-len(_INNER) * _BITS // 8)
"""Bytes of such a set."""
_ONTO: Final = ">"


def likeness(tags: Tags, tokens: Sequence[str]) -> str:
    """Return the tiles and the actions in a way that a record shares with those that turns and mirrors make of it.

    Of the twelve ways to see the tiles the first is taken in the order of numbers; where several of them are alike, of
    the ways to see the actions the first in alphabetical order.

    :param tokens: all actions, administrative ones too.
    """
    seen = _apart(sum(map(_SEEN.__getitem__, tags["Setup"].split(" "))).to_bytes(_BYTES))
    tiles = min(seen)
    if seen.count(tiles) == 1:
        return f"{tiles.hex()}\n{_SYMMETRIES[seen.index(tiles)].play(tokens)}"
    plays = [symmetry.play(tokens) for symmetry, found in zip(_SYMMETRIES, seen, strict=True) if found == tiles]
    return f"{tiles.hex()}\n{min(plays)}"


class _Symmetry(dict[str, str]):
    """Legal tokens as one of the twelve symmetries of the hexagon shows them. There are only so many of them."""

    def __init__(self, turns: int, *, mirrored: bool) -> None:
        """Turn by so many sixths, after a mirror if there is one."""
        super().__init__()
        self.cells = {cell: _seen(cell, turns, mirrored=mirrored) for cell in CELLS}
        self._names = {NAMES[cell]: NAMES[seen] for cell, seen in self.cells.items()}

    def play(self, tokens: Sequence[str]) -> str:
        """Return the actions as they are seen."""
        return " ".join(map(self.__getitem__, tokens))

    def __missing__(self, token: str) -> str:
        found = self[token] = _ONTO.join([self._names.get(word, word) for word in token.split(_ONTO)])
        return found


def _seen(cell: int, turns: int, *, mirrored: bool) -> int:
    """Return the cell at which a cell is seen after a mirror, if there is one, and a turn by so many sixths."""
    row, column = row_of(cell) - SIDE + 1, column_of(cell) - SIDE + 1
    if mirrored:
        row, column = column, row
    for _ in range(turns):
        row, column = column, column - row
    return (row + SIDE - 1) * WIDTH + column + SIDE - 1


_SYMMETRIES: Final = tuple([_Symmetry(turns, mirrored=mirrored) for mirrored in (False, True) for turns in range(6)])


_BYTES: Final = _SIZE * len(_SYMMETRIES)
_apart: Final = Struct(f"{_SIZE}s" * len(_SYMMETRIES)).unpack
"""Takes what all symmetries see apart again, in their order."""


def _tiles() -> Iterator[tuple[str, int]]:
    """Yield for each tile that `Setup` may hold where all symmetries see it, as sets one after the other."""
    for cell in _INNER:
        for points in range(1, 1 << _BITS):
            seen = 0
            for symmetry in _SYMMETRIES:
                seen = seen << 8 * _SIZE | points << _BITS * _INNER[symmetry.cells[cell]]
            yield f"{NAMES[cell]}={points}", seen


_SEEN: Final = dict(_tiles())

__all__ = ["likeness"]
