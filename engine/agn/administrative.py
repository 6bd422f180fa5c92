"""The administrative actions, the same in every game: a seat leaves, or both agree to a draw (AGN-ADMIN-1, 2)."""

from collections.abc import Sequence
from string import ascii_letters
from typing import Any, NamedTuple, TypeVar

from engine.ruleset import IllegalMoveError, Ruleset, Termination
from engine.words import listed

S = TypeVar("S")

_WHO_CAN_DRAW = 2

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


def check_administrative(ruleset: Ruleset[Any, Any], action: Administrative, turn: str, seats: Sequence[str]) -> None:
    """Check that an administrative action is allowed while it is a seat's turn.

    Only `Ruleset.leave` knows whether a seat that resigns is still in the game.

    :param turn: the letter of the seat whose turn it is.
    :param seats: the letters of all seats of the game.
    :raises IllegalMoveError: (AGN-ADMIN-1, 2)
    """
    letter = action.letter
    if letter is None:
        if len(seats) != _WHO_CAN_DRAW:
            raise IllegalMoveError("AGN-ADMIN-2", "Players can agree to a draw only in a game of two.")
    elif letter not in seats:
        playing = listed([ruleset.seat(one).lettered for one in seats])
        raise IllegalMoveError("AGN-ADMIN-1", "There is no seat {letter} in this game; {seats} play.",
                               letter=letter, seats=playing)  # fmt: skip
    elif action.how == Termination.TIMED_OUT and letter != turn:
        raise IllegalMoveError(
            "AGN-ADMIN-1",
            "It is {turn}’s turn, so {colour} cannot run out of time now.",
            turn=ruleset.seat(turn).name,
            colour=ruleset.seat(letter).name,
        )


def administer(ruleset: Ruleset[S, Any], state: S, action: Administrative) -> S:
    """Return the position after an administrative action that `check_administrative` allows.

    :raises IllegalMoveError: if the seat that leaves is no longer in the game (AGN-ADMIN-1).
    """
    return ruleset.agree_draw(state) if action.letter is None else ruleset.leave(state, action.letter, action.how)
