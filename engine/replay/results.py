"""Says why a result is not the one that a record has to have (AGN-RESULT-1, AGN-RESULT-2, AGN-TAG-7)."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.agn.reading import RESULT
from engine.ruleset import UNFINISHED, RuleError, Ruleset, due_result
from engine.words import Words, counted, listed, sentences, words

_TWO = 2


def wrong_result(
    ruleset: Ruleset[Any, Any],
    state: Any,  # noqa: ANN401 (any game's position)
    seats: Sequence[str],
    written: str,
) -> RuleError:
    """Return the fault of a result that is not the one that follows from a position, with the reason."""
    due = due_result(ruleset.outcome(state))
    return RuleError(
        "AGN-RESULT-2" if UNFINISHED in (written, due) else "AGN-RESULT-1",
        "Expected result {due}, found {result}. {why}",
        due=due,
        result=written,
        why=why(ruleset, state, seats, written),
    )


def why(ruleset: Ruleset[Any, Any], state: Any, seats: Sequence[str], written: str) -> Words:  # noqa: ANN401 (any game)
    """Return why what is written is not the result: what is wrong with its form, and what decides the true one.

    :param state: the position after the last action.
    :param seats: the letters of the seats, in seat order.
    """
    due = due_result(ruleset.outcome(state))
    said = [*_of_form(ruleset, seats, written, due), *explained(ruleset, state)]
    if due == UNFINISHED and len(seats) == _TWO:
        said += _of_leaving(ruleset, seats, written)
    return sentences(said[0], said[1:])


def explained(ruleset: Ruleset[Any, Any], state: Any) -> Iterator[Words]:  # noqa: ANN401 (any game's position)
    """Yield how the game ended and what decided the places, or why it is not over."""
    if outcome := ruleset.outcome(state):
        yield words("The game ended by {rule}: {reason}", rule=outcome.rule, reason=outcome.reason)
    yield from ruleset.explain(state)


def _of_form(ruleset: Ruleset[Any, Any], seats: Sequence[str], written: str, due: str) -> Iterator[Words]:
    """Yield what is wrong with a result whatever happened in the game (AGN-RESULT-1)."""
    places = written.split("-")
    if written == UNFINISHED:
        return
    if not RESULT.fullmatch(written):
        yield words("A result is written as in 1-2, with a hyphen and no spaces, or as * (AGN-RESULT-1).")
    elif len(places) != len(seats):
        yield counted("It gives {count} place, but {seats} play (AGN-RESULT-1).",
                      "It gives {count} places, but {seats} play (AGN-RESULT-1).",
                      len(places), seats=listed([ruleset.seat(letter).name for letter in seats]))  # fmt: skip
    elif not _is_ranking(places):
        yield words("A result has places, not points: 1 for who is first; those who share a place have the same number,"
                    " and the places that they fill are left out after it (AGN-RESULT-1).")  # fmt: skip
    elif sorted(places) == sorted(due.split("-")):
        yield words("The places stand in the order of Seats: {seats} (AGN-RESULT-1).",
                    seats=listed([ruleset.seat(letter).name for letter in seats]))  # fmt: skip


def _is_ranking(places: Sequence[str]) -> bool:
    return all(place == str(1 + sum(int(other) < int(place) for other in places)) for place in places)


def _of_leaving(ruleset: Ruleset[Any, Any], seats: Sequence[str], written: str) -> Iterator[Words]:
    """Yield how players end a game of two before its end, if the result says that they did (AGN-ADMIN-1, 2)."""
    places = written.split("-")
    if places == ["1", "1"]:
        yield words("If both agreed to a draw, the action before the result is draw (AGN-ADMIN-2).")
    elif sorted(places) == ["1", "2"]:
        loser = seats[places.index("2")]
        yield words("If {player} gave up, the action before the result is {token} (AGN-ADMIN-1).",
                    player=ruleset.seat(loser).name, token=f"resign:{loser}")  # fmt: skip


__all__ = ["explained", "why", "wrong_result"]
