"""When two positions are the same, however the board lies before us; and a number that they then have in common."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Any, Final, Generic, TypeVar

S = TypeVar("S")

BITS: Final = 44
"""Of a position's number."""
_KEPT: Final = 1 << 15
"""Different marks of a game that a process remembers."""
_LANE: Final = 8
"""Bytes in which the weights of all marks that one symmetry sees are added up: there are fewer than 256 marks."""
_WEIGHT: Final = 7
"""Bytes of a weight."""
_WHOLE: Final = (1 << 8 * _LANE) - 1
_SHIFT: Final = 8 * _LANE - BITS
_SPREAD: Final = 0x9E3779B97F4A7C15
"""An odd number with which sums are multiplied, so that every bit of them matters for the highest ones."""


class Weights(dict[str, int]):
    """What each mark adds to the sum of a position: one number for each symmetry, side by side in one long number."""

    def __init__(self, symmetries: Sequence[Callable[[str], str]]) -> None:
        """Weigh marks as some symmetries show them; the first changes nothing."""
        super().__init__()
        self.symmetries = tuple(symmetries)
        self._apart = Struct(f"<{len(self.symmetries)}Q").unpack
        self._size = _LANE * len(self.symmetries)

    def __missing__(self, mark: str) -> int:
        found = 0
        for lane, symmetry in enumerate(self.symmetries):
            found |= _number(symmetry(mark), _WEIGHT) << 8 * _LANE * lane
        if len(self) >= _KEPT:
            self.clear()
        self[mark] = found
        return found

    def number(self, total: int, beside: Hashable) -> int:
        """Return the number of a position: the same for every way to see its marks.

        :param total: the sum of the weights of all its marks.
        :param beside: what else belongs to it, as it is written.
        """
        return self.numbers([total], [beside_number(beside)])[0]

    def numbers(self, totals: Iterable[int], besides: Iterable[int]) -> list[int]:
        """Return the numbers of positions from the sums of their marks and the numbers of what else belongs to them."""
        apart, size = self._apart, self._size
        return [
            ((min(apart(total.to_bytes(size, "little"))) + beside) * _SPREAD & _WHOLE) >> _SHIFT
            for total, beside in zip(totals, besides, strict=True)
        ]


def _number(text: str, size: int) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:size], "little")


@lru_cache(maxsize=1 << 13)
def beside_number(beside: Hashable) -> int:
    """Return a number for what belongs to a position besides its marks."""
    return _number(repr(beside), _LANE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PositionParts(Generic[S]):
    """What a game supplies so that its positions can be found again."""

    weights: Weights
    """Knows the symmetries of the board."""
    marks: Callable[[S], Iterable[str]]
    """What lies where in a position, a text for each thing, equal ones as often as there are such things."""
    beside: Callable[[S], Hashable]
    """What else tells positions apart and is the same for every symmetry, such as whose turn it is: numbers, texts and
    tuples of them. Neither what nobody may know nor what has no effect any more, such as how often somebody acted."""
    along: Callable[[S, Sequence[Any], S | None], list[int]] | None = None
    """The numbers of a position and of those after each of some legal actions, made ready to be played: what `number`
    says, but quicker. At last the position in which these actions end the game, if they do. None for a game that has
    no quicker way."""

    def text(self, state: S) -> str:
        """Return a text that two positions share exactly when they are the same, and no others."""
        marks = list(self.marks(state))
        seen = min(sorted(map(symmetry, marks)) for symmetry in self.weights.symmetries)
        return f"{self.beside(state)!r}\n{' '.join(seen)}"

    def number(self, state: S) -> int:
        """Return a number of `BITS` bits that the same positions share, and others almost never."""
        return self.weights.number(sum(map(self.weights.__getitem__, self.marks(state))), self.beside(state))


__all__ = ["BITS", "PositionParts", "Weights", "beside_number"]
