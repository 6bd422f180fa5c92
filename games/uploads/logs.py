"""Logs: the records of a file as waiting rows, added many at a time."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from engine.agn.log import Record
from games.models import MoveLog
from games.packing import pack

_COLUMNS = (
    "upload_id", "number", "line", '"offset"', "entry_id", "form", "data", "too_long", "queued_at",
    "state", "attempts", "fence", "failure", "seats", "text", "game_digest", "record_digest",
)  # fmt: skip
_COPY = f"COPY games_movelog ({', '.join(_COLUMNS)}) FROM STDIN WITH (FORMAT BINARY)"
_TYPES = ("uuid", "int4", "int4", "int8", "int8", "varchar", "bytea", "bool", "timestamptz",
          "varchar", "int2", "int4", "text", "jsonb", "bytea", "varchar", "varchar")  # fmt: skip
_FRESH = (MoveLog.State.WAITING.value, 0, 0, "", list[object](), b"", "", "")
"""The columns of a log that was not verified yet."""


class Placed(NamedTuple):
    """A record, its number in the file, and the row of the entry of a zip archive in which it stands."""

    number: int
    record: Record
    entry: int | None = None


def add_logs(upload: UUID, records: Iterable[Placed], *, now: datetime) -> None:
    """Add waiting logs, within the transaction under way."""
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        copy.set_types(_TYPES)
        for number, record, entry in records:
            copy.write_row(
                (upload, number, record.line, record.offset, entry, record.form, pack(record.data), record.too_long,
                 now, *_FRESH)
            )  # fmt: skip
