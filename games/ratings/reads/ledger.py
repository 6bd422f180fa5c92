"""Reading the ledger: of the entries for a game and a seat the newest applies."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from psycopg import ServerCursor

from engine.fold import FRESH, Rated
from engine.rating import Rating
from games.models import Acceptance, Game, RatingEvent

_CHUNK = 5000
"""Entries fetched at once."""

# Game by game, so that the first come at once, however many follow, and other ladders cost nothing.
_GAMES = """
SELECT acceptance.number, seating.player_id, held.player_id, held.place, NOT acceptance.counts,
       held.mu_before, held.sigma_before, held.mu, held.sigma
FROM games_acceptance AS acceptance
CROSS JOIN LATERAL (SELECT DISTINCT ON (seat) * FROM games_ratingevent AS event
                    WHERE event.number = acceptance.number ORDER BY seat, id DESC) AS held
JOIN games_seating AS seating ON seating.game_id = acceptance.game_id AND seating.seat = held.seat
WHERE acceptance.ladder_id = %s AND acceptance.number >= %s
ORDER BY acceptance.number, held.seat
"""

_NEWEST = """
SELECT line.ladder_id, line.player_id, newest.number, acceptance.accepted_at
FROM unnest(%s::bigint[], %s::bigint[]) AS line (ladder_id, player_id)
CROSS JOIN LATERAL (
    SELECT number, acceptance_id FROM games_ratingevent AS event
    WHERE event.ladder_id = line.ladder_id AND event.player_id = line.player_id AND counts AND NOT EXISTS (
        SELECT FROM games_ratingevent AS later
        WHERE later.number = event.number AND later.seat = event.seat AND later.id > event.id)
    ORDER BY number DESC, id DESC LIMIT 1) AS newest
JOIN games_acceptance AS acceptance ON acceptance.id = newest.acceptance_id
"""

_BEFORE = """
SELECT mu, sigma FROM games_ratingevent AS event
WHERE ladder_id = %s AND player_id = %s AND number < %s AND NOT EXISTS (
    SELECT FROM games_ratingevent AS later
    WHERE later.number = event.number AND later.seat = event.seat AND later.id > event.id)
ORDER BY number DESC, id DESC LIMIT 1
"""


def rated_games(ladder: int, since: int = 1) -> Iterator[Rated]:
    """Yield the games of a ladder as the ledger has them, in order, from a place on; within a transaction."""
    connection.ensure_connection()
    with ServerCursor(connection.connection, "rated_games") as cursor:
        cursor.itersize = _CHUNK
        cursor.execute(_GAMES, [ladder, since])
        for number, rows in groupby(cursor, itemgetter(0)):
            yield _rated(number, list(rows))


def _rated(number: int, rows: list[tuple[int, int, int, int, bool, float, float, float, float]]) -> Rated:
    return Rated(
        number=number,
        seated=tuple([row[1] for row in rows]),
        players=tuple([row[2] for row in rows]),
        places=tuple([row[3] for row in rows]),
        annulled=rows[0][4],
        before=tuple([Rating(row[5], row[6]) for row in rows]),
        after=tuple([Rating(row[7], row[8]) for row in rows]),
    )


def newest_games(lines: Iterable[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, datetime]]:
    """Return by ladder and player the place of the newest game that counts, and when it was accepted."""
    wanted = list(lines)
    if not wanted:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, [[ladder for ladder, _ in wanted], [player for _, player in wanted]])
        return {(ladder, player): (number, at) for ladder, player, number, at in cursor}


def rating_before(ladder: int, player: int, number: int) -> Rating:
    """Return a player's rating before a place in the order."""
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [ladder, player, number])
        found = cursor.fetchone()
    return Rating(*found) if found else FRESH


def ratings_of(game: Game) -> dict[int, RatingEvent]:
    """Return what a game did to ratings on the whole site's ladder, by seat; nothing while it is not accepted."""
    return {event.seat: event for event in RatingEvent.objects.filter(game=game, ladder__club=None).order_by("id")}


def holding() -> Q:
    """Return a condition for entries that apply: the newest for each game and seat."""
    later = RatingEvent.objects.filter(number=OuterRef("number"), seat=OuterRef("seat"), id__gt=OuterRef("id"))
    return Q(~Exists(later))


def games_without_means() -> "QuerySet[Acceptance]":
    """Return the rated games of which is not known how strong their players were."""
    return Acceptance.objects.filter(number__isnull=False, rating__isnull=True)
