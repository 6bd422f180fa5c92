"""Reading stored boards, and the part of the ledger that they cover."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Q

from games.ladders.reads.ladders import LeaderboardRow, Part, buckets_of
from games.ladders.reads.leaderboard_query import end_of
from games.ladders.reads.ledger_range import LedgerRange
from games.models import By, Correction, Ladder, LeaderboardSnapshot, RatingEvent
from games.platform.batches import in_chunks
from games.platform.paging import CursorError, Span
from games.ratings.reads.by_day import last_position
from games.records.reads.begun import begun_at_table

STEP = 50
"""Points to a bar of a distribution."""
ACTS = 20
"""Corrections that are listed beside a board; the others are only counted."""
_DIGITS = 9
_CHUNK = 2000
"""Lines fetched at once."""


def last_entry(ladder: Ladder, day: date, by: By) -> int:
    """Return the last entry of a ladder when a day was over, in UTC; 0 if it had none.

    By day played, it is the position of the last game that was played by then.
    """
    if by == By.PLAYED:
        return last_position(ladder, day)
    entries = RatingEvent.objects.filter(ladder=ladder, at__lt=end_of(day)).order_by("-at", "-id")
    return entries.values_list("id", flat=True).first() or 0


def last_number(ladder: Ladder, entry: int, by: By) -> int:
    """Return the last place in the order that a ladder's games had when an entry was the newest."""
    if not entry or by == By.PLAYED:
        return entry
    # Entries of a correction are about older games, so the entry itself may not have the greatest number.
    newest = RatingEvent.objects.filter(ladder=ladder, id__lte=entry, correction=None).order_by("-at", "-id")
    return newest.values_list("number", flat=True).first() or 0


def boards_wait() -> bool:
    """Return whether a board waits to be made."""
    return LeaderboardSnapshot.objects.filter(made_at=None).exists()


def range_of(board: LeaderboardSnapshot) -> LedgerRange:
    """Return the part of the ledger that a board covers."""
    by = By(board.by)
    return LedgerRange(board.ladder_id, board.upto, last_number(board.ladder, board.after or 0, by), by)


def lines_of(board: LeaderboardSnapshot, span: Span) -> Part:
    """Return a part of a board, from the top or from a line on. :raises CursorError: when the span's mark is none."""
    begin = _begin(span)
    return _part(board, begin, span.size)


def lines_around(board: LeaderboardSnapshot, players: Sequence[int], size: int) -> Part | None:
    """Return the rows of a board around a player's own, under the first of the player's ids that has one."""
    lines = dict(board.lines.filter(player__in=players).values_list("player", "line"))
    line = next((lines[player] for player in players if player in lines), None)
    return _part(board, max(1, line - size // 2), size) if line else None


def _begin(span: Span) -> int:
    if span.before:
        return max(1, _read(span.before) - span.size)
    return _read(span.after) + 1 if span.after else 1


def _read(mark: str) -> int:
    if not (mark.isascii() and mark.isdigit() and len(mark) <= _DIGITS):
        raise CursorError(mark)
    return int(mark)


def _part(board: LeaderboardSnapshot, begin: int, size: int) -> Part:
    lines = board.lines.filter(line__range=(begin, begin + size - 1)).select_related("player").order_by("line")
    rows = [LeaderboardRow(line.rank, line) for line in lines]
    last = begin + len(rows) - 1
    return Part(
        rows=rows,
        first=begin,
        previous=str(begin) if rows and begin > 1 else None,
        next=str(last) if last < board.players else None,
    )


def ranks_in(board: LeaderboardSnapshot, players: Iterable[int]) -> Mapping[int, int]:
    """Return the ranks that players had on a board."""
    return dict(board.lines.filter(player__in=list(players)).values_list("player", "rank"))


def every_line(board: LeaderboardSnapshot) -> Iterator[LeaderboardRow]:
    """Return all lines of a board in order."""
    lines = board.lines.select_related("player").order_by("line")
    return (LeaderboardRow(line.rank, line) for line in in_chunks(lines, _CHUNK))


Bars = dict[int, int]
"""How many players by rating: the first of `STEP` whole points, and how many have so many, or, at 0, less."""


def bars_now(ladder: Ladder) -> Bars:
    """Return the distribution of the ratings of a ladder now."""
    bars: Bars = {}
    for points, players in buckets_of(ladder.pk):
        begin = max(0, points) // STEP * STEP
        bars[begin] = bars.get(begin, 0) + players
    return bars


def bars_of(board: LeaderboardSnapshot) -> Bars:
    """Return the distribution of the ratings of a board."""
    return {int(begin): players for begin, players in board.bars.items()}


@dataclass(frozen=True, slots=True)
class Acts:
    """Corrections that a ladder has seen, the newest first."""

    newest: tuple[Correction, ...]
    count: int


def acts_on(ladder: Ladder, day: date | None = None) -> Acts:
    """Return the corrections that changed a ladder, all or those until the end of a day."""
    entries = RatingEvent.objects.filter(correction=OuterRef("pk"), ladder=ladder)
    touching = Q(acceptance__ladder=ladder) | (Q(acceptance=None) & Q(Exists(entries)))
    acts = Correction.objects.filter(touching, order__isnull=False).annotate(
        begun_here=begun_at_table("acceptance__game")
    )
    if day:
        acts = acts.filter(done_at__lt=end_of(day))
    newest = acts.select_related("acceptance__game", "player", "into").order_by("-order")[: ACTS + 1]
    found = tuple(newest)
    return Acts(found[:ACTS], len(found) if len(found) <= ACTS else acts.count())
