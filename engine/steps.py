"""What the prepared actions of all games have in common, and how far playing them got.

A game's `Step` derives from `Prepared` and adds what its `play` needs, as machine words where that is possible. A
reader finds it by its characters. So a token is one object from its characters to its effect: when thousands of
different tokens come in turn, time goes into waiting for memory, and each object more is one more wait
(`bench/RESULTS.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

S = TypeVar("S")


class Prepared:
    """An action made ready to be played."""

    __slots__ = ("key", "seen")

    key: i64
    """The characters of its token as a number; 0 if it was not met in a text yet."""
    seen: tuple[str, ...]
    """Its token, as soon as it was met in a text; then as all symmetries of the game show it, if that was asked."""

    def __init__(self) -> None:
        self.key, self.seen = 0, ()


class Played(Generic[S]):
    """How far a series of actions got."""

    __slots__ = ("plies", "state", "turn_starts")

    def __init__(self, state: S, plies: int, turn_starts: Sequence[int]) -> None:
        self.state = state
        """The position after them."""
        self.plies = plies
        """How many of them were legal; the first that was not is the next one."""
        self.turn_starts = turn_starts
        """After how many of them the number of the round, or pair of turns, grew by one."""


__all__ = ["Played", "Prepared"]
