"""Events of a table: numbered rows with their content, and a notification to its streams."""

from datetime import datetime
from typing import Any

from django.db import connection

from games.models import Table, TableEvent

CHANNEL = "atta_live"


def append(table: Table, kind: str, body: dict[str, Any], *, now: datetime) -> TableEvent:
    """Store an event in the transaction that holds the table's lock; it is announced at the commit.

    The number is kept in the table's row, which the caller saves.
    """
    table.last_event += 1
    event = TableEvent.objects.create(table=table, number=table.last_event, kind=kind, body=body, at=now)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{table.key} {event.number}"])
    return event
