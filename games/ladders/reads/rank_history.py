"""Ranks over time: a player's rank at the end of each month, from the boards that are stored."""

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection

from games.ladders.reads.leaderboard_query import end_of
from games.models import Ladder, Player

MONTHS = 24
"""How many months back ranks are shown."""


class RankThen(NamedTuple):
    """A rank when a day was over, among so many players."""

    day: date
    rank: int
    players: int


class MonthEnd(NamedTuple):
    """The board of a ladder at the end of a month."""

    ladder: int
    day: date
    board: int | None
    """None if it is not stored."""


_BOARDS = """
FROM games_ladder AS ladder
CROSS JOIN unnest(%(days)s::date[], %(ends)s::timestamptz[]) AS month (day, ends)
CROSS JOIN LATERAL (
    SELECT id FROM games_ratingevent AS event WHERE event.ladder_id = ladder.id AND event.at < month.ends
    ORDER BY at DESC, id DESC LIMIT 1) AS last
LEFT JOIN games_leaderboardsnapshot AS board
    ON board.ladder_id = ladder.id AND board.after IS NULL AND board.upto = last.id AND board.made_at IS NOT NULL
"""
_RANKS = f"""
SELECT month.day, line.rank, board.players {_BOARDS}
JOIN games_snapshotrow AS line ON line.board_id = board.id
WHERE ladder.id = %(ladder)s AND line.player_id = %(player)s
ORDER BY month.day
"""
_MONTH_ENDS = f"""
SELECT ladder.id, max(month.day) AS day, board.id {_BOARDS}
GROUP BY ladder.id, last.id, board.id ORDER BY day DESC, ladder.id
"""


def month_ends(today: date) -> list[date]:
    """Return the last days of the months that are over, oldest first."""
    ends, day = list[date](), today
    for _ in range(MONTHS):
        day = day.replace(day=1) - timedelta(days=1)
        ends.append(day)
    return ends[::-1]


def rank_history(player: Player, ladder: Ladder, *, now: datetime) -> list[RankThen]:
    """Return a player's ranks at the ends of months, oldest first; months without a stored board are left out."""
    with connection.cursor() as cursor:
        cursor.execute(_RANKS, {**_asked(now), "ladder": ladder.pk, "player": player.pk})
        return [RankThen(*row) for row in cursor.fetchall()]


def boards_of_month_ends(*, now: datetime) -> list[MonthEnd]:
    """Return the boards of all ladders at the ends of months, newest first; months without a change share one."""
    with connection.cursor() as cursor:
        cursor.execute(_MONTH_ENDS, _asked(now))
        return [MonthEnd(*row) for row in cursor.fetchall()]


def _asked(now: datetime) -> dict[str, Any]:
    days = month_ends(now.date())
    return {"days": days, "ends": [end_of(day) for day in days]}
