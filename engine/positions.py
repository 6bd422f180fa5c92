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
NUMBERING: Final = 2
"""Changes whenever a position could have another number than before, so that the index is built anew."""
MASK: Final = (1 << BITS) - 1
"""With what only the bits of a number are kept."""
_KEPT: Final = 1 << 15
"""Different marks of a game that a process remembers."""
_LANE: Final = 8
"""Bytes in which the weights of all marks that one symmetry sees are added up. There are fewer than 126 marks and two
or three other parts, so that each sum is a machine word in compiled modules."""
_WEIGHT: Final = 7
"""Bytes of a weight."""
_WHOLE: Final = (1 << 8 * _LANE) - 1


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
            found |= _number(symmetry(mark)) << 8 * _LANE * lane
        if len(self) >= _KEPT:
            self.clear()
        self[mark] = found
        return found

    def first(self, mark: str) -> int:
        """Return what a mark adds as it is."""
        return self[mark] & _WHOLE

    def sums(self, total: int) -> tuple[int, ...]:
        """Return the sum of the marks for each symmetry, from the sum of their weights."""
        return self._apart(total.to_bytes(self._size, "little"))

    def numbers(self, totals: Iterable[int], besides: Iterable[int]) -> list[int]:
        """Return the numbers of positions from the sums of their marks and of what else belongs to them."""
        apart, size = self._apart, self._size
        return [
            min(apart(total.to_bytes(size, "little"))) + beside & MASK
            for total, beside in zip(totals, besides, strict=True)
        ]


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:_WEIGHT], "little")


@lru_cache(maxsize=1 << 13)
def beside_number(part: Hashable) -> int:
    """Return what a part of that which belongs to a position besides its marks adds."""
    return _number(repr(part))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PositionParts(Generic[S]):
    """What a game supplies so that its positions can be found again."""

    weights: Weights
    """Knows the symmetries of the board."""
    marks: Callable[[S], Iterable[str]]
    """What lies where in a position, a text for each thing, equal ones as often as there are such things."""
    beside: Callable[[S], Sequence[Hashable]]
    """What else distinguishes positions and is the same for every symmetry, such as whose turn it is: numbers, texts
    and tuples of them, in parts no two of which can be mistaken for one another. Neither what nobody may know nor what
    has no effect any more, such as how often somebody acted."""
    views: Callable[[S], Sequence[int]] | None = None
    """Which symmetries show what never changes in the one form that is chosen of all: only these are compared then.
    None for a game in which nothing on the board stays as it is."""
    along: Callable[[S, Sequence[Any], S | None], tuple[list[int], Callable[[], S]]] | None = None
    """The numbers of a position and of those after each of some legal actions, made ready to be played: what `number`
    says, but quicker; and what returns the last position. At last the position in which these actions end the game, if
    they do. None for a game that has no quicker way."""

    def text(self, state: S) -> str:
        """Return a text that two positions share exactly when they are the same, and no others."""
        marks = list(self.marks(state))
        seen = min(sorted(map(symmetry, marks)) for symmetry in self.weights.symmetries)
        return f"{self.beside(state)!r}\n{' '.join(seen)}"

    def number(self, state: S) -> int:
        """Return a number of `BITS` bits that the same positions share, and others almost never."""
        sums = self.weights.sums(sum(map(self.weights.__getitem__, self.marks(state))))
        seen = sums if self.views is None else [sums[view] for view in self.views(state)]
        return min(seen) + sum(map(beside_number, self.beside(state))) & MASK


__all__ = ["BITS", "MASK", "NUMBERING", "PositionParts", "Weights", "beside_number"]
