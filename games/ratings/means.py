"""How strong the players of a rated game were, so that games can be sorted by it."""

from collections.abc import Callable
from typing import Final

from django.db import connection

_BATCH: Final = 1_000
# Whatever another transaction is changing is found later. A rating is shown in whole points, never below 0.
_READ = """
WITH due AS (
    SELECT id FROM games_acceptance WHERE number IS NOT NULL AND rating IS NULL
    ORDER BY id LIMIT %s FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE games_acceptance AS acceptance SET rating = (
    SELECT coalesce(round(avg(greatest(0, floor(newest.before)))), 0) FROM (
        SELECT DISTINCT ON (seat) mu_before - 3 * sigma_before AS before FROM games_ratingevent AS event
        WHERE event.number = acceptance.number ORDER BY seat, id DESC) AS newest)
FROM due WHERE acceptance.id = due.id
"""


def read_means(*, has_time: Callable[[], bool]) -> int:
    """Store the mean ratings of games that lack them, as of new ones and those that a correction changed.

    :returns: of how many games.
    """
    done = 0
    while has_time() and (some := _read_some()):
        done += some
    return done


def _read_some() -> int:
    with connection.cursor() as cursor:
        cursor.execute(_READ, [_BATCH])
        return int(cursor.rowcount)


__all__ = ["read_means"]
