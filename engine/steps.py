"""What the prepared actions of all games have in common, so that a reader finds them by their characters.

A game's `Step` derives from `Prepared` and adds what its `play` needs, as machine words where that is possible. So a
token is one object from its characters to its effect: when thousands of different tokens come in turn, time goes into
waiting for memory, and each object more is one more wait (`bench/RESULTS.md`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled


class Prepared:
    """An action made ready to be played."""

    __slots__ = ("key", "token")

    key: i64
    """The characters of its token as a number; 0 if it was not met in a text yet."""
    token: str

    def __init__(self) -> None:
        self.key, self.token = 0, ""


__all__ = ["Prepared"]
