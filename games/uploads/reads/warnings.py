"""What may be wrong with an upload although every rule holds: dates of a club's games that run backwards."""

from collections.abc import Iterator
from datetime import date
from itertools import islice, pairwise
from typing import NamedTuple

from django.db import connection
from django.utils.formats import date_format
from django.utils.translation import gettext

from engine.agn.dates import Days, days_played
from engine.agn.lines import json_of_text
from games.models import MoveLog, Upload

_MOST = 10
_READ = 10_000
"""Records of a file that are looked at."""
_READ_AGAIN = 1_000
"""Of which so many are read, because other records tell about their games, too."""
# The days of a record are those of its game unless another record told them.
_DATED = """
SELECT log.id, log.number, game.played_from, game.played_until,
       EXISTS (SELECT FROM games_movelog AS other WHERE other.game_id = game.id AND other.id <> log.id) AS shared
FROM games_movelog AS log JOIN games_game AS game ON game.id = log.game_id
WHERE log.upload_id = %s AND log.number <= %s AND log.verdict <> 'rejected' ORDER BY log.number
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
    dated = list(_dated(upload))
    both = pairwise((number, days) for number, days in dated if days)
    # A partly known date is later than another one only if all its days are.
    found = (
        Backwards(number, days.last, before, earlier.first)
        for (before, earlier), (number, days) in both
        if days.last < earlier.first
    )
    return list(islice(found, _MOST))


def _dated(upload: Upload) -> Iterator[tuple[int, Days | None]]:
    """Yield the numbers of a file's legal records, with the days that each says itself."""
    with connection.cursor() as cursor:
        cursor.execute(_DATED, [upload.pk, _READ])
        rows = cursor.fetchall()
    shared = [log for log, *_, is_shared in rows if is_shared][:_READ_AGAIN]
    said = {log.pk: log for log in MoveLog.objects.filter(pk__in=shared).only("text", "queued_at")}
    for log, number, first, last, is_shared in rows:
        if not is_shared:
            yield number, Days(first, last) if first else None
        elif log in said:
            yield number, days_played(json_of_text(said[log].text)["tags"], said[log].queued_at.date())


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
