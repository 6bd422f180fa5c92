"""What may be wrong with an upload although every rule holds: dates of a club's games that run backwards."""

from datetime import date
from typing import NamedTuple

from django.db import connection
from django.utils.formats import date_format
from django.utils.translation import gettext

from games.models import Upload

_MOST = 10
_READ = 10_000
"""Records of a file that are looked at."""
# A partly known date is later than another one only if all its days are.
_BACKWARDS = """
SELECT number, played_until, earlier, earlier_from FROM (
    SELECT log.number, game.played_until, lag(log.number) OVER upwards AS earlier,
           lag(game.played_from) OVER upwards AS earlier_from
    FROM games_movelog AS log JOIN games_game AS game ON game.id = log.game_id
    WHERE log.upload_id = %s AND log.number <= %s AND log.verdict <> 'rejected' AND game.played_from IS NOT NULL
    WINDOW upwards AS (ORDER BY log.number)) AS dated
WHERE played_until < earlier_from ORDER BY number LIMIT %s
"""


class Backwards(NamedTuple):
    """A record of a file that was played before the one above it."""

    number: int
    day: date
    earlier: int
    earlier_day: date


def backwards(upload: Upload) -> list[Backwards]:
    """Return where the dates of a club's file run backwards: in files of others games may have any order."""
    if upload.club_id is None:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_BACKWARDS, [upload.pk, _READ, _MOST])
        return [Backwards(*row) for row in cursor]


def warnings_of(upload: Upload) -> list[str]:
    """Return the warnings about an upload, as sentences in the reader's language."""
    return [
        gettext("The dates run backwards: game {number} ({day}) comes after game {earlier} ({earlier_day}).").format(
            number=one.number,
            day=date_format(one.day, "SHORT_DATE_FORMAT"),
            earlier=one.earlier,
            earlier_day=date_format(one.earlier_day, "SHORT_DATE_FORMAT"),
        )
        for one in backwards(upload)
    ]
