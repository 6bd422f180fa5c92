"""Empty the database after a test with real commits: only the tables that were written to.

Django would truncate all tables and recreate content types and permissions: most tests take less time.
"""

import time

from django.db import OperationalError, connection, transaction

KEPT: set[str] = set()
"""Tables with rows from migrations, which a new database has as well."""
PATIENCE = 20.0
LARGE = 1 << 18
"""Size in bytes above which an emptied table is truncated to return its space."""
_BUSY = """
SELECT string_agg(query, '; ') FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'
"""


def keep_what_there_is() -> None:
    """Record which tables have rows before the first test."""
    KEPT.update(_written())


def empty() -> None:
    """Delete all rows made by tests until none are found."""
    deadline = time.monotonic() + PATIENCE
    while written := _written():
        _wait_for_others()
        try:
            _remove(written)
        except OperationalError:  # a deadlock with a request or task that had just started
            if time.monotonic() > deadline:
                raise


def _remove(tables: list[str]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger prevents it; order is irrelevant
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
    """Wait until sessions of killed workers have ended and pending requests are answered."""
    deadline = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while busy := cursor.execute(_BUSY).fetchone()[0]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"Somebody still works in the database of the tests: {busy}")
            time.sleep(0.02)
