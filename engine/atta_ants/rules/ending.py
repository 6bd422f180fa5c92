"""How a game of Atta Ants ended: who took which place, and why, in a sentence."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.ruleset import Outcome, Termination
from engine.words import marked

_KEPT = 1 << 10
"""Outcomes that a process remembers."""


class Merits(NamedTuple):
    """What decides the places at the end of a game, by seat."""

    counts: Sequence[int]
    """Ants in play."""
    eaten: Sequence[int]
    """Ants eaten by spiders."""
    left: Sequence[int]
    """The seats that left the game, the first to leave first."""
    eaten_decides: bool
    """Whether fewer ants eaten is better where as many are in play (ATTA-RANK-1)."""


def ended(rule: str, merits: Merits, *, nobody: bool) -> Outcome:
    """Return the outcome of a game that ended by its own rules. `nobody`: no colony is left."""
    ranking = [_merit(merits, seat) for seat in range(len(merits.counts))]
    return _outcome(_places(ranking), rule, _reason(rule, ranking, nobody=nobody))


def _reason(rule: str, ranking: Sequence[tuple[int, int, int]], *, nobody: bool) -> str:
    if _eaten_decided(ranking):
        return _EATEN_DECIDED[rule]
    return _NO_COLONY if nobody else _REASONS[rule]


def ended_by_players(rule: str, merits: Merits, how: Termination) -> Outcome:
    """Return the outcome of a game that ended because a player left it, or because both agreed to a draw."""
    if how == Termination.AGREED:
        places = (1,) * len(merits.counts)
    else:
        places = _places([_merit(merits, seat) for seat in range(len(merits.counts))])
    return _outcome(places, rule, _SAID[how], how)


@lru_cache(maxsize=_KEPT)
def _outcome(places: tuple[int, ...], rule: str, reason: str, how: Termination = Termination.PLAYED) -> Outcome:
    """Return an outcome. They are few and alike, and to make one anew takes as long as all else at a game's end."""
    return Outcome(places, rule, reason, how)


def _places(ranking: Sequence[tuple[int, int, int]]) -> tuple[int, ...]:
    """Return the place of each seat (ATTA-RANK-1, ATTA-RANK-2); seats that share a place have the same number."""
    best_first = sorted(ranking, reverse=True)
    return tuple([1 + best_first.index(merit) for merit in ranking])


def _eaten_decided(ranking: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether a seat has as many ants as the winner but ranks lower because more of its ants were eaten."""
    best = max(ranking)
    return min([merit for merit in ranking if merit[:2] == best[:2]]) != best


def _merit(merits: Merits, seat: int) -> tuple[int, int, int]:
    if seat in merits.left:
        return 0, merits.left.index(seat), 0
    return 1, merits.counts[seat], -merits.eaten[seat] if merits.eaten_decides else 0


_REASONS = {
    "ATTA-END-2": marked("Only one colony is left."),
    "ATTA-END-3": marked("A colony has all six ants in play."),
    "ATTA-END-4": marked("The deck is empty."),
}
_NO_COLONY = marked("No colony is left.")
_SAID = {
    Termination.RESIGNED: marked("A player resigned, and at most one colony is left."),
    Termination.TIMED_OUT: marked("A player ran out of time, and at most one colony is left."),
    Termination.AGREED: marked("The players agreed to a draw."),
}
_EATEN_DECIDED = {
    "ATTA-END-2": marked("No colony is left. Fewer ants eaten decided the first place."),
    "ATTA-END-3": marked("Two or more colonies have all six ants in play. Fewer ants eaten decided the first place."),
    "ATTA-END-4": marked("The deck is empty. Fewer ants eaten decided the first place."),
}
"""Where colonies had as many ants in play (ATTA-RANK-1)."""

__all__ = ["Merits", "ended", "ended_by_players"]
