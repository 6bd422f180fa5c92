"""What is looked for again and again, while nothing is to be done, reads none of the many records and games."""

from collections import Counter
from datetime import datetime

import pytest
from django.db import connection

from games import tasks
from games.models import Upload
from games.run import rate_waiting
from tests.factories import duels
from tests.games.judging import judge_and_index
from tests.games.uploading import upload_file

MANY, FEW = 200, 20
MANY_ROWS = ("games_movelog", "games_game", "games_seating")


def rows_read() -> Counter[str]:
    """Return how many rows of the largest tables this transaction has read."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
            " WHERE relname = ANY(%s)",
            [[*MANY_ROWS]],
        )
        return Counter(dict(cursor.fetchall()))


@pytest.mark.django_db
def test_idle_workers_read_no_records_in_vain(now: datetime) -> None:
    upload_file(b"\n".join(duels(MANY)), via=Upload.Via.WEB, now=now)
    judge_and_index(now)
    tasks.find_events()
    rate_waiting(now=now)
    with connection.cursor() as cursor:  # as where there are so many that reading all of them is the dearest way
        cursor.execute("ANALYZE")
        cursor.execute("SET LOCAL enable_seqscan = off")
    before = rows_read()
    rate_waiting(now=now)
    tasks.sweep()
    read = rows_read() - before
    assert before["games_movelog"] > MANY
    assert {table: rows for table, rows in read.items() if rows > FEW} == {}
