"""What a game supplies so that games that began alike are counted together, and the numbers of openings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

from engine.positions import BITS
from engine.words import Words

SEPARATOR: Final = ","
"""What stands between the steps of an opening as it is written."""
_KEPT: Final = 1 << 14
"""Openings that a process remembers the number of."""


class OpeningStep(NamedTuple):
    """A step of an opening: an action, a turn or a fact of the deal, the same for all games that share it."""

    name: str
    """Small letters, digits and hyphens."""
    ply: int
    """After how many actions of the game the step is complete; 0 for a fact of the deal."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpeningParts:
    """What a game supplies for the explorer of openings."""

    about: Words
    """By what its openings are told apart, in a sentence or two."""
    steps: Callable[[Mapping[str, str], Sequence[str]], list[OpeningStep]]
    """The opening of a legal record, from its tags and the tokens of all actions, so that nothing is played once more:
    the same steps for every rotated or mirrored record of the same play. At most a dozen or so."""
    sentence: Callable[[Sequence[str]], Words]
    """What the last of some steps is, given by their names. :raises ValueError: when no opening can begin with them."""


def written(steps: Sequence[OpeningStep]) -> str:
    """Return an opening as it is written in addresses and stored."""
    return SEPARATOR.join([step.name for step in steps])


def opening_numbers(slug: str, opening: str) -> list[int]:
    """Return a number of `BITS` bits for each beginning of a written opening, by the slug of its ruleset.

    The shortest beginning has one step: every game of a ruleset has the empty one.
    """
    ends = [at for at, char in enumerate(opening) if char == SEPARATOR]
    return [_number(slug, opening[:end]) for end in (*ends, len(opening)) if end]


def opening_number(slug: str, opening: str) -> int:
    """Return the number of a written opening."""
    return _number(slug, opening)


@lru_cache(maxsize=_KEPT)
def _number(slug: str, opening: str) -> int:
    return int.from_bytes(sha256(f"opening\n{slug}\n{opening}".encode()).digest()[:_BYTES]) >> (8 * _BYTES - BITS)


_BYTES: Final = -(-BITS // 8)

__all__ = ["SEPARATOR", "OpeningParts", "OpeningStep", "opening_number", "opening_numbers", "written"]
