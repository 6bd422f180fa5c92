"""The games behind a board: those that counted at a certain entry of the ledger."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection, transaction
from psycopg import ServerCursor

from engine.agn.dates import Days, days_json

_CHUNK = 5000
"""Rows fetched at once."""

LAST_ENTRIES = """
SELECT DISTINCT ON (number, seat) number, seat, player_id, place, mu, sigma, counts, game_id, acceptance_id
FROM games_ratingevent WHERE ladder_id = %(ladder)s AND id <= %(upto)s ORDER BY number, seat, id DESC
"""
"""The entries that held when `upto` was the last one."""

_LINES = f"""
SELECT concat_ws(' ', held.number, game.digest,
                 to_char(acceptance.accepted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                 string_agg(held.player_id || ':' || held.place, ' ' ORDER BY held.seat))
FROM ({LAST_ENTRIES}) AS held
JOIN games_game AS game ON game.id = held.game_id
JOIN games_acceptance AS acceptance ON acceptance.id = held.acceptance_id
WHERE held.counts AND held.number > %(begun)s
GROUP BY held.number, game.digest, acceptance.accepted_at ORDER BY held.number
"""  # noqa: S608 (made of constants)

_SEATS = f"""
SELECT held.number, game.digest, game.key, acceptance.accepted_at, game.played_from,
       game.played_until, held.player_id, player.name, held.place
FROM ({LAST_ENTRIES}) AS held
JOIN games_game AS game ON game.id = held.game_id
JOIN games_acceptance AS acceptance ON acceptance.id = held.acceptance_id
JOIN games_player AS player ON player.id = held.player_id
WHERE held.counts AND held.number > %(begun)s
ORDER BY held.number, held.seat
"""  # noqa: S608 (made of constants)


@dataclass(frozen=True, slots=True)
class LedgerRange:
    """A part of a ladder's ledger."""

    ladder: int
    upto: int
    """The last entry."""
    begun: int = 0
    """The last place in the order that is left out."""

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
    seats: tuple[tuple[int, str, int], ...]
    """Id and name of the rated player, and the place reached."""


def digest_lines(part: LedgerRange) -> Iterator[str]:
    """Return the lines of which the digest of the games is made, without line ends; call it in a transaction."""
    return (line for (line,) in _rows(_LINES, part))


def counted_games(part: LedgerRange) -> Iterator[Counted]:
    """Yield all games that count, in the order in which they were rated."""
    with transaction.atomic(), closing(_rows(_SEATS, part)) as rows:
        for _, seated in groupby(rows, itemgetter(0)):
            seats = list(seated)
            number, digest, key, accepted_at, first, last = seats[0][:6]
            played = Days(first, last) if first else None
            yield Counted(number, digest, key, accepted_at, played, tuple([seat[6:] for seat in seats]))


def _rows(query: str, part: LedgerRange) -> Generator[tuple[Any, ...]]:
    connection.ensure_connection()
    with ServerCursor(connection.connection, "counted_games") as cursor:
        cursor.itersize = _CHUNK
        cursor.execute(query, part.params())
        yield from cursor


def game_json(game: Counted) -> dict[str, object]:
    """Return a rated game as it is exported: its key, and all that ratings and digest are computed from."""
    return {
        "number": game.number,
        "game_digest": game.digest,
        "key": game.key,
        "accepted_at": game.accepted_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        **days_json(game.played),
        "seats": [{"player": player, "name": name, "place": place} for player, name, place in game.seats],
    }
