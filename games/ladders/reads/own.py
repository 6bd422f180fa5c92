"""Reading an account's own ratings: on each ladder of the site that of its best player, and how it came about."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from games.ladders.reads.ladders import LeaderboardRow, rank_of
from games.models import RatingEvent, Standing
from games.ratings.reads.ledger import holding

_MOST = 200
"""Games that the chart of a rating shows."""


@dataclass(frozen=True, slots=True)
class OwnRating:
    """A rating of the account's, and the newest games that made it."""

    row: LeaderboardRow
    events: tuple[RatingEvent, ...]
    """Of the games since some day, the oldest first."""


def own_ratings(account: int, *, since: datetime) -> list[OwnRating]:
    """Return an account's ratings, those with most games first.

    :param since: games that were accepted earlier are left out of the courses.
    """
    lines = Standing.objects.filter(player__account=account, ladder__club=None).select_related("player", "ladder")
    best = {line.ladder_id: line for line in lines.order_by("value", "-player")}
    ordered = sorted(best.values(), key=lambda line: (-line.games, line.ladder.ruleset))
    return [OwnRating(LeaderboardRow(rank_of(line), line), _events(line, since)) for line in ordered]


def ratings_by_name(accounts: Collection[int], rulesets: Collection[str]) -> Mapping[tuple[int, str], LeaderboardRow]:
    """Return what accounts have on the site's ladders under their own names, by account and ruleset.

    Which other names belong to an account is nobody's business. Ranks are left out.
    """
    lines = Standing.objects.filter(
        player__account__in=accounts,
        player__name=F("player__account__username"),
        ladder__club=None,
        ladder__ruleset__in=rulesets,
    ).select_related("player", "ladder")
    return {
        (line.player.account_id or 0, line.ladder.ruleset): LeaderboardRow(0, line)
        for line in lines.order_by("games", "player")
    }


def _events(line: Standing, since: datetime) -> tuple[RatingEvent, ...]:
    entries = RatingEvent.objects.filter(holding(), player=line.player_id, ladder=line.ladder_id, counts=True)
    lately = entries.filter(acceptance__accepted_at__gte=since).select_related("acceptance")
    return tuple(reversed(lately.order_by("-number")[:_MOST]))
