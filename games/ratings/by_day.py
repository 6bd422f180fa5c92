"""The ledger by day played: a ladder's games that count, rated in the order of the days on which they were played.

It is computed anew from the first game on that differs: usually from the newest ones, from an old one where an old game
was accepted, annulled or got another date.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby, islice
from operator import itemgetter
from time import monotonic
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction
from psycopg import ServerCursor

from engine.fold import rate_next
from engine.rating import Rating
from games.models import By, Club, DayLedger, DayRating, Ladder, LeaderboardSnapshot
from games.platform import locks
from games.ratings.reads.by_day import DATED, day_ledger, due_params, is_behind, last_known

_log = structlog.get_logger()

_CHUNK = 2000
"""Games rated at once."""
COLUMNS = (
    "position", "day", "number", "acceptance_id", "player_id", "seat", "place",
    "mu_before", "sigma_before", "mu", "sigma",
)  # fmt: skip
_COPY = f"COPY games_dayrating (ladder_id, {', '.join(COLUMNS)}) FROM STDIN"
_STORED = f"SELECT {', '.join(COLUMNS)} FROM games_dayrating WHERE ladder_id = %(ladder)s ORDER BY position, seat"  # noqa: S608
_FIRST_OTHER = f"""
WITH {DATED}, kept AS (SELECT * FROM games_dayrating WHERE ladder_id = %(ladder)s)
SELECT min(position) FROM due FULL JOIN kept USING (position, seat)
WHERE (due.day, due.number, due.player_id, due.place)
      IS DISTINCT FROM (kept.day, kept.number, kept.player_id, kept.place)
"""  # noqa: S608 (made of constants)
_DUE_FROM = f"""
WITH {DATED}
SELECT position, day, number, acceptance_id, player_id, seat, place FROM due WHERE position >= %(first)s
ORDER BY position, seat
"""  # noqa: S608 (made of constants)
_COUNTS = f"""
WITH {DATED}
SELECT count(DISTINCT number) FILTER (WHERE day IS NOT NULL) AS games,
       count(DISTINCT number) FILTER (WHERE day IS NULL) AS undated, min(day) AS began_on FROM dated
"""  # noqa: S608 (made of constants)
_RATINGS = """
SELECT DISTINCT ON (player_id) player_id, mu, sigma FROM games_dayrating
WHERE ladder_id = %(ladder)s AND player_id = ANY(%(players)s) AND position < %(first)s
ORDER BY player_id, position DESC, seat
"""

# Whoever marks a ledger as stale writes its row, which then has another `xmin`. So the row is written only at the end:
# nobody waits for a computation to mark it, and what is marked meanwhile stays marked.
_VERSION = "SELECT xmin::text FROM games_dayledger WHERE ladder_id = %(ladder)s"
_NOTE = """
UPDATE games_dayledger SET stale = stale AND xmin::text <> %(version)s, made_at = %(made_at)s, upto = %(upto)s,
                           games = %(games)s, undated = %(undated)s, began_on = %(began_on)s
WHERE ladder_id = %(ladder)s
"""
_CHECK_KEYS = "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED"

Row = tuple[Any, ...]


AT_ONCE = 5000
"""Games of a ladder whose ledger by day played is computed while somebody waits."""
_PAUSE = timedelta(minutes=5)
"""Between two computations that nobody waits for."""

_BEHIND = """
SELECT ladder.id FROM games_ladder AS ladder LEFT JOIN games_dayledger AS day ON day.ladder_id = ladder.id
CROSS JOIN LATERAL (
    SELECT id FROM games_ratingevent WHERE ladder_id = ladder.id ORDER BY at DESC, id DESC LIMIT 1) AS last
WHERE day.made_at IS NULL OR (day.made_at < %s AND (day.stale OR day.upto < last.id)) ORDER BY ladder.id
"""


def up_to_date(ladder: Ladder, *, now: datetime) -> DayLedger | None:
    """Return the ledger of a ladder by day played, of a large one as it was last computed; none if it never was."""
    ledger = day_ledger(ladder)
    if ladder.games > AT_ONCE or not _is_due(ledger, ladder):
        return ledger
    _begin(ladder)
    with transaction.atomic():
        hold(ladder)
        ledger = day_ledger(ladder)
        return _compute(ladder, now) if _is_due(ledger, ladder) else ledger


def _is_due(ledger: DayLedger | None, ladder: Ladder) -> bool:
    return ledger is None or is_behind(ledger, ladder)


def ladders_behind(now: datetime) -> list[int]:
    """Return the ladders whose ledger by day played should be computed by now, though nobody asks for it."""
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND, [now - _PAUSE])
        return [ladder for (ladder,) in cursor.fetchall()]


def refresh_behind(*, now: Callable[[], datetime]) -> int:
    """Compute the ledgers by day played that are behind, except those that another process computes.

    :returns: how many.
    """
    count = 0
    for ladder in Ladder.objects.filter(pk__in=ladders_behind(now())).select_related("club").order_by("games", "pk"):
        try:
            count += _refresh_behind(ladder, now)
        except SoftTimeLimitExceeded:
            raise
        except Exception:  # noqa: BLE001 (one ladder must not keep the others from being computed)
            _log.exception("ledger_by_day.failed", ladder=ladder.pk)
    return count


def _refresh_behind(ladder: Ladder, now: Callable[[], datetime]) -> bool:
    _begin(ladder)
    with transaction.atomic():
        due = hold(ladder, wait=False) and ladder.pk in ladders_behind(now())
        if due:
            _compute(ladder, now())
    return due


def hold(ladder: Ladder, *, wait: bool = True) -> bool:
    """Keep the ledger of a ladder by day played from being computed elsewhere until the end of the transaction.

    Who makes boards of it takes this before their rows, as who computes it and deletes them does.

    :returns: whether it is kept: without waiting it is not while another process holds it.
    """
    name = f"ledger by day played {ladder.pk}"
    if not wait:
        return locks.is_free(name)
    locks.wait_for(name)
    return True


def refresh(ladder: Ladder, *, now: datetime) -> DayLedger:
    """Compute the ledger of a ladder by day played, as far as it is not what it should be.

    Boards that were made of what changed are deleted.
    """
    _begin(ladder)
    with transaction.atomic():
        hold(ladder)
        return _compute(ladder, now)


def _begin(ladder: Ladder) -> None:
    """Let a ledger have its row before it is computed, so that it can be marked as stale meanwhile."""
    DayLedger.objects.get_or_create(ladder=ladder)


def _compute(ladder: Ladder, now: datetime) -> DayLedger:
    began = monotonic()
    params = due_params(ladder, last_known(ladder))
    params["version"] = _asked(_VERSION, params)[0]
    first = _asked(_FIRST_OTHER, params)[0]
    if first is not None:
        _forget_from(ladder, first)
        _rate_from(ladder, first, params)
    params |= counts_of(params) | {"made_at": now + timedelta(seconds=monotonic() - began)}
    with connection.cursor() as cursor:
        cursor.execute(_CHECK_KEYS)
        cursor.execute(_NOTE, params)
    return DayLedger.objects.get(ladder=ladder)


def dates_changed(club: Club) -> None:
    """Note that games of a club have other days now, as its time zone changed."""
    DayLedger.objects.filter(ladder__club=club).update(stale=True)


def _forget_from(ladder: Ladder, position: int) -> None:
    DayRating.objects.filter(ladder=ladder, position__gte=position).delete()
    LeaderboardSnapshot.objects.filter(ladder=ladder, by=By.PLAYED, upto__gte=position).delete()


def _rate_from(ladder: Ladder, first: int, params: dict[str, Any]) -> None:
    """Rate the games from a position on."""
    ratings: dict[int, Rating] = {}
    for chunk in _games_from(first, params):
        players = {seat[4] for seats in chunk for seat in seats} - ratings.keys()
        ratings |= _ratings_before(ladder, first, players) if first > 1 else {}
        _write(ladder, [row for seats in chunk for row in _rated(ratings, seats)])


def _games_from(first: int, params: dict[str, Any]) -> Iterator[list[list[Row]]]:
    """Yield the seats of the games from a position on, in order, some games at once."""
    connection.ensure_connection()
    with ServerCursor(connection.connection, "games_by_day") as cursor:
        cursor.itersize = _CHUNK * 4
        games = groupby(cursor.execute(_DUE_FROM, {**params, "first": first}), itemgetter(0))
        while chunk := [list(seats) for _, seats in islice(games, _CHUNK)]:
            yield chunk


def due_rows(params: dict[str, Any]) -> Iterator[Row]:
    """Yield all rows that a ledger by day played should have, by `COLUMNS`; within a transaction."""
    ratings: dict[int, Rating] = {}
    for chunk in _games_from(1, params):
        for seats in chunk:
            yield from _rated(ratings, seats)


def stored_rows(ladder: Ladder) -> Iterator[Row]:
    """Yield the rows that a ledger by day played has, by `COLUMNS`; within a transaction."""
    connection.ensure_connection()
    with ServerCursor(connection.connection, "stored_by_day") as cursor:
        cursor.itersize = _CHUNK * 4
        yield from cursor.execute(_STORED, {"ladder": ladder.pk})


def counts_of(params: dict[str, Any]) -> dict[str, Any]:
    """Return what a ledger by day played should say of itself."""
    return dict(zip(("games", "undated", "began_on"), _asked(_COUNTS, params), strict=True))


def _ratings_before(ladder: Ladder, first: int, players: set[int]) -> dict[int, Rating]:
    with connection.cursor() as cursor:
        cursor.execute(_RATINGS, {"ladder": ladder.pk, "players": sorted(players), "first": first})
        return {player: Rating(mu, sigma) for player, mu, sigma in cursor.fetchall()}


def _rated(ratings: dict[int, Rating], seats: Sequence[Row]) -> Iterator[Row]:
    """Rate a game, follow the ratings, and yield its rows."""
    players, places = tuple(seat[4] for seat in seats), tuple(seat[6] for seat in seats)
    game = rate_next(ratings, seats[0][2], players, players, places)
    ratings.update(zip(players, game.after, strict=True))
    for seat, before, after in zip(seats, game.before, game.after, strict=True):
        yield (*seat, before.mu, before.sigma, after.mu, after.sigma)


def _write(ladder: Ladder, rows: Sequence[Row]) -> None:
    lines = ["\t".join(map(str, (ladder.pk, *row))) for row in rows]
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        copy.write("\n".join([*lines, ""]))


def _asked(question: str, params: dict[str, Any]) -> Row:
    with connection.cursor() as cursor:
        cursor.execute(question, params)
        row: Row = cursor.fetchone()
        return row
