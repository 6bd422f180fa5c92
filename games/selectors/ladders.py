"""Reading the ladders: for each ruleset one of the whole site, and those of leagues."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import floor

from django.db.models import QuerySet, Sum

from engine.rating import TWELFTHS, shown
from games.models import Ladder, League, RankBucket, Standing


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


def find_ladder(ruleset: str, league: League | None = None) -> Ladder | None:
    """The ladder of a ruleset, on the whole site or in a league; none as long as no game counts for it."""
    return Ladder.objects.filter(ruleset=ruleset, league=league).first()


def find_ladder_of(ruleset: str, league: str = "") -> Ladder | None:
    """The ladder of a ruleset in the league of a slug, or on the whole site; none as long as no game counts for it."""
    ladders = Ladder.objects.select_related("league").filter(ruleset=ruleset)
    return ladders.filter(league__slug=league).first() if league else ladders.filter(league=None).first()


def ladder(ruleset: str, *, start: int = 1, size: int = 100) -> list[Rung]:
    """The lines of a ladder from a rank on. Equal ratings share a rank; their order is that of first appearance."""
    standings = _in_order(ruleset)[start - 1 : start - 1 + size]
    return list(_ranked(list(standings), start))


def _in_order(ruleset: str) -> "QuerySet[Standing]":
    lines = Standing.objects.filter(ladder__ruleset=ruleset, ladder__league=None)
    return lines.select_related("player").order_by("-value", "player")


def _ranked(standings: list[Standing], start: int) -> Iterator[Rung]:
    if not standings:
        return
    rank, value = rank_of(standings[0]), standings[0].value
    for place, standing in enumerate(standings, start):
        if standing.value != value:
            rank, value = place, standing.value
        yield Rung(rank, standing)


def ladder_size(ruleset: str) -> int:
    """How many players a ladder has."""
    found = find_ladder(ruleset)
    return found.players if found else 0


def rank_of(standing: Standing) -> int:
    """A player's rank in a ladder."""
    return rank_at(standing.ladder_id, standing.value)


def rank_at(ladder: int, value: float) -> int:
    """The rank of a rating in a ladder, exact at this moment, whatever the ladder's size.

    Whoever has more whole points is counted by bucket; only those of as many are looked at one by one.
    """
    points = floor(value)
    above = RankBucket.objects.filter(ladder=ladder, points__gt=points).aggregate(players=Sum("players"))["players"]
    beside = Standing.objects.filter(ladder=ladder, value__gt=value, value__lt=points + 1).count()
    return (above or 0) + beside + 1


def players_above(ladder: int) -> Callable[[int], int]:
    """How many players of a ladder have more whole points than so many, for asking often."""
    buckets = (
        RankBucket.objects.filter(ladder=ladder, players__gt=0).order_by("-points").values_list("points", "players")
    )
    points = [-bucket[0] for bucket in buckets]
    counts = [0, *accumulate(bucket[1] for bucket in buckets)]
    return lambda asked: counts[bisect_left(points, -asked)]
