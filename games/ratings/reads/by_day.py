"""Reading the ledger by day played, and what it is computed from: the games that count, and their days."""

from datetime import date
from typing import Any

from games.models import DayLedger, DayRating, Ladder, RatingEvent
from games.platform.time_zones import UTC_ZONE

DATED = """
entry AS (
    SELECT DISTINCT ON (number, seat) number, seat, player_id, place, counts, acceptance_id, game_id
    FROM games_ratingevent WHERE ladder_id = %(ladder)s AND id <= %(upto)s ORDER BY number, seat, id DESC
),
dated AS (
    SELECT entry.*, coalesce(begun.day, game.played_until) AS day
    FROM entry JOIN games_game AS game ON game.id = entry.game_id
    LEFT JOIN LATERAL (
        SELECT (begun_at AT TIME ZONE %(zone)s)::date AS day FROM games_table AS at_table
        WHERE %(zone)s <> 'UTC' AND at_table.game_id = game.id AND game.played_from = game.played_until
              AND (begun_at AT TIME ZONE 'UTC')::date = game.played_from
        ORDER BY at_table.id LIMIT 1
    ) AS begun ON true
    WHERE entry.counts
),
due AS (SELECT *, dense_rank() OVER (ORDER BY day, number) AS position FROM dated WHERE day IS NOT NULL)
"""
"""For a `WITH`: the seats of the games that count, with the day played, and those in order, in which a day is known.

Of a range of days, the last one is taken. Games at tables of this site have the day in the club's time zone, others
that of their record.
"""


def due_params(ladder: Ladder, upto: int) -> dict[str, Any]:
    """Return the parameters of `DATED` for a ladder after an entry of the ledger by order of acceptance."""
    return {"ladder": ladder.pk, "upto": upto, "zone": ladder.club.time_zone if ladder.club else UTC_ZONE}


def last_known(ladder: Ladder) -> int:
    """Return the last entry of a ladder by order of acceptance; 0 if there is none."""
    entries = RatingEvent.objects.filter(ladder=ladder).order_by("-at", "-id")
    return entries.values_list("id", flat=True).first() or 0


def day_ledger(ladder: Ladder) -> DayLedger | None:
    """Return what the ledger of a ladder by day played is; none while it was not computed."""
    return DayLedger.objects.filter(ladder=ladder, made_at__isnull=False).first()


def is_behind(ledger: DayLedger, ladder: Ladder) -> bool:
    """Return whether games, corrections or dates came since the ledger by day played was computed."""
    return ledger.stale or ledger.upto < last_known(ladder)


def last_position(ladder: Ladder, day: date) -> int:
    """Return the position of the last game of a ladder that was played by the end of a day; 0 if there is none."""
    until = DayRating.objects.filter(ladder=ladder, day__lte=day).order_by("-day", "-position")
    return until.values_list("position", flat=True).first() or 0
