"""Reading the ladders: for each ruleset one of the whole site, and those of clubs."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from math import floor

from django.db import connection
from django.db.models import Count, Q, QuerySet, Sum

from engine.rating import TWELFTHS, shown
from games.models import Club, Ladder, Player, RankBucket, SnapshotRow, Standing
from games.platform.batches import in_chunks
from games.platform.paging import CursorError, Span

PROVISIONAL_GAMES = 20
PROVISIONAL_SIGMA = 250.0
"""A rating is provisional with fewer games or more uncertainty: until some 20 games of two, or 28 of four."""

_CHUNK = 2000
"""Lines fetched at once."""
MARK = r"(-?[0-9]{1,9}(?:\.[0-9]{1,17})?(?:e-[0-9]{1,2})?)_([0-9]{1,18})"
_MARK = re.compile(MARK)
"""The value and the number of a player: a page ends or begins beside them."""

_BESIDE = """
SELECT asked, (SELECT count(*) FROM games_standing
               WHERE ladder_id = %s AND games_standing.value > asked AND games_standing.value < floor(asked) + 1)
FROM unnest(%s::float8[]) AS asked
"""


@dataclass(frozen=True, slots=True)
class Missing:
    """What a rating still needs so that it is no longer provisional."""

    games: int
    """So many more."""
    sigma: float | None
    """The uncertainty, where it is too great."""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One line of a ladder as people see it."""

    rank: int
    standing: Standing | SnapshotRow

    @property
    def rating(self) -> int:
        """Return the rating in whole points."""
        return shown(self.standing.value)

    @property
    def share(self) -> float:
        """Return the mean share of rivals beaten, from 0 to 1."""
        return self.standing.beaten / TWELFTHS / self.standing.games if self.standing.games else 0.0

    @property
    def provisional(self) -> Missing | None:
        """Return what the rating still needs so that it is no longer provisional; None if it is not."""
        games = max(0, PROVISIONAL_GAMES - self.standing.games)
        sigma = self.standing.sigma if self.standing.sigma > PROVISIONAL_SIGMA else None
        return Missing(games, sigma) if games or sigma else None


@dataclass(frozen=True, slots=True)
class Part:
    """Some lines of a board, and the marks by which the lines before and after them are asked for."""

    rows: Sequence[LeaderboardRow]
    first: int = 1
    """The number of the first line."""
    previous: str | None = None
    next: str | None = None


def find_ladder(ruleset: str, club: Club | None = None) -> Ladder | None:
    """Return the ladder of a ruleset, on the whole site or in a club; none as long as no game counts for it."""
    return Ladder.objects.filter(ruleset=ruleset, club=club).first()


def find_ladder_of(ruleset: str, club: str = "") -> Ladder | None:
    """Return a ruleset's ladder in a club, or on the whole site; none while no game counts for it."""
    ladders = Ladder.objects.select_related("club").filter(ruleset=ruleset)
    return ladders.filter(club__slug=club).first() if club else ladders.filter(club=None).first()


def ladder_size(ruleset: str) -> int:
    """Return how many players the whole site's ladder of a ruleset has."""
    found = find_ladder(ruleset)
    return found.players if found else 0


def top_of(ladder: Ladder, size: int) -> list[LeaderboardRow]:
    """Return the first lines of a ladder."""
    return list(_ranked(_in_order(ladder)[:size], 1, 1))


def every_row_of(ladder: Ladder) -> Iterator[LeaderboardRow]:
    """Return all lines of a ladder now, in order."""
    return _ranked(in_chunks(_in_order(ladder), _CHUNK), 1, 1)


def part_of(ladder: Ladder, span: Span, *, active_since: datetime | None = None) -> Part:
    """Return the lines of a ladder now, from the top or from a mark on. Equal ratings share a rank.

    :param active_since: only of players with a game accepted since then; ranks stay those of the whole ladder.
    :raises CursorError: when the span's mark is none.
    """
    lines = _in_order(ladder)
    if active_since:
        lines = lines.filter(last_at__gte=active_since)
    found, more_above, more_below = _around_mark(lines, span)
    return _part(ladder, found, (more_above, more_below), sparse=active_since is not None)


def part_around(ladder: Ladder, standing: Standing, size: int) -> Part:
    """Return the lines of a ladder with a player's own in their middle."""
    lines, mark = _in_order(ladder), (standing.value, standing.player_id)
    above = list(_beyond(lines, mark, upwards=True)[: size // 2 + 1])
    better = above[size // 2 - 1 :: -1]
    room = size - len(better) - 1
    below = list(_beyond(lines, mark, upwards=False)[: room + 1])
    return _part(
        ladder, [*better, standing, *below[:room]], (len(above) > len(better), len(below) > room), sparse=False
    )


def standing_of(ladder: Ladder, player: int) -> Standing | None:
    """Return a player's line of a ladder now."""
    return Standing.objects.filter(player=player, ladder=ladder).select_related("player").first()


def _in_order(ladder: Ladder) -> "QuerySet[Standing]":
    lines = Standing.objects.filter(ladder=ladder)
    return lines.select_related("player").order_by("-value", "player")


def _around_mark(lines: "QuerySet[Standing]", span: Span) -> tuple[list[Standing], bool, bool]:
    """Return the rows of a page, and whether there are more above and below."""
    mark = span.before or span.after
    if not mark:
        found = list(lines[: span.size + 1])
        return found[: span.size], False, len(found) > span.size
    found = list(_beyond(lines, _read(mark), upwards=bool(span.before))[: span.size + 1])
    more, found = len(found) > span.size, found[: span.size]
    return (found[::-1], more, True) if span.before else (found, True, more)


def _beyond(lines: "QuerySet[Standing]", mark: tuple[float, int], *, upwards: bool) -> "QuerySet[Standing]":
    value, player = mark
    if upwards:
        return lines.filter(value__gte=value).exclude(value=value, player__gte=player).order_by("value", "-player")
    return lines.filter(value__lte=value).exclude(value=value, player__lte=player)


def _part(ladder: Ladder, found: list[Standing], more: tuple[bool, bool], *, sparse: bool) -> Part:
    if not found:
        return Part([])
    above, below = more
    better, ties = _above(ladder.pk, found[0])
    rows = _rank_each(ladder.pk, found) if sparse else list(_ranked(found, better + 1, better + ties + 1))
    return Part(
        rows=rows,
        first=better + ties + 1,
        previous=_write(found[0]) if above else None,
        next=_write(found[-1]) if below else None,
    )


def _ranked(standings: Iterable[Standing], rank: int, first: int) -> Iterator[LeaderboardRow]:
    """Return consecutive rows with ranks, from a rank and a row number on."""
    value = None
    for line, standing in enumerate(standings, first):
        if value is not None and standing.value != value:
            rank = line
        value = standing.value
        yield LeaderboardRow(rank, standing)


def _rank_each(ladder: int, standings: Sequence[Standing]) -> list[LeaderboardRow]:
    """Return rows with ranks that need not be consecutive."""
    above = players_above(ladder)
    with connection.cursor() as cursor:
        cursor.execute(_BESIDE, [ladder, [standing.value for standing in standings]])
        beside = dict(cursor.fetchall())
    return [
        LeaderboardRow(above(floor(standing.value)) + beside[standing.value] + 1, standing) for standing in standings
    ]


def ranks_of(standings: Iterable[Standing]) -> dict[int, int]:
    """Return the ranks of some rows of ladders, by their ids, in two statements for each ladder."""
    by_ladder = dict[int, list[Standing]]()
    for standing in standings:
        by_ladder.setdefault(standing.ladder_id, []).append(standing)
    return {row.standing.pk: row.rank for ladder, found in by_ladder.items() for row in _rank_each(ladder, found)}


def rank_of(standing: Standing) -> int:
    """Return a player's rank in a ladder."""
    return rank_at(standing.ladder_id, standing.value)


def rank_at(ladder: int, value: float) -> int:
    """Return the rank of a rating in a ladder, exact at this moment, whatever the ladder's size.

    Players with more whole points are counted by bucket; only those with equally many are compared one by one.
    """
    beside = Standing.objects.filter(ladder=ladder, value__gt=value, value__lt=floor(value) + 1).count()
    return _in_buckets_above(ladder, value) + beside + 1


def _above(ladder: int, standing: Standing) -> tuple[int, int]:
    """Return how many players are better, and how many with the same rating are listed before this one."""
    value = standing.value
    beside = Standing.objects.filter(ladder=ladder, value__gte=value, value__lt=floor(value) + 1)
    found = beside.aggregate(
        better=Count("pk", filter=Q(value__gt=value)),
        ties=Count("pk", filter=Q(value=value, player__lt=standing.player_id)),
    )
    return _in_buckets_above(ladder, value) + found["better"], found["ties"]


def _in_buckets_above(ladder: int, value: float) -> int:
    above = RankBucket.objects.filter(ladder=ladder, points__gt=floor(value)).aggregate(players=Sum("players"))
    return above["players"] or 0


def rated_number(pk: int) -> int:
    """Return the id under which a player's games are rated; the given id if there is no such player."""
    return Player.objects.filter(pk=pk).values_list("merged_into", flat=True).first() or pk


def players_above(ladder: int) -> Callable[[int], int]:
    """Return how many players of a ladder have more whole points; fast enough to be called often."""
    buckets = buckets_of(ladder)
    points = [-bucket[0] for bucket in buckets]
    counts = [0, *accumulate(bucket[1] for bucket in buckets)]
    return lambda asked: counts[bisect_left(points, -asked)]


def buckets_of(ladder: int) -> list[tuple[int, int]]:
    """Return whole points and how many players have them, the best first."""
    held = RankBucket.objects.filter(ladder=ladder, players__gt=0)
    return list(held.order_by("-points").values_list("points", "players"))


def _write(standing: Standing) -> str:
    return f"{standing.value!r}_{standing.player_id}"


def _read(mark: str) -> tuple[float, int]:
    match = _MARK.fullmatch(mark)
    if match is None:
        raise CursorError(mark)
    return float(match[1]), int(match[2])
