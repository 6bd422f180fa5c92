"""Comparison of stored leaderboards with the ledger of their day, game by game.

The ledger itself was compared with records and acts before; snapshots follow from its entries.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import add, itemgetter
from typing import Any, Self

from django.db import connection
from psycopg import ServerCursor

from engine.fold import FRESH
from engine.rating import Rating
from games.audit.flaws import BOARD, BOARD_LINE, Flaw, Row, compare
from games.ladders.reads.ledger_range import LedgerRange
from games.ladders.reads.snapshots import STEP, range_of
from games.ladders.snapshots import digest_of
from games.models import By, LeaderboardSnapshot, RatingEvent
from games.platform.batches import in_chunks
from games.ratings.standings import COUNTED, counted

_CHUNK = 5000
"""Rows fetched at once."""
_ENTRIES = "SELECT number, player_id, place, mu, sigma, counts FROM ({entries}) AS held ORDER BY number, seat"
_LINE = ("rank", "player_id", *COUNTED, "mu_before", "sigma_before", "mu", "sigma")
_NONE = (0,) * len(COUNTED)


def kept_boards(most: int | None) -> list[int]:
    """Return the ids of stored snapshots: all, or a number of them chosen at random."""
    made = LeaderboardSnapshot.objects.exclude(made_at=None)
    return list((made.order_by("pk") if most is None else made.order_by("?")[:most]).values_list("pk", flat=True))


def compare_board(board: LeaderboardSnapshot) -> Iterator[Flaw]:
    """Yield the flaws of a snapshot; call it within a transaction."""
    where, part = _where(board), range_of(board)
    due = _due_lines(board, part)
    digest, games = digest_of(part)
    bars = Counter(Rating(row["mu"], row["sigma"]).shown // STEP * STEP for row in due)
    whole = {"digest": digest, "games": games, "players": len(due), "bars": dict(bars)}
    stored = {name: getattr(board, name) for name in whole}
    stored["bars"] = {int(begin): players for begin, players in board.bars.items()}
    yield from compare(BOARD, where, stored, whole)
    yield from _compare_lines(board, where, due)


def _compare_lines(board: LeaderboardSnapshot, where: Row, due: list[dict[str, Any]]) -> Iterator[Flaw]:
    missing = dict(enumerate(due, 1))
    for number, *cells in in_chunks(board.lines.order_by("line").values_list("line", *_LINE), _CHUNK):
        row, expected = dict(zip(_LINE, cells, strict=True)), missing.pop(number, None)
        here = {**where, "line": number}
        if expected is None:
            yield Flaw(BOARD_LINE, here, row, None)
        else:
            yield from compare(BOARD_LINE, here, row, expected)
    for number, expected in missing.items():
        yield Flaw(BOARD_LINE, {**where, "line": number}, None, expected)


def _where(board: LeaderboardSnapshot) -> dict[str, Any]:
    """Return what identifies a snapshot: its ladder, and the days of the entries between which it lies."""
    if board.by == By.PLAYED:
        return {"ladder": board.ladder_id, "by": board.by, "upto": board.upto, "after": board.after}
    days = dict(RatingEvent.objects.filter(pk__in=[board.upto, board.after or 0]).values_list("pk", "at"))
    named = {"ladder": board.ladder_id, "day": days[board.upto].date() if board.upto in days else None}
    if board.after is None:
        return named
    return named | {"since": days[board.after].date() if board.after in days else None}


@dataclass(slots=True)
class _Ledger:
    """The rows of a ladder, built up entry by entry."""

    begun: int
    """The last game that is left out of the counts."""
    counts: dict[int, tuple[int, ...]] = field(default_factory=dict)
    ratings: dict[int, Rating] = field(default_factory=dict)

    def read(self, part: LedgerRange) -> Self:
        """Read the entries that applied when a given one was the last, game by game."""
        connection.ensure_connection()
        with ServerCursor(connection.connection, "leaderboard_ledger") as cursor:
            cursor.itersize = _CHUNK
            for number, seats in groupby(_entries(cursor, part), itemgetter(0)):
                self._game(number, list(seats))
        return self

    def _game(self, number: int, seats: list[Any]) -> None:
        for _, player, _, mu, sigma, _ in reversed(seats):  # of a person in two seats, the first one counts
            self.ratings[player] = Rating(mu, sigma)
        if seats[0][-1] and number > self.begun:
            for (_, player, *_), more in zip(seats, counted(tuple(seat[2] for seat in seats)), strict=True):
                self.counts[player] = tuple(map(add, self.counts.get(player, _NONE), more))


def _entries(cursor: "ServerCursor[Any]", part: LedgerRange) -> Iterable[Any]:
    return cursor.execute(_ENTRIES.format(entries=part.entries), part.params(), binary=True)


def _due_lines(board: LeaderboardSnapshot, part: LedgerRange) -> list[dict[str, Any]]:
    """Return the rows that a snapshot should have, in order."""
    now = _Ledger(part.begun).read(part)
    before = _Ledger(0).read(LedgerRange(part.ladder, board.after, by=part.by)).ratings if board.after else {}

    def merit(player: int) -> float:
        if board.after is None:
            return now.ratings[player].value
        return now.ratings[player].shown - before.get(player, FRESH).shown

    lines, rank, last = list[dict[str, Any]](), 0, None
    for line, player in enumerate(sorted(now.counts, key=lambda one: (-merit(one), one)), 1):
        rank, last = (rank if merit(player) == last else line), merit(player)
        lines.append(_line(rank, player, now, before.get(player, FRESH)))
    return lines


def _line(rank: int, player: int, now: _Ledger, before: Rating) -> dict[str, Any]:
    rating = now.ratings[player]
    ratings = (before.mu, before.sigma, rating.mu, rating.sigma)
    return dict(zip(_LINE, (rank, player, *now.counts[player], *ratings), strict=True))
