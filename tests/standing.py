"""Rows shared by all tests of a module: created once in an outer transaction and rolled back after the last.

For tests that roll back their writes. Tests with real commits (`transactional_db`) have no outer transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from pytest_django import DjangoDbBlocker


@contextmanager
def standing_rows(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep what a module fixture writes until its last test has ended."""
    around = transaction.Atomic(using=None, savepoint=True, durable=False)
    around._from_testcase = True  # type: ignore[attr-defined]  # what wants to be outermost may be within
    with blocker.unblock():
        assert not connection.in_atomic_block, "one module at a time"
        around.__enter__()
    try:
        yield
    finally:
        with blocker.unblock():
            transaction.set_rollback(True)
            around.__exit__(None, None, None)
