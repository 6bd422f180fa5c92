"""Chooses an action in a position, for each strength of bot."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from engine.ruleset import A, S
from engine.searching.ahead import best_line
from engine.searching.search import Search
from engine.searching.turns import Line, one_more


class Strength(StrEnum):
    """How well a player plays."""

    RANDOM = "random"
    """Any legal action, each as likely."""
    GREEDY = "greedy"
    """The action after which the position looks best."""
    SEARCHING = "searching"
    """The action that begins the best turn, in view of what the others can do then."""


def choose(search: Search[S, A], state: S, strength: Strength, drawn: str | None = None) -> A:
    """Return an action of the seat to act.

    :param drawn: the card that has come and is to be played, by its code in any rotation.
    :raises ValueError: when the game is over.
    """
    search.acting(state)
    chosen: A = _CHOICES[strength](search, state, drawn)
    return chosen


def _random(search: Search[S, A], state: S, drawn: str | None) -> A:
    legal = list(search.legal(state, drawn))
    return legal[search.numbers.below(len(legal))]


def _greedy(search: Search[S, A], state: S, drawn: str | None) -> A:
    return pick(search, list(one_more(search, Line[S, A](0.0, (), state), drawn)))


def _searching(search: Search[S, A], state: S, drawn: str | None) -> A:
    return pick(search, best_line(search, state, drawn))


def pick(search: Search[S, A], lines: list[Line[S, A]]) -> A:
    """Return the first action of one of the best lines."""
    most = max([line.worth for line in lines])
    best = [line for line in lines if line.worth == most]
    return best[search.numbers.below(len(best))].actions[0]


_CHOICES: Final[Mapping[Strength, Callable[..., Any]]] = {
    Strength.RANDOM: _random,
    Strength.GREEDY: _greedy,
    Strength.SEARCHING: _searching,
}

__all__ = ["Strength", "choose"]
