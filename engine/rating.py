"""Placements in order to ratings: the online ranking rules. Knows no games, no players' names, no clock.

Plackett–Luce (Weng and Lin, *A Bayesian Approximation Method for Online Ranking*, 2011, algorithm 4) as the
`openskill` library computes it, on the scale of the site that runs Atta Ants online.

What the rounding secures: every game begins with numbers of six decimals, so what machines compute differently
never adds up. They do differ: `exp` comes from the system's library, and some processors multiply and add in one
step. Measured against fifty digits, a mean is off by at most 3e-13 and an uncertainty by 6e-14, where the decimals
kept are 1e-6 apart. So two machines, or two programs, write the same bytes unless the true value lies within about
3e-13 of the middle between two of them: at most one value in some two million.

What it does not secure: that one value. There the two differ by 1e-6, and a little in all games that follow from it;
which is why ladders are sorted and compared by what is stored, never by what somebody computes beside it, and why
another version of the library or of the formulas is another `ALGORITHM`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

ALGORITHM = "plackett-luce/1"
"""Changes whenever the same placements could give other ratings."""

MU, SIGMA = 1200.0, 400.0
"""Where everybody begins, in rating points: `max(0, mu - 3 sigma)` shows 0."""
BETA = 200.0
TAU = 4.0
DECIMALS = 6
"""Ratings are rounded after every game."""

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

    The order in which players are given changes no bit of it, and players who share a place, and were rated alike,
    are rated alike: the library is asked in one order alone, because sums depend on theirs.

    :param ratings: of two to four players, before the game.
    :param placements: the place of each, from 1, shared places alike.
    :returns: in the order given.
    """
    entries = [(place, rating.mu, rating.sigma) for place, rating in zip(placements, ratings, strict=True)]
    in_order = sorted(entries)
    teams = [[_model.rating(mu=mu, sigma=sigma)] for _, mu, sigma in in_order]
    rated = _model.rate(teams, ranks=[float(place) for place, _, _ in in_order])
    after = {entry: _rounded(team[0]) for entry, team in zip(in_order, rated, strict=True)}
    return [after[entry] for entry in entries]


def _rounded(rating: PlackettLuceRating) -> Rating:
    return Rating(round(rating.mu, DECIMALS), round(rating.sigma, DECIMALS))


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
