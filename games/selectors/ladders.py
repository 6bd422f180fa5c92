"""Reading the ladders: one a ruleset."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from engine.rating import TWELFTHS, shown
from games.models import Standing


@dataclass(frozen=True, slots=True)
class Rung:
    """One line of a ladder as people see it."""

    rank: int
    standing: Standing

    @property
    def rating(self) -> int:
        """The rating in whole points."""
        return shown(self.standing.value)

    @property
    def share(self) -> float:
        """The mean share of rivals beaten, from 0 to 1."""
        return self.standing.beaten / TWELFTHS / self.standing.games if self.standing.games else 0.0


def ladder(ruleset: str, *, start: int = 1, size: int = 100) -> list[Rung]:
    """The lines of a ladder from a rank on. Equal ratings share a rank; their order is that of first appearance."""
    standings = _in_order(ruleset)[start - 1 : start - 1 + size]
    return list(_ranked(ruleset, list(standings), start))


def _in_order(ruleset: str) -> "QuerySet[Standing]":
    return Standing.objects.filter(ruleset=ruleset).select_related("player").order_by("-value", "pk")


def _ranked(ruleset: str, standings: list[Standing], start: int) -> Iterator[Rung]:
    if not standings:
        return
    above = Standing.objects.filter(ruleset=ruleset, value__gt=standings[0].value).count()
    rank, value = above + 1, standings[0].value
    for place, standing in enumerate(standings, start):
        if standing.value != value:
            rank, value = place, standing.value
        yield Rung(rank, standing)


def ladder_size(ruleset: str) -> int:
    """How many players a ladder has."""
    return Standing.objects.filter(ruleset=ruleset).count()


def rank_of(standing: Standing) -> int:
    """A player's rank in a ladder."""
    return Standing.objects.filter(ruleset=standing.ruleset, value__gt=standing.value).count() + 1
