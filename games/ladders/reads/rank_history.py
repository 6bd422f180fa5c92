"""Ranks over time, from the boards that are stored: at the ends of months, or by day played at the ends of years."""

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection

from games.ladders.reads.leaderboard_query import end_of
from games.models import By, Ladder, Player

MONTHS = 24
"""How many months back ranks are shown."""
YEARS = 20
"""How many years back, by day played."""


class RankThen(NamedTuple):
    """A rank when a day was over, among so many players."""

    day: date
    rank: int
    players: int


class PastEnd(NamedTuple):
    """The board of a ladder at the end of a month or a year."""

    ladder: int
    day: date
    board: int | None
    """None if it is not stored."""
    by: By


_LAST = {
    By.ACCEPTED: """
    SELECT id FROM games_ratingevent AS event WHERE event.ladder_id = ladder.id AND event.at < past.ends
    ORDER BY at DESC, id DESC LIMIT 1
""",
    By.PLAYED: """
    SELECT position AS id FROM games_dayrating AS rated WHERE rated.ladder_id = ladder.id AND rated.day <= past.day
    ORDER BY day DESC, position DESC LIMIT 1
""",
}
_BOARDS = """
FROM games_ladder AS ladder
CROSS JOIN unnest(%(days)s::date[], %(ends)s::timestamptz[]) AS past (day, ends)
CROSS JOIN LATERAL ({last}) AS last
LEFT JOIN games_leaderboardsnapshot AS board
    ON board.ladder_id = ladder.id AND board.by = %(by)s AND board.after IS NULL AND board.upto = last.id
       AND board.made_at IS NOT NULL
"""
_RANKS = f"""
SELECT past.day, line.rank, board.players {_BOARDS}
JOIN games_snapshotrow AS line ON line.board_id = board.id
WHERE ladder.id = %(ladder)s AND line.player_id = %(player)s
ORDER BY past.day
"""
_ENDS = f"""
SELECT ladder.id, max(past.day) AS day, board.id {_BOARDS}
GROUP BY ladder.id, last.id, board.id ORDER BY day DESC, ladder.id
"""


def month_ends(today: date) -> list[date]:
    """Return the last days of the months that are over, oldest first."""
    ends, day = list[date](), today
    for _ in range(MONTHS):
        day = day.replace(day=1) - timedelta(days=1)
        ends.append(day)
    return ends[::-1]


def year_ends(today: date) -> list[date]:
    """Return the last days of the years that are over, oldest first."""
    return [date(year, 12, 31) for year in range(today.year - YEARS, today.year)]


def rank_history(player: Player, ladder: Ladder, by: By = By.ACCEPTED, *, now: datetime) -> list[RankThen]:
    """Return a player's ranks over time, oldest first; where no board is stored, they are left out."""
    return [RankThen(*row) for row in _ask(_RANKS, by, now, ladder=ladder.pk, player=player.pk)]


def boards_of_past_ends(*, now: datetime) -> list[PastEnd]:
    """Return the boards of all ladders at the ends of months and, by day played, of years, newest first.

    Months, or years, without a change share one.
    """
    ends = [PastEnd(ladder, day, board, by) for by in By for ladder, day, board in _ask(_ENDS, by, now)]
    return sorted(ends, key=lambda one: (-one.day.toordinal(), one.ladder))


def _ask(question: str, by: By, now: datetime, **more: int) -> list[Any]:
    days = month_ends(now.date()) if by == By.ACCEPTED else year_ends(now.date())
    params: dict[str, Any] = {"days": days, "ends": [end_of(day) for day in days], "by": by.value, **more}
    with connection.cursor() as cursor:
        cursor.execute(question.format(last=_LAST[by]), params)
        return list(cursor.fetchall())
