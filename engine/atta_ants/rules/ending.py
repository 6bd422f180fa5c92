"""How a game of Atta Ants ended: who took which place, and why, in a few sentences."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.atta_ants.state import COLONIES, COLONY
from engine.ruleset import Outcome, Termination
from engine.words import Words, listed, sentences, words

_KEPT = 1 << 10
"""Outcomes that a process remembers."""


class Merits(NamedTuple):
    """What decides the places at the end of a game, by seat."""

    seats: tuple[str, ...]
    """Their letters."""
    counts: Sequence[int]
    """Ants in play."""
    eaten: Sequence[int]
    """Ants eaten by spiders."""
    left: Sequence[int]
    """The seats that left the game, the first to leave first."""
    eaten_decides: bool
    """Whether fewer ants eaten is better where as many are in play (ATTA-RANK-1)."""


class _Facts(NamedTuple):
    """What the reason says of the end, apart from its rule; outcomes with the same facts are the same."""

    colonies: tuple[str, ...]
    """The letters of those by which the game ended: with all six ants, the only one left, the one that left."""
    staying: tuple[str, ...] = ()
    """The letters of those still in play after somebody left."""
    tied: tuple[str, ...] = ()
    """The letters of those that share the first place."""
    ants: int = 0
    """How many ants each of these has in play."""
    eaten: int = -1
    """How many each of these lost to spiders; below 0 where that does not count."""
    eaten_decided: bool = False
    """Whether the number of ants eaten decided the first place."""


def ended(rule: str, merits: Merits) -> Outcome:
    """Return the outcome of a game that ended by its own rules."""
    ranking = [_merit(merits, seat) for seat in range(len(merits.counts))]
    places = _places(ranking)
    least = 1 if rule == "ATTA-END-2" else COLONY
    colonies = tuple([merits.seats[seat] for seat, count in enumerate(merits.counts) if count >= least])
    first = places.index(1)
    if places.count(1) > 1:
        tied = tuple([merits.seats[seat] for seat, place in enumerate(places) if place == 1])
        eaten = merits.eaten[first] if merits.eaten_decides else -1
        facts = _Facts(colonies, tied=tied, ants=merits.counts[first], eaten=eaten)
    else:
        facts = _Facts(colonies, eaten_decided=_eaten_decided(ranking))
    return _outcome(places, rule, facts, Termination.PLAYED)


def ended_by_players(rule: str, merits: Merits, how: Termination) -> Outcome:
    """Return the outcome of a game that ended because a player left it, or because both agreed to a draw."""
    if how == Termination.AGREED:
        return _outcome((1,) * len(merits.counts), rule, _Facts(()), how)
    places = _places([_merit(merits, seat) for seat in range(len(merits.counts))])
    staying = tuple([merits.seats[seat] for seat, count in enumerate(merits.counts) if count])
    return _outcome(places, rule, _Facts((merits.seats[merits.left[-1]],), staying), how)


@lru_cache(maxsize=_KEPT)
def _outcome(places: tuple[int, ...], rule: str, facts: _Facts, how: Termination) -> Outcome:
    """Return an outcome. They are few and alike, and to make one anew takes as long as all else at a game's end."""
    if how == Termination.PLAYED:
        return Outcome(places, rule, sentences(_cause(rule, facts.colonies), _first_place(facts)), how)
    if how == Termination.AGREED:
        return Outcome(places, rule, words("The players agreed to a draw."), how)
    return Outcome(places, rule, _leaving(facts, len(places), resigned=how == Termination.RESIGNED), how)


def _cause(rule: str, colonies: tuple[str, ...]) -> Words:
    """Return why the game was over."""
    if rule == "ATTA-END-4":
        return words("The deck is empty.")
    if rule == "ATTA-END-2":
        return words("Only {colony} is left.", colony=_named(colonies)) if colonies else words("No colony is left.")
    if len(colonies) == 1:
        return words("{colony} has all six ants in play.", colony=_named(colonies))
    return words("{colonies} have all six ants in play.", colonies=_named(colonies))


def _first_place(facts: _Facts) -> list[Words]:
    """Return what decided the first place, or why it is shared, where the ants in play do not tell (ATTA-RANK-1)."""
    if facts.eaten_decided:
        return [words("Fewer ants eaten decided the first place.")]
    if not facts.tied:
        return []
    tied = _named(facts.tied)
    if facts.eaten < 0:
        return [
            words(
                "{colonies} have the same number of ants in play, {ants}, and the rules of 2003 compare nothing else.",
                colonies=tied,
                ants=facts.ants,
            )
        ]
    return [
        words(
            "{colonies} have the same number of ants in play, {ants}, and lost the same number to spiders, {eaten}.",
            colonies=tied,
            ants=facts.ants,
            eaten=facts.eaten,
        )
    ]


def _leaving(facts: _Facts, seats: int, *, resigned: bool) -> Words:
    """Return who left, and who is left."""
    colony = COLONIES[facts.colonies[0]]
    left = words("{colony} resigned", colony=colony) if resigned else words("{colony} ran out of time", colony=colony)
    if not facts.staying:
        return words("{left}, and no colony is left.", left=left)
    if seats - 1 == len(facts.staying):
        return words("{left}.", left=left)
    return words("{left}, and only {colony} is left.", left=left, colony=_named(facts.staying))


def _named(letters: tuple[str, ...]) -> str | Words:
    return listed([COLONIES[letter] for letter in letters])


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


__all__ = ["Merits", "ended", "ended_by_players"]
