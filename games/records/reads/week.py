"""The games of the week: a few of the newest that are worth watching, each for a reason of its own."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, Subquery

from games.models import Acceptance, Game, Seating
from games.models.records import VerdictKind
from games.records.reads.games import among, with_seats

MOST: Final = 4
PERIODS: Final = (7, 30)
"""Days of which the games are; the second where the first has too few."""
_CANDIDATES: Final = 1_000
"""Games that are compared: the newest."""
_FEWEST: Final = 10
"""Actions of a game that is worth watching."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pick:
    """A game that is worth watching."""

    game: Game
    reason: str
    """By what it is the first: one of the keys by which lists are sorted."""
    value: int


@dataclass(frozen=True, slots=True)
class Picks:
    """The games of the last days."""

    days: int
    games: tuple[Pick, ...]


_REASONS: Final = {
    "lead_changes": ("happened__lead_changes", 2),
    "closeness": ("happened__closeness", 80),
    "rating": ("rating", 1),
    "comments": ("comment_count", 1),
    "length": ("plies", _FEWEST),
}
"""The columns in which a game may be the first, and how much it must have there: the first reason comes first."""


def games_of_the_week(*, now: datetime) -> Picks:
    """Return some public games of people that came in lately and are worth watching."""
    days, later = PERIODS
    rows = _candidates(now - timedelta(days=later))
    chosen = list(_chosen(row for row in rows if row["received_at"] >= now - timedelta(days=days)))[:MOST]
    if len(chosen) < MOST:
        days, chosen = later, list(_chosen(rows))[:MOST]
    wanted = Game.objects.filter(among([pk for pk, _, _ in chosen])) if chosen else Game.objects.none()
    games = {game.pk: game for game in with_seats(wanted)}
    return Picks(days, tuple(Pick(games[pk], reason, value) for pk, reason, value in chosen if pk in games))


def _candidates(since: datetime) -> list[Row]:
    bots = Seating.objects.filter(game=OuterRef("pk"), player__is_bot=True)
    rated = Acceptance.objects.filter(game=OuterRef("pk"), ladder__club=None, counts=True, rating__isnull=False)
    public = Game.objects.filter(verdict=VerdictKind.VERIFIED, private=False, same_as=None, received_at__gte=since)
    newest = public.filter(~Exists(bots), plies__gte=_FEWEST).order_by("-received_at", "-pk").values("pk")[:_CANDIDATES]
    shown = Game.objects.filter(pk__in=newest).annotate(rating=Subquery(rated.values("rating")[:1]))
    return list(shown.values("pk", "received_at", *(column for column, _ in _REASONS.values())))


def _chosen(rows: Iterable[Row]) -> Iterator[tuple[int, str, int]]:
    """Yield the first of each kind, no game twice, with the reason and the value; of equal ones the longest."""
    left = list(rows)
    for reason, (column, least) in _REASONS.items():
        able = [row for row in left if (row[column] or 0) >= least]
        if able:
            best = max(able, key=lambda row: (row[column], row["plies"], row["pk"]))
            left.remove(best)
            yield best["pk"], reason, best[column]


__all__ = ["MOST", "PERIODS", "Pick", "Picks", "games_of_the_week"]
