"""Makes boards from the ledger: at once if that is fast, otherwise by the worker, and each only once."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from hashlib import sha256

from django.db import connection, transaction
from django.db.models import QuerySet, Sum

from engine.rating import MU, SIGMA
from engine.words import marked
from games.ladders.reads.leaderboard_query import Period, end_of
from games.ladders.reads.ledger_range import LedgerRange, digest_lines
from games.ladders.reads.rank_history import boards_of_past_ends
from games.ladders.reads.snapshots import STEP, last_entry, range_of
from games.models import By, DayLedger, Ladder, LeaderboardSnapshot
from games.platform import processes
from games.platform.errors import RefusedError
from games.ratings.by_day import hold, up_to_date
from games.ratings.reads.shares import beaten
from games.ratings.sequence import is_settled

Charge = Callable[[], object]
"""Called before a board is made that is not kept; raises where somebody has had enough of them made."""

AT_ONCE = 50_000
"""Games of a ladder whose boards are made while somebody waits: about a second."""
WAITING_MOST = 4
"""Boards that wait for the worker; a request for another one is refused for a minute."""
LINES_MOST = 10_000_000
"""Lines that are kept."""
_STALE = timedelta(hours=1)
"""A board of a day that is not over is made anew after so long, where that takes a while."""

_BY_DAY = 94
"""The migration that came with boards by day played: older workers would make them by order of acceptance."""

_VALUE = "(mu - 3 * sigma)"
_SHOWN = f"greatest(0, floor{_VALUE})"
_GAIN = f"{_SHOWN} - greatest(0, floor(mu_before - 3 * sigma_before))"

_LINES = f"""
WITH held AS MATERIALIZED ({{entries}}),
latest AS (
    SELECT DISTINCT ON (player_id) player_id, mu, sigma FROM held ORDER BY player_id, number DESC, seat
),
earlier AS (
    SELECT DISTINCT ON (player_id) player_id, mu, sigma FROM ({{earlier}}) AS was
    ORDER BY player_id, number DESC, seat
),
seated AS (
    SELECT player_id, place, count(*) OVER game AS seats, count(*) OVER beside AS tied
    FROM held WHERE counts AND number > %(begun)s
    WINDOW game AS (PARTITION BY number), beside AS (PARTITION BY number, place)
),
counted AS (
    SELECT player_id, count(*) AS games,
           count(*) FILTER (WHERE place = 1 AND tied = 1) AS wins,
           count(*) FILTER (WHERE place = 1 AND tied > 1) AS draws,
           count(*) FILTER (WHERE place > 1) AS losses,
           count(*) FILTER (WHERE place = 1) AS first, count(*) FILTER (WHERE place = 2) AS second,
           count(*) FILTER (WHERE place = 3) AS third, count(*) FILTER (WHERE place = 4) AS fourth,
           sum({beaten("place", "tied", "seats")}) AS beaten
    FROM seated GROUP BY player_id
),
whole AS (
    SELECT counted.*, latest.mu, latest.sigma,
           coalesce(earlier.mu, {MU}) AS mu_before, coalesce(earlier.sigma, {SIGMA}) AS sigma_before
    FROM counted JOIN latest USING (player_id) LEFT JOIN earlier USING (player_id)
)
INSERT INTO games_snapshotrow (board_id, line, rank, player_id, games, wins, draws, losses, first, second, third,
                             fourth, beaten, mu_before, sigma_before, mu, sigma)
SELECT %(board)s, row_number() OVER (ORDER BY {{order}} DESC, player_id), rank() OVER (ORDER BY {{order}} DESC),
       player_id, games, wins, draws, losses, first, second, third, fourth, beaten, mu_before, sigma_before, mu, sigma
FROM whole ORDER BY 2
"""  # noqa: S608 (made of constants)

_BARS = f"""
SELECT (({_SHOWN})::int / {STEP}) * {STEP} AS begin, count(*) FROM games_snapshotrow WHERE board_id = %s GROUP BY begin
"""  # noqa: S608 (made of constants)


class BusyError(RefusedError):
    """Too many boards are being made already, or the needed entries are being written at this moment."""


class BeingMadeError(RefusedError):
    """A board is not ready yet."""

    def __init__(self) -> None:
        super().__init__("being_made", marked("This leaderboard is being computed. Try again in a moment."))


def board_as_of(
    ladder: Ladder, day: date, by: By = By.ACCEPTED, *, now: datetime, charge: Charge = bool
) -> LeaderboardSnapshot:
    """Return a ladder as it was at the end of a day, or, for today, as it is now.

    It may still be waiting.

    :raises BusyError: when too many others wait already, or the day's last entries are still being written.
    """
    part = LedgerRange(ladder.pk, last_shown(ladder, day, by, now=now), by=by)
    return _board(ladder, None, part, running=day >= now.date(), now=now, charge=charge)


def board_of(
    ladder: Ladder, period: Period, by: By = By.ACCEPTED, *, now: datetime, charge: Charge = bool
) -> LeaderboardSnapshot:
    """Return the changes within a period so far. It may still be waiting. :raises BusyError: as above."""
    after = last_shown(ladder, period.first - timedelta(days=1), by, now=now)
    part = LedgerRange(ladder.pk, last_shown(ladder, min(period.last, now.date()), by, now=now), by=by)
    return _board(ladder, after, part, running=period.last >= now.date(), now=now, charge=charge)


def ledger_by_day(ladder: Ladder, *, now: datetime) -> DayLedger:
    """Return the ledger of a ladder by day played. :raises BusyError: when that of a large one was never computed."""
    ledger = up_to_date(ladder, now=now)
    if ledger is None:
        raise _being_computed()
    return ledger


def _being_computed() -> BusyError:
    return BusyError("busy", marked("Ratings by day played are being computed. Try again in a few minutes."))


def last_shown(ladder: Ladder, day: date, by: By, *, now: datetime) -> int:
    """Return the last entry of a ladder when a day was over; 0 if it had none.

    A correction that began before midnight is dated before it, but may be seen only minutes later. A finished day is
    shown only once nothing about it can change, so nothing is shown of it until then. By day played, games of a past
    day may be accepted at any time.

    :raises BusyError: while something that belongs to a day that is over is being written, or the ledger by day played
        of a large ladder was never computed.
    """
    if by == By.PLAYED:
        ledger_by_day(ladder, now=now)
    elif (end := end_of(day)) <= now and not is_settled(end, now=now):
        raise BusyError("busy", marked("The last games of that day are still being stored. Try again in a minute."))
    return last_entry(ladder, day, by)


def _board(
    ladder: Ladder, after: int | None, part: LedgerRange, *, running: bool, now: datetime, charge: Charge
) -> LeaderboardSnapshot:
    kept = LeaderboardSnapshot.objects.filter(ladder=ladder, by=part.by, after=after)
    slow = ladder.games > AT_ONCE
    board = kept.filter(upto=part.upto).first()
    if board is None and running and slow:
        board = kept.filter(made_at__gt=now - _STALE).order_by("-upto").first()
    if board is None:
        if slow:
            _refuse_to_wait(part.by)
        charge()
    if board is None or (board.made_at is None and not slow):
        board = _create(ladder, after, part, make_it=not slow, now=now)
    if board.asked_at < now - timedelta(days=1):
        LeaderboardSnapshot.objects.filter(pk=board.pk).update(asked_at=now)
    return board


def _refuse_to_wait(by: By) -> None:
    """Refuse what would wait for the worker too long, or be made wrongly. :raises BusyError: when it would."""
    if by == By.PLAYED and not processes.workers_know(_BY_DAY):
        raise _being_computed()
    if LeaderboardSnapshot.objects.filter(made_at=None).count() >= WAITING_MOST:
        raise BusyError("busy", marked("Several leaderboards are being computed already. Try again in a minute."))


@transaction.atomic
def _create(
    ladder: Ladder, after: int | None, part: LedgerRange, *, make_it: bool, now: datetime
) -> LeaderboardSnapshot:
    if part.by == By.PLAYED and make_it:
        hold(ladder)
    board, _ = LeaderboardSnapshot.objects.get_or_create(
        ladder=ladder, by=part.by, after=after, upto=part.upto, defaults={"asked_at": now}
    )
    return make(board, now=now) if make_it else board


def make_past_ends(*, now: datetime, has_time: Callable[[], bool]) -> int:
    """Make the boards from which ranks over time are read, newest first: of months, and by day played of years.

    They have at most half of the rows that are kept, and are asked for every night, so that others are deleted first.

    :returns: how many.
    """
    ends = boards_of_past_ends(now=now)
    stored = LeaderboardSnapshot.objects.filter(pk__in=[one.board for one in ends if one.board])
    stored.update(asked_at=now)
    count, rows = 0, _rows(stored)
    for missing in (one for one in ends if not one.board):
        if not has_time():
            break
        ladder = Ladder.objects.get(pk=missing.ladder)
        if rows + ladder.players <= LINES_MOST // 2:
            with suppress(BusyError), transaction.atomic():
                if missing.by == By.PLAYED:
                    hold(ladder)
                rows += make(board_as_of(ladder, missing.day, missing.by, now=now), now=now).players
                count += 1
    return count


def make_waiting(*, now: datetime) -> int:
    """Make the waiting snapshots one after another, except those in progress, or whose ledger is being computed.

    :returns: how many.
    """
    tried, count = list[int](), 0
    waiting = LeaderboardSnapshot.objects.filter(made_at=None).select_related("ladder").order_by("pk")
    while board := waiting.exclude(pk__in=tried).first():
        tried.append(board.pk)
        count += _make_if_free(board, now)
    return count


@transaction.atomic
def _make_if_free(board: LeaderboardSnapshot, now: datetime) -> bool:
    if board.by == By.PLAYED and not hold(board.ladder, wait=False):
        return False
    rows = LeaderboardSnapshot.objects.filter(pk=board.pk, made_at=None)
    waiting = rows.select_for_update(skip_locked=True).first()
    if waiting:
        _make(waiting, now)
    return waiting is not None


@transaction.atomic
def make(board: LeaderboardSnapshot, *, now: datetime) -> LeaderboardSnapshot:
    """Make a board, unless another process has made it; wait for one that is making it.

    Of one by day played, the ledger is held already.
    """
    board = LeaderboardSnapshot.objects.select_for_update().get(pk=board.pk)
    if board.made_at is None:
        _make(board, now)
    return board


def _make(board: LeaderboardSnapshot, now: datetime) -> None:
    part = range_of(board)
    board.digest, board.games = digest_of(part)
    board.players = _insert_lines(board, part)
    board.bars = _bars(board)
    board.made_at = now
    board.save()


def digest_of(part: LedgerRange) -> tuple[str, int]:
    """Return the digest of the set of games, and how many there are; within a transaction."""
    digest, count = sha256(), 0
    for count, line in enumerate(digest_lines(part), 1):  # noqa: B007 (the last one is how many)
        digest.update(f"{line}\n".encode())
    return digest.hexdigest(), count


def _insert_lines(board: LeaderboardSnapshot, part: LedgerRange) -> int:
    order = _VALUE if board.after is None else _GAIN
    with connection.cursor() as cursor:
        earlier = part.entries.replace("upto", "after")
        query = _LINES.format(order=order, entries=part.entries, earlier=earlier)
        cursor.execute(query, {**part.params(), "after": board.after or 0, "board": board.pk})
        return int(cursor.rowcount)


def _bars(board: LeaderboardSnapshot) -> dict[int, int]:
    with connection.cursor() as cursor:
        cursor.execute(_BARS, [board.pk])
        return dict(cursor.fetchall())


def forget_unasked() -> int:
    """Delete the snapshots that were unused longest if too many rows are stored. Any can be made again.

    :returns: how many boards.
    """
    made = LeaderboardSnapshot.objects.exclude(made_at=None)
    lines, gone = _rows(made), 0
    for board in made.order_by("asked_at", "pk"):
        if lines <= LINES_MOST:
            break
        board.delete()
        lines, gone = lines - board.players, gone + 1
    return gone


def _rows(boards: "QuerySet[LeaderboardSnapshot]") -> int:
    return boards.aggregate(rows=Sum("players"))["rows"] or 0
