"""Empties the database after a test with real commits: the tables that were written to, and no others.

Django truncates all tables each time and makes every content type and permission anew: most tests take less time.
"""

import time

from django.db import OperationalError, connection, transaction

KEPT: set[str] = set()
"""Tables whose rows the migrations made: a new database has them, too."""
PATIENCE = 20.0
LARGE = 1 << 18
"""Bytes from which on an emptied table gives back its space, which would be read again and again."""
_BUSY = """
SELECT string_agg(query, '; ') FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'
"""


def keep_what_there_is() -> None:
    """Note which tables have rows before the first test."""
    KEPT.update(_written())


def empty() -> None:
    """Remove all rows that tests have made, until a look finds none."""
    deadline = time.monotonic() + PATIENCE
    while written := _written():
        _wait_for_others()
        try:
            _remove(written)
        except OperationalError:  # a deadlock with a request or a task that had just begun
            if time.monotonic() > deadline:
                raise


def _remove(tables: list[str]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger forbids it, and no order matters
        for table in tables:
            cursor.execute(f'DELETE FROM "{table}"')
    with connection.cursor() as cursor:
        large = "SELECT relname FROM pg_class WHERE relname = ANY(%s) AND pg_table_size(oid) > %s"
        cursor.execute(large, [tables, LARGE])
        for (table,) in cursor.fetchall():
            cursor.execute(f'VACUUM "{table}"')


def _written() -> list[str]:
    tables = set(connection.introspection.django_table_names(include_views=False)) - KEPT
    asked = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM \"{table}\")" for table in sorted(tables))
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return [table for (table,) in cursor.fetchall()]


def _wait_for_others() -> None:
    """Wait until a killed worker's sessions have ended, and the site has answered what a closed page had asked."""
    deadline = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while busy := cursor.execute(_BUSY).fetchone()[0]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"Somebody still works in the database of the tests: {busy}")
            time.sleep(0.02)
