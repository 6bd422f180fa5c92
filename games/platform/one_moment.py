"""Reading all parts of an answer from the database as it was at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Read all within as it was when the first of it was read; also a decorator.

    Verdict, digest, address and counts are stored together, but an answer asks for them one after another. Within a
    transaction that is under way nothing is changed: whoever began it says what it sees.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
