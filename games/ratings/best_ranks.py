"""Best ranks: every time a player reached a new best rank with a game that counts.

They follow from the current ledger: an annulled game has raised nobody. While games are only added, new best ranks are
stored; when the past changes, those since then are removed and found again.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby, islice
from math import floor
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection
from psycopg import ServerCursor

from games.platform.bulk_sql import columns
from games.ratings.ranks import BestRanks
from games.ratings.standings import Line

_CHUNK = 5000
"""Rows fetched, or written, at once."""

# Without joins of unknown size: a plan made for an empty ladder must also suit a full one.
_ABOVE = """
SELECT ladder_id, points, above FROM (
    SELECT ladder_id, points, sum(players) OVER (PARTITION BY ladder_id ORDER BY points DESC) - players AS above
    FROM games_rankbucket WHERE ladder_id = ANY(%s)) AS bucket
WHERE points = ANY(%s)
"""
_BEST = """
SELECT ladder_id, player_id, min(rank) FROM games_bestrank
WHERE ladder_id = ANY(%s::bigint[]) AND player_id = ANY(%s::bigint[]) GROUP BY ladder_id, player_id
"""
_ADD_RISEN = """
INSERT INTO games_bestrank (ladder_id, player_id, rank, number, at)
SELECT ladder_id, player_id, rank,
       (SELECT last_number FROM games_standing AS own
        WHERE own.ladder_id = risen.ladder_id AND own.player_id = risen.player_id), %s::timestamptz
FROM (
    SELECT ladder_id, player_id, best, above + 1 + (
               SELECT count(*) FROM games_standing AS beside WHERE beside.ladder_id = line.ladder_id
               AND beside.value > line.value AND beside.value < floor(line.value) + 1) AS rank
    FROM unnest(%s::bigint[], %s::bigint[], %s::float8[], %s::int[], %s::int[])
        AS line (ladder_id, player_id, value, above, best)
    OFFSET 0) AS risen
WHERE best IS NULL OR rank < best
"""
"""OFFSET 0 has each rank counted once."""

# Game by game, so that the first come at once, however many follow.
_COUNTED = """
SELECT acceptance.number, acceptance.accepted_at, held.player_id, held.mu - 3 * held.sigma AS value,
       held.mu_before - 3 * held.sigma_before AS before
FROM games_acceptance AS acceptance
CROSS JOIN LATERAL (SELECT DISTINCT ON (seat) * FROM games_ratingevent AS event
                    WHERE event.number = acceptance.number ORDER BY seat, id DESC) AS held
WHERE acceptance.ladder_id = %(ladder)s AND acceptance.number >= %(since)s AND held.counts
"""
# A player without another game that counts had no row before.
_BEFORE = f"""
WITH counted AS ({_COUNTED}),
first AS (
    SELECT DISTINCT ON (player_id) player_id, before, count(*) OVER (PARTITION BY player_id) AS games
    FROM counted ORDER BY player_id, number)
SELECT player_id, coalesce(first.before, line.value)
FROM games_standing AS line LEFT JOIN first USING (player_id)
WHERE line.ladder_id = %(ladder)s AND line.games > coalesce(first.games, 0)
"""  # noqa: S608 (made of constants)
_BEGINNING = """
SELECT first.number, first.accepted_at FROM games_acceptance AS touched
JOIN games_acceptance AS first ON first.ladder_id = touched.ladder_id AND first.accepted_at = touched.accepted_at
WHERE touched.ladder_id = %s AND touched.number = %s ORDER BY first.number LIMIT 1
"""
_BEST_OF_LADDER = "SELECT player_id, min(rank) FROM games_bestrank WHERE ladder_id = %s GROUP BY player_id"
_ADD = "COPY games_bestrank (ladder_id, player_id, rank, number, at) FROM STDIN"


class Rise(NamedTuple):
    """A rank better than all that a player had before, with the game and the moment."""

    player: int
    rank: int
    number: int
    at: datetime


def note_rises(values: Mapping[Line, float], *, at: datetime) -> None:
    """Store who has a better rank than ever after games that were added. Players who cannot have risen are skipped.

    :param values: the ratings, in points, of all for whom one of these games counts.
    """
    above, best = _players_above(values), _best_so_far(values)
    risen = [
        (*line, value, above[line[0], floor(value)], best.get(line))
        for line, value in values.items()
        if line not in best or above[line[0], floor(value)] + 1 < best[line]
    ]
    if risen:
        with connection.cursor() as cursor:
            cursor.execute(_ADD_RISEN, [at, *columns(risen, 5)])


def _players_above(values: Mapping[Line, float]) -> dict[Line, int]:
    """Return the number of players with more points, by ladder and whole points."""
    ladders, points = {ladder for ladder, _ in values}, set(map(floor, values.values()))
    with connection.cursor() as cursor:
        cursor.execute(_ABOVE, [list(ladders), list(points)])
        return {(ladder, points): int(above) for ladder, points, above in cursor.fetchall()}


def _best_so_far(lines: Iterable[Line]) -> dict[Line, int]:
    with connection.cursor() as cursor:
        cursor.execute(_BEST, columns(list(lines), 2))
        return {(ladder, player): rank for ladder, player, rank in cursor.fetchall()}


def find_again(ladder: int, since: int) -> None:
    """Remove what was stored from a game on, and store what follows from the current ledger.

    Called once ledger and standings are as they will be; reads no game before that one's transaction.

    :param since: a place in the order, of a game of this ladder.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BEGINNING, [ladder, since])
        first, moment = cursor.fetchone()
        cursor.execute("DELETE FROM games_bestrank WHERE ladder_id = %s AND at >= %s", [ladder, moment])
        cursor.execute(_BEFORE, {"ladder": ladder, "since": first})
        values = dict(cursor.fetchall())
        cursor.execute(_BEST_OF_LADDER, [ladder])
        ranks = BestRanks(values, dict(cursor.fetchall()))
    _write(ladder, _rises(ladder, first, ranks))


def rises_of(ladder: int) -> Iterator[Rise]:
    """Yield all rises of a ladder from its first game on, in order; within a transaction."""
    return _rises(ladder, 0, BestRanks())


def _rises(ladder: int, since: int, ranks: BestRanks) -> Iterator[Rise]:
    connection.ensure_connection()
    asked = {"ladder": ladder, "since": since}
    with ServerCursor(connection.connection, "counted_games") as cursor:
        cursor.itersize = _CHUNK
        cursor.execute(f"{_COUNTED} ORDER BY acceptance.number, held.seat", asked)
        for at, rows in groupby(cursor, itemgetter(1)):
            yield from _rises_at(at, rows, ranks)


def _rises_at(at: datetime, rows: Iterable[tuple[Any, ...]], ranks: BestRanks) -> Iterator[Rise]:
    """Look at the ranks once all games of a transaction are noted."""
    newest = {player: (number, value) for number, _, player, value, _ in rows}
    for player, rank in ranks.change({player: value for player, (_, value) in sorted(newest.items())}):
        yield Rise(player, rank, newest[player][0], at)


def _write(ladder: int, rises: Iterator[Rise]) -> None:
    """Write rises, some at a time: nothing else can be asked while they are copied."""
    while chunk := list(islice(rises, _CHUNK)):
        with connection.cursor() as cursor, cursor.copy(_ADD) as copy:
            for rise in chunk:
                copy.write_row((ladder, *rise))


def write_anew(ladders: Iterable[int]) -> None:
    """Write the rises of whole ladders, of which none are noted."""
    for ladder in ladders:
        _write(ladder, rises_of(ladder))
