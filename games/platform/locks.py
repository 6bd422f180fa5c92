"""Locks by name, for what has no row yet that could be locked. They last as long as the transaction."""

from hashlib import sha256

from django.db import connection


def wait_for(name: str) -> None:
    """Wait for a lock, and take it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_number(name)])


def is_free(name: str) -> bool:
    """Take a lock if it is free. :returns: whether it was."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_number(name)])
        return bool(cursor.fetchone()[0])


def _number(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
