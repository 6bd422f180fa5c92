"""One at a time: locks by name, for what has no row yet that could be locked. They last as long as the transaction."""

from hashlib import sha256

from django.db import connection


def wait_for(name: str) -> None:
    """Waits until nobody else has what is named, and has it then."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_number(name)])


def is_free(name: str) -> bool:
    """Takes what is named, if nobody has it just now. :returns: whether nobody had."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_number(name)])
        return bool(cursor.fetchone()[0])


def _number(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
