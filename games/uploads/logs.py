"""Logs: the records of a file as rows, added many at a time: waiting, or with the results of their verification."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from engine.agn.log import Record
from games.models import MoveLog
from games.packing import pack

# Column and type.
_RECORD = {
    "upload_id": "uuid", "number": "int4", "line": "int4", '"offset"': "int8", "entry_id": "int8", "form": "varchar",
    "data": "bytea", "too_long": "bool", "queued_at": "timestamptz",
}  # fmt: skip
_PROGRESS = {
    "attempts": "int2", "fence": "int4", "failure": "text", "state": "varchar", "game_id": "int8", "seats": "jsonb",
    "text": "bytea", "game_digest": "varchar", "record_digest": "varchar", "verdict": "varchar", "rule": "varchar",
}  # fmt: skip
_COPY = "COPY games_movelog ({}) FROM STDIN WITH (FORMAT BINARY)"
_NEXT_IDS = "SELECT nextval(pg_get_serial_sequence('games_movelog', 'id')) FROM generate_series(1, %s)"


class Result(NamedTuple):
    """What a log says of its verification."""

    state: str
    game: int | None
    seats: list[tuple[str, str]]
    text: bytes
    """Packed."""
    game_digest: str
    record_digest: str
    verdict: str
    rule: str


_NONE = Result(MoveLog.State.WAITING.value, None, [], b"", "", "", "", "")
_NEVER, _ONCE = (0, 0, ""), (1, 1, "")
"""Attempts, fence and failure of a log that was not claimed yet, and of one that was verified at the first attempt."""


class Placed(NamedTuple):
    """A record, its number in the file, and the row of the entry of a zip archive that contains it."""

    number: int
    record: Record
    entry: int | None = None


def add_logs(upload: UUID, records: Iterable[Placed], *, now: datetime) -> None:
    """Add waiting logs, within the transaction under way."""
    _copy(_RECORD | _PROGRESS, ((*_of_record(upload, one, now), *_NEVER, *_NONE) for one in records))


def next_ids(count: int) -> list[int]:
    """Return the ids of the next logs."""
    with connection.cursor() as cursor:
        cursor.execute(_NEXT_IDS, [count])
        return [number for (number,) in cursor]


def add_logs_with_results(
    upload: UUID, records: Mapping[int, Placed], results: Mapping[int, Result], *, now: datetime
) -> None:
    """Add logs by id, with their results; those without are waiting, as if they were added alone."""
    rows = (
        (log, *_of_record(upload, one, now), *(_ONCE if log in results else _NEVER), *results.get(log, _NONE))
        for log, one in records.items()
    )
    _copy({"id": "int8"} | _RECORD | _PROGRESS, rows)


def _of_record(upload: UUID, placed: Placed, now: datetime) -> tuple[Any, ...]:
    number, record, entry = placed
    data = pack(record.data)
    return upload, number, record.line, record.offset, entry, record.form, data, record.too_long, now


def _copy(columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> None:
    with connection.cursor() as cursor, cursor.copy(_COPY.format(", ".join(columns))) as copy:
        copy.set_types([*columns.values()])
        for row in rows:
            copy.write_row(row)
