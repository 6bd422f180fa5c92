"""Reads all parts of an answer from one snapshot of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def repeatable_read() -> Iterator[None]:
    """Make all reads inside see the database as at the first of them; also a decorator.

    Verdict, digest, address and counts are stored together, but an answer asks for them one after another. Inside a
    transaction this does nothing: the transaction's own isolation applies.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
