"""The actions of a record as they are written, and as the symmetries of a board show them.

Few callers need each token by itself: digests are made of all of them with spaces between, which a reader finds in
the text as it stands. Where actions were read byte by byte, each remembers how the symmetries show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.steps import Prepared

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled


class Written:
    """The actions of a record, administrative ones too."""

    __slots__ = ("_tokens", "ending", "plies", "steps", "text")

    def __init__(self, text: str, plies: int, steps: Sequence[Prepared] = (), ending: str = "") -> None:
        self.text = text
        """All tokens, with a space between."""
        self.plies = plies
        """How many there are."""
        self.steps = steps
        """The actions but the last ones, where they remember their tokens; none if that is not known."""
        self.ending = ending
        """The tokens that follow them, with a space between."""
        self._tokens: list[str] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Written) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def tokens(self) -> list[str]:
        """Return each token."""
        if self._tokens is None:
            self._tokens = self.text.split(" ") if self.text else []
        return self._tokens

    def seen(self, symmetries: Sequence[Mapping[str, str]], number: int) -> str:
        """Return the text as one of all symmetries of a game shows it, by its place there; the first changes nothing.

        :param symmetries: tokens as each of them shows them; administrative ones stay the same.
        """
        if number == 0:
            return self.text
        if not self.steps:
            return " ".join(map(symmetries[number].__getitem__, self.tokens()))
        words = list[str]()
        view: i64 = number
        for step in list(self.steps):
            seen = step.seen
            if len(seen) == 1:
                seen = step.seen = _in_all(symmetries, seen[0])
            words.append(seen[view])
        if self.ending:
            words.append(self.ending)
        return " ".join(words)


def written(tokens: list[str]) -> Written:
    """Return actions that were read token by token."""
    found = Written(" ".join(tokens), len(tokens))
    found._tokens = tokens  # noqa: SLF001 (what it would split its text into)
    return found


def _in_all(symmetries: Sequence[Mapping[str, str]], token: str) -> tuple[str, ...]:
    return tuple([symmetry[token] for symmetry in symmetries])


__all__ = ["Written", "written"]
