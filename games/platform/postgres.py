"""PostgreSQL itself: its size, its sessions, and whether it archives."""

from django.db import connection

_SIZE = "SELECT pg_database_size(current_database())"
_SESSIONS = """
SELECT coalesce(state, 'other'), count(*) FROM pg_stat_activity
WHERE datname = current_database() GROUP BY 1 ORDER BY 1
"""
_OLDEST = """
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_ARCHIVED = "SELECT failed_count FROM pg_stat_archiver"
_MOST_SESSIONS = "SELECT setting::bigint FROM pg_settings WHERE name = 'max_connections'"


def database_bytes() -> int:
    """Return how many bytes the database takes."""
    return int(_asked(_SIZE))


def sessions() -> dict[str, int]:
    """Return how many sessions the database has, by their state."""
    with connection.cursor() as cursor:
        cursor.execute(_SESSIONS)
        return {state: int(count) for state, count in cursor.fetchall()}


def most_sessions() -> int:
    """Return how many sessions the server allows."""
    return int(_asked(_MOST_SESSIONS))


def oldest_transaction_seconds() -> float:
    """Return for how long the oldest transaction of others has been open; 0 without one."""
    return _asked(_OLDEST)


def archive_failures() -> int:
    """Return how many WAL files could not be archived since the statistics began."""
    return int(_asked(_ARCHIVED))


def _asked(question: str) -> float:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return float(cursor.fetchone()[0])
