"""The games behind a board: those that counted at a certain entry of the ledger."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection, transaction
from psycopg import ServerCursor

from engine.agn.dates import Days, days_json
from games.models import By

_CHUNK = 5000
"""Rows fetched at once."""

LAST_ENTRIES = {
    By.ACCEPTED: """
SELECT DISTINCT ON (number, seat) number, seat, player_id, place, mu, sigma, counts, acceptance_id, NULL::date AS day
FROM games_ratingevent WHERE ladder_id = %(ladder)s AND id <= %(upto)s ORDER BY number, seat, id DESC
""",
    By.PLAYED: """
SELECT position AS number, seat, player_id, place, mu, sigma, true AS counts, acceptance_id, day
FROM games_dayrating WHERE ladder_id = %(ladder)s AND position <= %(upto)s ORDER BY position, seat
""",
}
"""The entries that held when `upto` was the last one; `number` is the game's place in the order."""

_LINES = """
SELECT concat_ws(' ', acceptance.number, game.digest,
                 to_char(acceptance.accepted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), held.day,
                 string_agg(held.player_id || ':' || held.place, ' ' ORDER BY held.seat))
FROM ({entries}) AS held
JOIN games_acceptance AS acceptance ON acceptance.id = held.acceptance_id
JOIN games_game AS game ON game.id = acceptance.game_id
WHERE held.counts AND held.number > %(begun)s
GROUP BY held.number, held.day, acceptance.number, game.digest, acceptance.accepted_at ORDER BY held.number
"""

_SEATS = """
SELECT held.number, acceptance.number, game.digest, game.key, acceptance.accepted_at, game.played_from,
       game.played_until, held.day, held.player_id, player.name, held.place
FROM ({entries}) AS held
JOIN games_acceptance AS acceptance ON acceptance.id = held.acceptance_id
JOIN games_game AS game ON game.id = acceptance.game_id
JOIN games_player AS player ON player.id = held.player_id
WHERE held.counts AND held.number > %(begun)s
ORDER BY held.number, held.seat
"""


@dataclass(frozen=True, slots=True)
class LedgerRange:
    """A part of one of a ladder's ledgers."""

    ladder: int
    upto: int
    """The last entry; by day played, the last position."""
    begun: int = 0
    """The last place in the order that is left out."""
    by: By = By.ACCEPTED

    @property
    def entries(self) -> str:
        """Return the query for its entries."""
        return LAST_ENTRIES[self.by]

    def params(self) -> dict[str, int]:
        """Return the parameters of the queries."""
        return {"ladder": self.ladder, "upto": self.upto, "begun": self.begun}


@dataclass(frozen=True, slots=True)
class Counted:
    """A game that counts. The seats are in turn order."""

    number: int
    digest: str
    key: str
    accepted_at: datetime
    played: Days | None
    day: date | None
    """By which it is rated; none by order of acceptance."""
    seats: tuple[tuple[int, str, int], ...]
    """Id and name of the rated player, and the place reached."""


def digest_lines(part: LedgerRange) -> Iterator[str]:
    """Return the lines of which the digest of the games is made, without line ends; call it in a transaction."""
    return (line for (line,) in _rows(_LINES, part))


def counted_games(part: LedgerRange) -> Iterator[Counted]:
    """Yield all games that count, in the order in which they are rated."""
    with transaction.atomic(), closing(_rows(_SEATS, part)) as rows:
        for _, seated in groupby(rows, itemgetter(0)):
            seats = list(seated)
            number, digest, key, accepted_at, first, last, day = seats[0][1:8]
            played = Days(first, last) if first else None
            yield Counted(number, digest, key, accepted_at, played, day, tuple([seat[8:] for seat in seats]))


def _rows(query: str, part: LedgerRange) -> Generator[tuple[Any, ...]]:
    connection.ensure_connection()
    with ServerCursor(connection.connection, "counted_games") as cursor:
        cursor.itersize = _CHUNK
        cursor.execute(query.format(entries=part.entries), part.params())
        yield from cursor


def game_json(game: Counted) -> dict[str, object]:
    """Return a rated game as it is exported: its key, and all that ratings and digest are computed from."""
    return {
        "number": game.number,
        "game_digest": game.digest,
        "key": game.key,
        "accepted_at": game.accepted_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        **days_json(game.played),
        **({"day": game.day.isoformat()} if game.day else {}),
        "seats": [{"player": player, "name": name, "place": place} for player, name, place in game.seats],
    }
