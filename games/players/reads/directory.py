"""Reading the directory of players: by the words of a name, by ladder, by their last game; with their form."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import F, Q, QuerySet

from games.ladders.reads.ladders import LeaderboardRow, ranks_of
from games.models import Player, Standing
from games.models.folding import has_words
from games.players.reads.players import OTHER_NAMES
from games.records.reads.visibility import Viewer, players_for

SIZE = 50
"""Players on a page."""
LAST_GAMES = 5
"""Games in a row of the directory; a player's page shows more."""

_FORM = """
SELECT asked.player, last.place, last.lowest, last.at
FROM unnest(%(players)s::bigint[]) AS asked(player)
CROSS JOIN LATERAL (
    SELECT seating.place, game.received_at AS at,
           (SELECT max(other.place) FROM games_seating AS other WHERE other.game_id = seating.game_id) AS lowest
    FROM games_seating AS seating JOIN games_game AS game ON game.id = seating.game_id
    WHERE seating.player_id = asked.player AND seating.place IS NOT NULL AND game.verdict = 'verified'
          AND NOT game.private AND game.same_as_id IS NULL
    ORDER BY game.received_at DESC, game.id DESC LIMIT %(most)s
) AS last
ORDER BY last.at
"""
_FORM_BY_DAY = """
SELECT seating.place, (SELECT max(other.place) FROM games_seating AS other WHERE other.game_id = seating.game_id),
       game.received_at
FROM games_seating AS seating JOIN games_game AS game ON game.id = seating.game_id
WHERE seating.player_id = %(player)s AND seating.place IS NOT NULL AND game.verdict = 'verified'
      AND NOT game.private AND game.same_as_id IS NULL AND game.played_until IS NOT NULL
ORDER BY game.played_until DESC, game.received_at DESC, game.id DESC LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class DirectoryQuery:
    """A filter for players; empty fields do not filter."""

    beginning: str = ""
    """Of words of their names."""
    ruleset: str = ""
    """Those on a ladder of it."""
    club: str = ""
    """Those on a ladder of the club with this address."""
    active_since: datetime | None = None
    """Those with a game that counted since then."""
    after: int = 0
    """The number of the player after whom the page begins."""


class Result(NamedTuple):
    """A place in a verified game."""

    place: int
    lowest: int
    """The lowest place in that game."""
    at: datetime


@dataclass(frozen=True, slots=True)
class DirectoryRow:
    """A player in the directory."""

    player: Player
    standings: dict[str, LeaderboardRow]
    """By ruleset, on the site's ladders."""
    results: tuple[Result, ...]
    """In the newest verified games, the newest last."""


@dataclass(frozen=True, slots=True)
class DirectoryPart:
    """A page of the directory."""

    rows: list[DirectoryRow]
    following: int | None
    """The number of the last player here, if others follow."""


def directory(asked: DirectoryQuery, viewer: Viewer) -> DirectoryPart:
    """Return a page of the directory, by name."""
    found = list(_wanted(asked, viewer).order_by("name", "pk")[: SIZE + 1])
    players = found[:SIZE]
    standings, results = _standings_of(players), results_of(players, LAST_GAMES)
    rows = [DirectoryRow(one, standings.get(one.pk, {}), tuple(results.get(one.pk, ()))) for one in players]
    return DirectoryPart(rows, players[-1].pk if len(found) > SIZE else None)


def players_beginning(text: str, viewer: Viewer, count: int) -> list[Player]:
    """Return players in whose names words begin with those of a text, by name."""
    players = Player.objects.filter(players_for(viewer), OTHER_NAMES)
    return list(_beginning(players, text).order_by("name", "pk")[:count])


def results_of(players: Iterable[Player], most: int) -> dict[int, list[Result]]:
    """Return the places of some players in their newest verified games, the newest last."""
    found: dict[int, list[Result]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_FORM, {"players": [player.pk for player in players], "most": most})
        for player, *result in cursor.fetchall():
            found.setdefault(player, []).append(Result(*result))
    return found


def results_by_day(player: Player, most: int) -> list[Result]:
    """Return the places of a player in the verified games that were played last, the newest last."""
    with connection.cursor() as cursor:
        cursor.execute(_FORM_BY_DAY, {"player": player.pk, "most": most})
        return [Result(*row) for row in reversed(cursor.fetchall())]


def _wanted(asked: DirectoryQuery, viewer: Viewer) -> "QuerySet[Player]":
    players = Player.objects.filter(players_for(viewer), merged_into=None)
    if asked.beginning:
        players = _beginning(players, asked.beginning)
    if asked.ruleset or asked.club or asked.active_since:
        players = players.filter(pk__in=_on_ladders(asked).values("player"))
    if asked.after:
        last = Player.objects.filter(players_for(viewer), pk=asked.after).first()
        players = players.filter(Q(name__gt=last.name) | Q(name=last.name, pk__gt=last.pk)) if last else players
    return players


def _on_ladders(asked: DirectoryQuery) -> "QuerySet[Standing]":
    lines = Standing.objects.filter(Q(ladder__club__slug=asked.club) if asked.club else Q(ladder__club=None))
    if asked.ruleset:
        lines = lines.filter(ladder__ruleset=asked.ruleset)
    return lines.filter(last_at__gte=asked.active_since) if asked.active_since else lines


def _beginning(players: "QuerySet[Player]", text: str) -> "QuerySet[Player]":
    """Return players in whose names words begin with those of a text."""
    return players.filter(has_words("name", text))


def _standings_of(players: Iterable[Player]) -> dict[int, dict[str, LeaderboardRow]]:
    lines = Standing.objects.filter(player__in=[player.pk for player in players], ladder__club=None)
    rows = list(lines.annotate(ruleset=F("ladder__ruleset")))
    ranks, found = ranks_of(rows), dict[int, dict[str, LeaderboardRow]]()
    for line in rows:
        found.setdefault(line.player_id, {})[line.ruleset] = LeaderboardRow(ranks[line.pk], line)
    return found
