"""Ratings from placements, game by game. Independent of games, players' names and clocks.

Plackett–Luce (Weng and Lin, *A Bayesian Approximation Method for Online Ranking*, 2011, algorithm 4) for players who
play for themselves, on the scale of the site that runs Atta Ants online. A player i has a mean mu_i and an uncertainty
sigma_i, which first grows: s_i = sqrt(sigma_i² + tau²). Then, with places r counted from 1,

    c        = sqrt(sum over all players of (s_i² + beta²))
    p_iq     = exp(mu_i / c) / sum over all s with r_s >= r_q of exp(mu_s / c)
    omega_i  = s_i² / c  * sum over all q with r_q <= r_i of ((1 if q is i, else 0) - p_iq) / A_q
    delta_i  = s_i² / c² * sum over all q with r_q <= r_i of p_iq (1 - p_iq) / A_q * s_i / c
    mu_i'    = mu_i + omega_i
    sigma_i' = s_i sqrt(max(1 - delta_i, kappa))

where A_q is how many share the place of q. The last factor of delta is the paper's gamma, sigma_i / c as the authors
chose it. Every operation is the same as in the `openskill` library (6.2), and in the same order. The tests use that
library: before rounding, both are equal to the last bit. That is why sums are written out here, as `sum` adds
differently in later versions of Python, and squares are `** 2`, which may differ from a product in the last bit.

What the rounding secures: every game begins with numbers of six decimals, so what machines compute differently
never adds up. They do differ: `exp` comes from the system's library, and some processors multiply and add in one
step. Measured against fifty digits, a mean is off by at most 3e-13 and an uncertainty by 6e-14, where the decimals
kept are 1e-6 apart. So two machines, or two programs, write the same bytes unless the true value lies within about
3e-13 of the middle between two of them: at most one value in some two million.

What it does not secure: that one value. There the two differ by 1e-6, and a little in all games that follow from it;
which is why ladders are sorted and compared by what is stored, never by what somebody computes beside it, and why
another version of the library or of the formulas is another `ALGORITHM`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, floor, sqrt

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

KAPPA = 0.0001
"""The least part of a variance that is left after one game."""

_BETA_SQUARED, _TAU_SQUARED = BETA**2, TAU * TAU

Entry = tuple[int, float, float]
"""What one player brings to a game, and gets: place, mean, uncertainty."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's strength: a mean and its uncertainty, in rating points."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def value(self) -> float:
        """What ladders are sorted by: a cautious estimate of strength."""
        return self.mu - 3 * self.sigma

    @property
    def shown(self) -> int:
        """The rating as people see it."""
        return shown(self.value)


def shown(value: float) -> int:
    """Return a rating as people see it: whole points, never below 0."""
    return max(0, floor(value))


def rate(ratings: Sequence[Rating], placements: Sequence[int]) -> list[Rating]:
    """Return the ratings after one game.

    The order in which players are given does not change a single bit, and players who share a place and had equal
    ratings get equal ratings: sums depend on the order of their terms, so that order is fixed here.

    :param ratings: of two to four players, before the game.
    :param placements: the place of each, from 1, shared places alike.
    :returns: in the order given.
    """
    entries = [(place, rating.mu, rating.sigma) for place, rating in zip(placements, ratings, strict=True)]
    in_order = sorted(entries)
    after = {
        entry: Rating(round(mu, DECIMALS), round(sigma, DECIMALS))
        for entry, (mu, sigma) in zip(in_order, unrounded(in_order), strict=True)
    }
    return [after[entry] for entry in entries]


def unrounded(entries: Sequence[Entry]) -> list[tuple[float, float]]:
    """Return means and uncertainties after one game, to the last bit.

    :param entries: in ascending order.
    """
    widened = [sqrt(sigma * sigma + _TAU_SQUARED) for _, _, sigma in entries]
    squares = [sigma**2 for sigma in widened]
    total = 0.0
    for square in squares:
        total += square + _BETA_SQUARED
    spread = sqrt(total)
    strengths = [exp(mu / spread) for _, mu, _ in entries]
    choices = _choices([place for place, _, _ in entries], strengths)
    after = []
    for seat, (_, mu, _) in enumerate(entries):
        omega, delta = _learnt(seat, strengths[seat], choices)
        omega *= squares[seat] / spread
        delta *= squares[seat] / spread**2
        delta *= sqrt(squares[seat]) / spread
        after.append((mu + omega, widened[seat] * sqrt(max(1 - delta, KAPPA))))
    return after


def _choices(places: Sequence[int], strengths: Sequence[float]) -> list[tuple[float, int, int]]:
    """Return the choice for every place, in order.

    :returns: the combined strength of the players left, how many share the place, and the first seat after them.
    """
    choices: list[tuple[float, int, int]] = []
    for seat, place in enumerate(places):
        if seat and places[seat - 1] == place:
            choices.append(choices[-1])
            continue
        left = 0.0
        for strength in strengths[seat:]:
            left += strength
        tied = places.count(place)
        choices.append((left, tied, seat + tied))
    return choices


def _learnt(seat: int, strength: float, choices: Sequence[tuple[float, int, int]]) -> tuple[float, float]:
    """Return by how much a player's choices raise the estimate of their strength, and reduce its uncertainty."""
    omega = delta = 0.0
    for other in range(choices[seat][2]):
        left, tied, _ = choices[other]
        chance = strength / left
        delta += chance * (1 - chance) / tied
        if other == seat:
            omega += (1 - chance) / tied
        else:
            omega -= chance / tied
    return omega, delta


def beaten(placements: Sequence[int]) -> list[int]:
    """Return the share of its rivals that each seat beat, in twelfths.

    `(n - place) / (n - 1)`, where those who share a place share the mean of the places they take: in a game of
    four, a second place shared by two counts as two and a half.
    """
    rivals = len(placements) - 1
    return [
        (2 * len(placements) - 2 * place - placements.count(place) + 1) * TWELFTHS // (2 * rivals)
        for place in placements
    ]
