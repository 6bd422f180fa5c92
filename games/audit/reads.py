"""Reading what all ratings follow from, in order: accepted games, with their records, and corrections."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from psycopg import ServerCursor

from games.models import Correction
from games.packing import DamagedError, unpack

_CHUNK = 1000
"""Games fetched at once, with their texts."""


class Seated(NamedTuple):
    """A row of the seatings."""

    seat: int
    letter: str
    player: int
    place: int | None
    name: str
    source: str
    pseudonym: bool


@dataclass(frozen=True, slots=True)
class Accepted:
    """A game that was accepted, with what is stored of it."""

    number: int
    acceptance: int
    accepted_at: datetime
    counts: bool
    ladder: int
    ladder_ruleset: str
    game: int
    key: str
    digest: str | None
    ruleset: str
    text: str | None
    """The canonical text of the game's first log."""
    log_digest: str | None
    """The game digest that is stored beside the text."""
    record_digest: str | None
    seats: list[Seated]


_ACCEPTED = """
SELECT acceptance.number, acceptance.id AS acceptance, acceptance.accepted_at, acceptance.counts,
       acceptance.ladder_id AS ladder, ladder.ruleset AS ladder_ruleset,
       game.id AS game, game.key, game.digest, game.ruleset,
       log.text, log.game_digest AS log_digest, log.record_digest, seatings.seats
FROM games_acceptance AS acceptance
JOIN games_ladder AS ladder ON ladder.id = acceptance.ladder_id
JOIN games_game AS game ON game.id = acceptance.game_id
LEFT JOIN LATERAL (
    SELECT text, game_digest, record_digest FROM games_movelog WHERE game_id = game.id ORDER BY id LIMIT 1
) AS log ON true
LEFT JOIN LATERAL (
    SELECT json_agg(json_build_array(seat, letter, player_id, place, name, source, is_pseudonym) ORDER BY seat) AS seats
    FROM games_seating JOIN games_player AS player ON player.id = games_seating.player_id WHERE game_id = game.id
) AS seatings ON true
WHERE acceptance.number IS NOT NULL ORDER BY acceptance.number
"""


def accepted_games() -> Iterator[Accepted]:
    """Yield all rated games in order; call it within a transaction."""
    connection.ensure_connection()
    with ServerCursor(connection.connection, "accepted_games") as cursor:
        cursor.itersize = _CHUNK
        for *facts, packed, log_digest, record_digest, seats in cursor.execute(_ACCEPTED, binary=True):
            seated = [Seated(*seat) for seat in seats or ()]
            row = (*facts, _text(packed), log_digest, record_digest, seated)
            yield Accepted(*row)


def _text(packed: bytes | None) -> str | None:
    """Return the text; none where it is missing or unreadable, which the audit of records reports."""
    try:
        return unpack(packed).decode() if packed else None
    except (DamagedError, UnicodeDecodeError):
        return None


def done_corrections() -> list[Correction]:
    """Return all finished corrections, in order."""
    return list(Correction.objects.filter(order__isnull=False).select_related("acceptance").order_by("order"))
