"""Digests of tables: equal for two databases with the same rows, in whatever order they are stored."""

from django.db import connection
from django.db.backends.utils import CursorWrapper

IGNORED = frozenset({"cache", "games_throttle", "games_runningprocess"})
"""Tables that count requests or processes; a backup has their shape and not their rows."""
_TABLES = """
SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> ALL(%s) ORDER BY tablename
"""
# Text that does not depend on the session: the same row gives the same digest wherever it is.
_SETTLE = "SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1"
_DIGEST = """
SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text,
       coalesce(sum(hashtextextended(t::text, 1)::numeric), 0)::text FROM {table} AS t
"""

Digests = dict[str, list[int | str]]


def digests_of_tables() -> Digests:
    """Return the number of rows and a digest of each table; call it in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_SETTLE)
        cursor.execute(_TABLES, [list(IGNORED)])
        return {table: _digest(cursor, table) for (table,) in cursor.fetchall()}


def _digest(cursor: CursorWrapper, table: str) -> list[int | str]:
    cursor.execute(_DIGEST.format(table=connection.ops.quote_name(table)))
    count, one, two = cursor.fetchone()
    return [count, f"{one}:{two}"]


def differences(stored: Digests, found: Digests) -> list[str]:
    """Return a sentence for each table that differs."""
    said = []
    for table in sorted({*stored, *found}):
        if table not in found or table not in stored:
            said.append(f"{table} is only in {'the backup' if table in stored else 'the database'}.")
        elif list(stored[table]) != list(found[table]):
            said.append(f"{table} differs: {stored[table][0]} rows in the backup, {found[table][0]} in the database.")
    return said
