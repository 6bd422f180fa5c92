"""What the results of games say together: the mean places, and who won how often."""

from collections.abc import Mapping, Sequence
from typing import Final

UNFINISHED: Final = "*"
"""The result of a game that did not end."""


def places_of(result: str) -> list[int]:
    """Return the place of each seat in turn order; none of a game that did not end."""
    return [int(place) for place in result.split("-")] if result and result != UNFINISHED else []


def mean_places(results: Mapping[str, int]) -> tuple[float, ...]:
    """Return the mean place of each seat in turn order, of the games that ended, by how many had each result.

    None where no game ended, or where not equally many sat at all of them.
    """
    count, ended = finished(results), _ended(results)
    return tuple(round(sum(place * games for place, games in seat) / count, 2) for seat in _seats(ended))


def finished(results: Mapping[str, int]) -> int:
    """Return how many games ended."""
    return sum(games for _, games in _ended(results))


def wins(results: Mapping[str, int]) -> tuple[int, ...]:
    """Return how many games each seat won alone, in turn order, as `mean_places`."""
    ended = _ended(results)
    return tuple(
        sum(games for won, games in seat if won) for seat in _seats([(_won(one), games) for one, games in ended])
    )


def _ended(results: Mapping[str, int]) -> list[tuple[list[int], int]]:
    """Return the places and the number of games for each result of games that ended."""
    return [(places, games) for result, games in results.items() if (places := places_of(result))]


def _won(places: Sequence[int]) -> list[int]:
    return [int(place == 1 and places.count(1) == 1) for place in places]


def _seats(ended: Sequence[tuple[Sequence[int], int]]) -> list[list[tuple[int, int]]]:
    """Return for each seat what it has in each group of games, with their number; none where seats differ."""
    if len({len(values) for values, _ in ended}) != 1:
        return []
    return [[(values[seat], games) for values, games in ended] for seat in range(len(ended[0][0]))]


__all__ = ["UNFINISHED", "finished", "mean_places", "places_of", "wins"]
