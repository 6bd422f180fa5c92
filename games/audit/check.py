"""The audit: checks whether stored values follow, byte for byte, from records and decisions. Writes nothing."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from psycopg import ServerCursor

from games.audit.by_day import compare_ledgers_by_day
from games.audit.flaws import ENTRY, SEQUENCE, Flaw, compare
from games.audit.reads import Accepted, accepted_games, done_corrections
from games.audit.recompute import Key, Played, Recomputation
from games.audit.records import read, replayed
from games.audit.snapshots import compare_board, kept_boards
from games.audit.tables import follow_up
from games.models import Correction, Game, LeaderboardSnapshot
from games.ratings.ledger import COLUMNS, Entry

__all__ = ["Audit", "Flaw", "games_on_record"]

_CHUNK = 5000
"""Entries fetched at once."""

# In the expected order of entries: in the order of ids, one missing entry would shift all entries after it.
_ENTRIES = f"""
SELECT coalesce(correction.after, event.number), coalesce(correction."order", 0),
       CASE WHEN correction_id IS NULL THEN 0 ELSE event.ladder_id END, event.number, event.seat, event.id,
       {", ".join(f"event.{name}" for name in COLUMNS)}
FROM games_ratingevent AS event LEFT JOIN games_correction AS correction ON correction.id = event.correction_id
ORDER BY 1, 2, 3, 4, 5, 6
"""  # noqa: S608 (our own column names)
_KEY, _ID, _ENTRY = slice(5), 5, slice(6, None)

Stored = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit, in a transaction with a consistent snapshot."""

    replay: bool = False
    """Whether to play every record by the rules as well."""
    boards: int | None = 0
    """How many of the boards that are kept to look at, chosen by chance; all if none."""
    progress: Callable[[], object] = bool
    """Called after every game."""

    def run(self) -> Iterator[Flaw]:
        """Yield all flaws, as they are found."""
        corrections = done_corrections()
        again = Recomputation(corrections)
        yield from _order_of(corrections)
        found: list[Flaw] = []
        games = games_on_record(found, replay=self.replay, progress=self.progress)
        for flaws in _compare_entries(_stored_entries(), again.run(games)):
            yield from found
            found.clear()
            yield from flaws
        yield from found
        yield from follow_up(again)
        yield from compare_ledgers_by_day()
        for board in LeaderboardSnapshot.objects.filter(pk__in=kept_boards(self.boards)).order_by("pk"):
            yield from compare_board(board)


def games_on_record(
    found: list[Flaw], *, replay: bool = False, progress: Callable[[], object] = bool
) -> Iterator[Played]:
    """Yield the accepted games according to their records; flaws are added to `found`."""
    last, moment = 0, None
    for row in accepted_games():
        found += _sequence(row, last + 1, moment)
        last, moment = row.number, row.accepted_at
        if replay:
            found += replayed(row)
        flaws, game = read(row)
        found += flaws
        yield game
        progress()


def _sequence(row: Accepted, due: int, before: datetime | None) -> Iterator[Flaw]:
    if row.number == due and (before is None or row.accepted_at >= before):
        return
    where = {"game": row.key, "number": row.number}
    stored = {"number": row.number, "accepted_at": row.accepted_at}
    not_before = max(row.accepted_at, before) if before else row.accepted_at
    yield from compare(SEQUENCE, where, stored, {"number": due, "accepted_at": not_before})


def _order_of(corrections: Iterable[Correction]) -> Iterator[Flaw]:
    """Yield flaws in the sequence of corrections: it is numbered on its own, and their times are in the same order."""
    after, moment = 0, None
    for order, correction in enumerate(corrections, 1):
        stored = {"order": correction.order, "after": correction.after, "done_at": correction.done_at}
        after = max(correction.after or 0, after)
        moment = max(one for one in (correction.done_at, moment) if one)
        yield from compare(
            SEQUENCE, {"correction": correction.pk}, stored, {"order": order, "after": after, "done_at": moment}
        )


def _stored_entries() -> Iterator[Stored]:
    connection.ensure_connection()
    with ServerCursor(connection.connection, "stored_entries") as cursor:
        cursor.itersize = _CHUNK
        yield from cursor.execute(_ENTRIES, binary=True)


def _compare_entries(stored: Iterator[Stored], due: Iterator[tuple[Key, Entry]]) -> Iterator[list[Flaw]]:
    """Compare two ledgers, both in order. :returns: the flaws found up to each expected entry."""
    row, last = next(stored, None), 0
    for key, entry in due:
        flaws = []
        while row and row[_KEY] < key:
            flaws.append(_not_due(row))
            row = next(stored, None)
        if row and row[_KEY] == key:
            if row[_ENTRY] != entry or row[_ID] <= last:
                flaws += _compare_entry(row, entry, last)
            last = max(last, row[_ID])
            row = next(stored, None)
        else:
            flaws.append(Flaw(ENTRY, _where(entry), None, _named(entry)))
        yield flaws
    yield from ([_not_due(one)] for one in (row, *stored) if one)


def _compare_entry(row: Stored, entry: Entry, last: int) -> Iterator[Flaw]:
    stored, due = {"id": row[_ID], **_named(row[_ENTRY])}, {"id": max(row[_ID], last + 1), **_named(entry)}
    return compare(ENTRY, _where(entry), stored, due)


def _not_due(row: Stored) -> Flaw:
    return Flaw(ENTRY, _where(row[_ENTRY]), _named(row[_ENTRY]), None)


def _where(entry: Iterable[Any]) -> dict[str, Any]:
    """Return what names an entry."""
    said = _named(entry)
    key = Game.objects.filter(pk=said["game_id"]).values_list("key", flat=True).first()
    where = {"game": key, "number": said["number"], "seat": said["seat"]}
    return where | ({"correction": said["correction_id"]} if said["correction_id"] else {})


def _named(entry: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(COLUMNS, entry, strict=True))
