"""The administrative actions, the same in every game: a seat leaves, or both agree to a draw (AGN-ADMIN-1, 2)."""

from string import ascii_letters
from typing import Any, NamedTuple, TypeVar

from engine.ruleset import Ruleset, Termination

S = TypeVar("S")

LEAVING = {"resign": Termination.RESIGNED, "timeout": Termination.TIMED_OUT}
"""How a seat leaves, by the word that says so."""


class Administrative(NamedTuple):
    """The meaning of an administrative action."""

    how: Termination
    """RESIGNED, TIMED_OUT or AGREED."""
    letter: str | None
    """The letter of the seat that leaves; none where both agree to a draw."""


_KNOWN = {
    "draw": Administrative(Termination.AGREED, None),
    **{f"{word}:{letter}": Administrative(how, letter) for word, how in LEAVING.items() for letter in ascii_letters},
}
"""All of them by their tokens, for there are few."""


def parse_administrative(token: str) -> Administrative | None:
    """Parse an administrative action; return None for any other token."""
    return _KNOWN.get(token)


def administer(ruleset: Ruleset[S, Any], state: S, action: Administrative) -> S:
    """Return the position after an administrative action that is allowed here."""
    return ruleset.agree_draw(state) if action.letter is None else ruleset.leave(state, action.how)
