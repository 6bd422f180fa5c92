"""Placements in order to ratings: the online ranking rules. Knows no games, no players' names, no clock.

Plackett–Luce (Weng and Lin, *A Bayesian Approximation Method for Online Ranking*, 2011, algorithm 4) as the
`openskill` library computes it, on the scale of the site that runs Atta Ants online.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

ALGORITHM = "plackett-luce/1"
"""Changes whenever the same placements could give other ratings."""

MU, SIGMA = 1200.0, 400.0
"""Where everybody begins, in rating points: `max(0, mu - 3 sigma)` shows 0."""
BETA = 200.0
TAU = 4.0
DECIMALS = 6
"""Ratings are rounded after every game, so that machines whose last bits differ agree."""

TWELFTHS = 12
"""Shares of rivals beaten are counted in twelfths, in which all of two to four seats are whole."""

_model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a player's strength: a mean and its uncertainty, in rating points."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def value(self) -> float:
        """What ladders are sorted by: the strength that is all but certain."""
        return self.mu - 3 * self.sigma

    @property
    def shown(self) -> int:
        """What people see of it."""
        return shown(self.value)


def shown(value: float) -> int:
    """A rating as people see it: whole points, never below 0."""
    return max(0, math.floor(value))


def rate(ratings: Sequence[Rating], placements: Sequence[int]) -> list[Rating]:
    """The ratings after one game.

    Players who share a place, and were rated alike, are rated alike, in whatever order they are given.

    :param ratings: of two to four players, before the game.
    :param placements: the place of each, from 1, shared places alike.
    :returns: in the order given.
    """
    teams = [[_model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    rated = _model.rate(teams, ranks=[float(place) for place in placements])
    return [Rating(round(team[0].mu, DECIMALS), round(team[0].sigma, DECIMALS)) for team in rated]


def beaten(placements: Sequence[int]) -> list[int]:
    """The share of its rivals that each seat beat, in twelfths.

    `(n - place) / (n - 1)`, where those who share a place share the mean of the places they take: in a game of
    four, a second place shared by two counts as two and a half.
    """
    rivals = len(placements) - 1
    return [
        (2 * len(placements) - 2 * place - placements.count(place) + 1) * TWELFTHS // (2 * rivals)
        for place in placements
    ]
