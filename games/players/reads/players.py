"""Reading players."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, DateTimeField, Exists, F, Max, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Cast, Coalesce

from games.ladders.reads.careers import AnyEvent
from games.ladders.reads.ladders import LeaderboardRow, rank_of
from games.models import By, DayRating, Ladder, Player, RatingEvent, Seating, Standing
from games.models.folding import has_part
from games.ratings.reads.ledger import holding
from games.records.reads.visibility import NOBODY, Viewer, players_for


def find_player(pk: int, viewer: Viewer) -> Player:
    """Find a player by number.

    :raises Player.DoesNotExist: when none has it whom the viewer may know of.
    """
    return Player.objects.select_related("account", "merged_into__account").get(players_for(viewer), pk=pk)


def is_public(player: Player) -> bool:
    """Say whether everybody may know of a player."""
    return Player.objects.filter(players_for(NOBODY), pk=player.pk).exists()


def own_number(account: int, ladder: Ladder) -> int | None:
    """Return an account's player on a ladder, the best if there are several."""
    mine = Standing.objects.filter(ladder=ladder, player__account=account).order_by("-value")
    return mine.values_list("player", flat=True).first()


def standings_of(player: Player) -> list[LeaderboardRow]:
    """Return a player's lines in all ladders."""
    standings = Standing.objects.filter(player=player, ladder__club=None).select_related("player", "ladder")
    return [LeaderboardRow(rank_of(standing), standing) for standing in standings.order_by("ladder__ruleset")]


def leaderboard_row_of(player: Player, ladder: Ladder) -> LeaderboardRow | None:
    """Return a player's line in a ladder."""
    standing = Standing.objects.filter(player=player, ladder=ladder).select_related("player", "ladder").first()
    return LeaderboardRow(rank_of(standing), standing) if standing else None


@dataclass(frozen=True, slots=True)
class History:
    """A player's rating in one ruleset, game by game."""

    ruleset: str
    events: list[AnyEvent]


def histories_of(player: Player, by: By = By.ACCEPTED, *, size: int = 500) -> list[History]:
    """Return a player's ratings, game by game, a history for each ruleset; of the newest games."""
    events: list[AnyEvent]
    if by == By.PLAYED:
        rated = DayRating.objects.filter(player=player, ladder__club=None)
        events = [*rated.select_related("acceptance__game", "ladder").order_by("-day", "-number")[:size]]
    else:
        held = RatingEvent.objects.filter(holding(), player=player, ladder__club=None, counts=True)
        events = [*held.select_related("game", "ladder").order_by("-number")[:size]]
    by_ruleset: dict[str, list[AnyEvent]] = {}
    for event in reversed(events):
        by_ruleset.setdefault(event.ladder.ruleset, []).append(event)
    return [History(ruleset, found) for ruleset, found in sorted(by_ruleset.items())]


def namesakes(player: Player, viewer: Viewer) -> "QuerySet[Player]":
    """Return players of the same name from other sources; they may be other people."""
    return Player.objects.filter(players_for(viewer), name=player.name).exclude(pk=player.pk).order_by("source", "pk")


@dataclass(frozen=True, slots=True)
class Known:
    """From when to when a name was at games, and at how many: which of several of one name it is."""

    games: int
    first: datetime | None
    last: datetime | None


def known_of(players: Iterable[int]) -> dict[int, Known]:
    """Return what identifies each of some players. Dates are first possible ones of play, or those of upload."""
    day = Coalesce(Cast("game__played_from", DateTimeField()), "game__received_at")
    found = Seating.objects.filter(player__in=list(players)).values("player")
    rows = found.annotate(games=Count("pk"), first=Min(day), last=Max(day)).order_by("player")
    return {row["player"]: Known(row["games"], row["first"], row["last"]) for row in rows}


def games_together(one: Player, other: Player) -> int:
    """Return the number of games in which two players both played."""
    theirs = Seating.objects.filter(player=other, game=OuterRef("game"))
    return Seating.objects.filter(Exists(theirs), player=one).count()


OTHER_NAMES = Q(merged_into=None) | ~Q(merged_into__folded=F("folded"))
"""Leaves out players who were merged into one of the same name, in another form: that one is found."""


def search_players(name: str, viewer: Viewer, *, size: int = 50) -> "QuerySet[Player]":
    """Return players whose name contains a text, by name."""
    found = Player.objects.filter(players_for(viewer), OTHER_NAMES, has_part(F("folded"), name))
    return found.order_by("name", "source", "pk")[:size]
