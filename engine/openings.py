"""What a game supplies so that games that began alike are counted together, and the numbers of openings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from engine.positions import BITS
from engine.words import Words

SEPARATOR: Final = ","
"""What separates the steps of an opening as it is written."""
_KEPT: Final = 1 << 14
"""Names of steps of which a process remembers the weight."""
_WHOLE: Final = (1 << 64) - 1
_SHIFT: Final = 64 - BITS
_SPREAD: Final = 0x9E3779B97F4A7C15
"""An odd number with which sums are multiplied, so that the order of steps and every bit of them matter."""


OpeningStep = tuple[str, int]
"""A step of an opening: an action, a turn or a fact of the deal, the same for all games that share it.

Its name, of small letters, digits and hyphens; and after how many actions it is complete, 0 for a fact of the deal."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpeningParts:
    """What a game supplies for the explorer of openings."""

    about: Words
    """What distinguishes its openings, in a sentence or two."""
    steps: Callable[[Mapping[str, str], Sequence[str]], list[OpeningStep]]
    """The opening of a legal record, from its tags and the tokens of all actions, so that nothing is played once more:
    the same steps for every rotated or mirrored record of the same play. At most a dozen or so."""
    sentence: Callable[[Sequence[str]], Words]
    """What the last of some steps is, given by their names. :raises ValueError: when no opening can begin with them."""


def written(steps: Sequence[OpeningStep]) -> str:
    """Return an opening as it is written in addresses and stored."""
    return SEPARATOR.join([name for name, _ in steps])


def opening_numbers(slug: str, opening: str) -> list[int]:
    """Return a number of `BITS` bits for each beginning of a written opening, by the slug of its ruleset.

    The shortest beginning has one step: every game of a ruleset has the empty one. Others may rarely share a number.
    """
    total, found = _weight(slug), list[int]()
    for name in opening.split(SEPARATOR) if opening else ():
        total = (total + _weight(name)) * _SPREAD & _WHOLE
        found.append(total >> _SHIFT)
    return found


def opening_number(slug: str, opening: str) -> int:
    """Return the number of a written opening of one step or more."""
    return opening_numbers(slug, opening)[-1]


@lru_cache(maxsize=_KEPT)
def _weight(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8])


__all__ = ["SEPARATOR", "OpeningParts", "OpeningStep", "opening_number", "opening_numbers", "written"]
