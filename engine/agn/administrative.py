"""The administrative actions, the same in every game: a seat leaves, or both agree to a draw (AGN-ADMIN-1, 2)."""

import re
from typing import Any, NamedTuple, TypeVar

from engine.ruleset import Ruleset, Termination

S = TypeVar("S")

_FORM = re.compile(r"draw|(resign|timeout):([A-Za-z])")
LEAVING = {"resign": Termination.RESIGNED, "timeout": Termination.TIMED_OUT}
"""How a seat leaves, by the word that says so."""


class Administrative(NamedTuple):
    """The meaning of an administrative action."""

    how: Termination
    """RESIGNED, TIMED_OUT or AGREED."""
    letter: str | None
    """The letter of the seat that leaves; none where both agree to a draw."""


_DRAW = Administrative(Termination.AGREED, None)


def parse_administrative(token: str) -> Administrative | None:
    """Parse an administrative action; return None for any other token."""
    match = _FORM.fullmatch(token)
    if match is None:
        return None
    return Administrative(LEAVING[match[1]], match[2]) if match[1] else _DRAW


def administer(ruleset: Ruleset[S, Any], state: S, action: Administrative) -> S:
    """Return the position after an administrative action that is allowed here."""
    return ruleset.agree_draw(state) if action.letter is None else ruleset.leave(state, action.how)
