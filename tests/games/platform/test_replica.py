"""When a replica is fresh, and which errors say that a database is away."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection, connections, transaction
from django.utils import timezone

from games.platform import processes, replica
from games.platform.patience import TooSlowError


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


@pytest.mark.parametrize(("error", "times"), [(TooSlowError(), 1), (SoftTimeLimitExceeded(), 1), (KeyError(), 2)])
def test_only_what_takes_too_long_on_the_replica_is_not_asked_of_the_primary(
    replicated: None, error: Exception, times: int
) -> None:
    asked = list[bool]()

    def ask() -> None:
        asked.append(connections["default"] is connections[replica.NAME])
        raise error

    with pytest.raises(type(error)):
        replica.read(ask)
    assert asked == [True, False][:times]


@pytest.fixture
def replicated(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the database be its own replica, which is always fresh."""
    processes.note("web", "here", 1, version="1", clock=timezone.now(), first=True)
    monkeypatch.setitem(connections.settings, replica.NAME, connections.settings["default"])
    connections[replica.NAME] = connections["default"].copy()
    monkeypatch.setattr(replica, "_known", replica._Known())
    yield
    connections[replica.NAME].close()
    del connections[replica.NAME]


@contextmanager
def refused() -> Iterator[list[OperationalError]]:
    """Yield a list that has the error which the statements inside raise."""
    found = list[OperationalError]()
    with pytest.raises(OperationalError) as caught:
        yield found
    found.append(caught.value)
