"""Evaluation of a position of Picnic: the crumbs eaten and those within reach."""

from typing import Final

from engine.ruleset import standing

from .state import State, reach

_WITHIN_REACH: Final = 0.4
"""The fraction of the reachable crumbs that counts."""


def evaluate(state: State, letter: str) -> float:
    """Return how much better a player is doing than the others on average."""
    seat = state.seats.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    worths = [eaten + _WITHIN_REACH * _best(state, of) for of, eaten in enumerate(state.eaten)]
    return worths[seat] - (sum(worths) - worths[seat]) / (len(worths) - 1)


def _best(state: State, seat: int) -> int:
    return max((state.crumbs[plate] for ant in state.ants[seat] for plate in reach(state, ant)), default=0)


__all__ = ["evaluate"]
