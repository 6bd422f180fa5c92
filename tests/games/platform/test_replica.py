"""When a replica is fresh, and which errors say that a database is away."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from games.platform import replica


@pytest.mark.parametrize(
    ("behind", "is_fresh"), [(0.0, True), (60.0, True), (61.0, False), (None, False), (-1.0, True), (-3600.0, False)]
)
def test_a_replica_is_fresh_while_it_is_known_to_lag_little(
    settings: Any, behind: float | None, is_fresh: bool
) -> None:
    settings.DATABASE_REPLICA_LAG = 60
    assert replica.State(follows=True, behind=behind).is_fresh == is_fresh


def test_a_database_that_ends_a_statement_is_not_away(db: None) -> None:
    with refused() as error, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 10")
        cursor.execute("SELECT pg_sleep(10)")
    assert not replica.is_away(error[0])


def test_a_database_that_ends_the_connection_is_away(transactional_db: None) -> None:
    with refused() as error, connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    connection.close()
    assert replica.is_away(error[0])


@contextmanager
def refused() -> Iterator[list[OperationalError]]:
    """Yield a list that has the error which the statements inside raise."""
    found = list[OperationalError]()
    with pytest.raises(OperationalError) as caught:
        yield found
    found.append(caught.value)
