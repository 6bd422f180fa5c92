"""Leaderboards now, as of a day, or of a period, for pages and the API."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engine.words import marked
from games.ladders.reads.ladders import (
    LeaderboardRow,
    Part,
    every_row_of,
    find_ladder,
    part_around,
    part_of,
    rated_number,
    standing_of,
)
from games.ladders.reads.leaderboard_query import LeaderboardQuery
from games.ladders.reads.ledger_range import LedgerRange
from games.ladders.reads.snapshots import (
    Acts,
    Bars,
    acts_on,
    bars_now,
    bars_of,
    every_line,
    last_number,
    lines_around,
    lines_of,
    ranks_in,
)
from games.ladders.snapshots import BeingMadeError, Charge, board_as_of, board_of, last_shown
from games.models import By, Club, DayLedger, Ladder, LeaderboardSnapshot
from games.platform.paging import Span
from games.platform.parameters import ParameterError
from games.ratings.reads.by_day import day_ledger

SIZE = 50
"""Lines of a page: so many are drawn within the time that `bench/leaderboards.py` asks for."""
_NOTHING = Part([])
_NO_ACTS = Acts((), 0)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The requested leaderboard, as far as it has been computed."""

    ruleset: str
    club: Club | None
    asked: LeaderboardQuery
    ladder: Ladder | None = None
    """None as long as no game counts for it."""
    board: LeaderboardSnapshot | None = None
    """As of a day, or of a period: where the lines come from."""
    then: LeaderboardSnapshot | None = None
    """Where the ranks of an earlier day come from."""
    part: Part = _NOTHING
    ranks_then: Mapping[int, int] = field(default_factory=dict)
    """By player."""
    bars: Bars = field(default_factory=dict)
    acts: Acts = _NO_ACTS
    by_day: DayLedger | None = None
    """What the ledger by day played is; none while it was not computed."""
    around: int | None = None
    """The player around whom the page is, by the number on that ladder."""

    @property
    def waiting(self) -> bool:
        """Return whether something of it is still being computed."""
        return any(board is not None and board.made_at is None for board in (self.board, self.then))

    @property
    def players(self) -> int:
        """Return how many lines the whole board has; how many of them are active is not counted."""
        ledger_range = self.board or self.ladder
        return ledger_range.players if ledger_range else 0

    @property
    def games(self) -> int:
        """Return how many games it is computed from."""
        ledger_range = self.board or self.ladder
        return ledger_range.games if ledger_range else 0


def leaderboard(
    ruleset: str, club: Club | None, asked: LeaderboardQuery, *, now: datetime, charge: Charge = bool
) -> Leaderboard:
    """Return the leaderboard of a ruleset, on the whole site or in a club.

    :param charge: called before a board is made that is not kept.
    :raises ParameterError: when the player asked for has no line.
    :raises CursorError: when a mark is none.
    :raises BusyError: when it would have to be computed behind too many others, or is being written at this moment.
    """
    ladder = find_ladder(ruleset, club)
    if ladder is None:
        return Leaderboard(ruleset, club, asked)
    board = _board(ladder, asked, now, charge)
    then = board_as_of(ladder, asked.since, asked.by, now=now, charge=charge) if asked.since else None
    around = _numbers(asked.around)
    part = _from_board(board, asked, around) if board else _from_ladder(ladder, asked, around, now)
    return Leaderboard(
        ruleset=ruleset,
        club=club,
        asked=asked,
        ladder=ladder,
        board=board,
        then=then,
        part=part,
        ranks_then=ranks_in(then, (row.standing.player_id for row in part.rows)) if then else {},
        bars=_bars(ladder, board),
        acts=_NO_ACTS if asked.period else acts_on(ladder, asked.as_of if asked.by == By.ACCEPTED else None),
        by_day=day_ledger(ladder),
        around=_standing_there(part, around),
    )


def _board(ladder: Ladder, asked: LeaderboardQuery, now: datetime, charge: Charge) -> LeaderboardSnapshot | None:
    if asked.as_of:
        return board_as_of(ladder, asked.as_of, asked.by, now=now, charge=charge)
    return board_of(ladder, asked.period, asked.by, now=now, charge=charge) if asked.period else None


def _numbers(player: int) -> tuple[int, ...]:
    """Return the ids under which a player has rows now, or had them before being merged."""
    return (player, rated_number(player)) if player else ()


def _standing_there(part: Part, numbers: tuple[int, ...]) -> int | None:
    there = {row.standing.player_id for row in part.rows}
    return next((number for number in numbers if number in there), None)


def _from_board(board: LeaderboardSnapshot, asked: LeaderboardQuery, around: tuple[int, ...]) -> Part:
    if board.made_at is None:
        return _NOTHING
    if not around:
        return lines_of(board, _span(asked))
    return lines_around(board, around, SIZE) or _no_line(asked)


def _from_ladder(ladder: Ladder, asked: LeaderboardQuery, around: tuple[int, ...], now: datetime) -> Part:
    if around:
        own = standing_of(ladder, around[-1])
        return part_around(ladder, own, SIZE) if own else _no_line(asked)
    since = now - timedelta(days=asked.active) if asked.active else None
    return part_of(ladder, _span(asked), active_since=since)


def _span(asked: LeaderboardQuery) -> Span:
    return Span(before=asked.before, after=asked.after, size=SIZE)


def _no_line(asked: LeaderboardQuery) -> Part:
    raise ParameterError("around", marked("Player {number} is not on this leaderboard."), number=asked.around)


def _bars(ladder: Ladder, board: LeaderboardSnapshot | None) -> Bars:
    return bars_of(board) if board else bars_now(ladder)


def every_row(
    ruleset: str, club: Club | None, asked: LeaderboardQuery, *, now: datetime, charge: Charge = bool
) -> Iterator[LeaderboardRow]:
    """Return all lines of a leaderboard now, as of a day, or of a period.

    :raises BeingMadeError: when it is not there yet.
    """
    ladder = find_ladder(ruleset, club)
    if ladder is None:
        return iter(())
    board = _board(ladder, asked, now, charge)
    if board is None:
        return every_row_of(ladder)
    if board.made_at is None:
        raise BeingMadeError
    return every_line(board)


def ledger_range(ruleset: str, club: Club | None, asked: LeaderboardQuery, *, now: datetime) -> LedgerRange | None:
    """Return which part of the ledger a leaderboard covers; None as long as no game counts.

    :raises BusyError: while the last entries of a past day are still being written.
    """
    ladder = find_ladder(ruleset, club)
    if ladder is None:
        return None
    by = asked.by
    if asked.period is None:
        return LedgerRange(ladder.pk, last_shown(ladder, asked.as_of or now.date(), by, now=now), by=by)
    before = last_number(ladder, last_shown(ladder, asked.period.first - timedelta(days=1), by, now=now), by)
    return LedgerRange(ladder.pk, last_shown(ladder, min(asked.period.last, now.date()), by, now=now), before, by)
