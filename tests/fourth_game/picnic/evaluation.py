"""How well a player of Picnic stands: the crumbs eaten, and those within reach."""

from typing import Final

from engine.ruleset import standing

from .state import State, reach

_WITHIN_REACH: Final = 0.4
"""Which part of the most crumbs that an ant can come to counts."""


def evaluate(state: State, letter: str) -> float:
    """Return how much better a player stands than the others on average."""
    seat = state.seats.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    worths = [eaten + _WITHIN_REACH * _best(state, of) for of, eaten in enumerate(state.eaten)]
    return worths[seat] - (sum(worths) - worths[seat]) / (len(worths) - 1)


def _best(state: State, seat: int) -> int:
    return max((state.crumbs[plate] for ant in state.ants[seat] for plate in reach(state, ant)), default=0)


__all__ = ["evaluate"]
