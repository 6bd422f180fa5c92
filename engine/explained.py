"""Why a rating changed: every term of the formula by which a game was rated, so that anyone can recompute it by hand.

`engine.rating` rates; this spells out the same sum (Weng and Lin 2011, algorithm 4), and a test keeps both equal.
A game is read as a series of choices: first place is chosen from all players, the next place from those who are left,
and so on. A player's own choice raises their rating by what was unexpected about it; every choice of another while they
were still left lowers it by the probability that they would have been chosen.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.rating import BETA, DECIMALS, KAPPA, TAU, Rating


@dataclass(frozen=True, slots=True)
class Term:
    """One choice in which a player took part."""

    seat: int
    """Whose choice it was, in the order given."""
    chance: float
    """That it would be this player's, from 0 to 1."""
    share: float
    """What the choice counts: players who share a place share one choice."""
    own: bool
    """Whether it was this player's."""

    @property
    def surprise(self) -> float:
        """What the choice adds to the player's sum: the unexpected part of a success, or the failed expectation."""
        return ((1 - self.chance) if self.own else -self.chance) * self.share


@dataclass(frozen=True, slots=True)
class Explained:
    """How one player's rating changed in a game."""

    place: int
    before: Rating
    widened: float
    """The uncertainty with which the player came: a little more than after the last game (tau)."""
    spread: float
    """How much the strengths and the luck of all players of the game vary together, in points: c."""
    terms: tuple[Term, ...]
    after: Rating

    @property
    def surprise(self) -> float:
        """The sum of the terms."""
        return sum(term.surprise for term in self.terms)

    @property
    def weight(self) -> float:
        """How many points one unit of surprise is worth: more for an uncertain rating."""
        return self.widened**2 / self.spread

    @property
    def learnt(self) -> float:
        """The share by which the variance shrinks."""
        doubt = sum(term.chance * (1 - term.chance) * term.share for term in self.terms)
        return (self.widened / self.spread) ** 3 * doubt

    @property
    def recomputed(self) -> Rating:
        """The rating after the game, from the terms."""
        mu = self.before.mu + self.weight * self.surprise
        sigma = self.widened * math.sqrt(max(1 - self.learnt, KAPPA))
        return Rating(round(mu, DECIMALS), round(sigma, DECIMALS))


def explain(before: Sequence[Rating], placements: Sequence[int], after: Sequence[Rating]) -> list[Explained]:
    """Return the calculation by which a game was rated, for each player.

    :param before: of two to four players.
    :param placements: the place of each, from 1, shared places alike.
    :param after: what `engine.rating.rate` made of it.
    """
    widened = [math.hypot(rating.sigma, TAU) for rating in before]
    spread = math.sqrt(sum(sigma**2 + BETA**2 for sigma in widened))
    strengths = [math.exp(rating.mu / spread) for rating in before]
    return [
        Explained(place, rating, widened[seat], spread, tuple(_terms(seat, strengths, placements)), after[seat])
        for seat, (rating, place) in enumerate(zip(before, placements, strict=True))
    ]


def _terms(seat: int, strengths: Sequence[float], placements: Sequence[int]) -> list[Term]:
    """Return the choices in which a player took part: for their own place and for all places before it."""
    return [
        Term(other, strengths[seat] / _left(place, strengths, placements), 1 / placements.count(place), other == seat)
        for other, place in enumerate(placements)
        if place <= placements[seat]
    ]


def _left(place: int, strengths: Sequence[float], placements: Sequence[int]) -> float:
    """Return the combined strength of the players left when a place was chosen."""
    return sum(strength for strength, taken in zip(strengths, placements, strict=True) if taken >= place)
