"""The replica: a copy of the database that only reads, and lags behind the primary by a moment.

What may be some seconds old and decides nothing is read from it, if one is configured: boards, players, exports, dumps.
How old it is at most is known from the processes' heartbeats, which are written every few seconds: what was committed
before the newest of them is there, too. PostgreSQL's own times say nothing once a replica has lost its primary.

What became private is private at once: the replica is read only if it has the newest acts, for which the primary is
asked.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import TypeVar

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, OperationalError, connections

from games.platform.patience import TooSlowError

T = TypeVar("T")

NAME = "replica"
_CLOCKS_DIFFER = 5.0
"""Seconds by which the clocks of the two servers may differ."""
_ASKED_EVERY = 1.0
"""Seconds for which an answer about the replica's age is believed."""
_STATE = """
SELECT pg_is_in_recovery(), extract(epoch FROM clock_timestamp() - max(seen_at))::float8 FROM games_runningprocess
"""
_ACTS = "SELECT array_agg(id) FROM (SELECT id FROM games_act ORDER BY id DESC LIMIT 100) newest"
"""More than the newest one: they are not committed in the order of their numbers."""
_AWAY_FOR = 5.0
"""Seconds for which a primary that did not answer is not asked for what the replica has."""
AWAY = (OperationalError, InterfaceError)
"""What is raised when a database does not answer, and also when it ends a statement: `is_away` distinguishes them."""
_NO_CONNECTION = ("08", "57P", "53300")
"""How the states begin of errors that say that there is no connection; without a server's answer there is no state."""

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class State:
    """How a replica is."""

    follows: bool
    """Whether it is a replica: one that was promoted is a primary."""
    behind: float | None
    """By how many seconds at most it lags; None: unknown, because no process has ever stored a heartbeat."""

    @property
    def has_wrong_clock(self) -> bool:
        """Return whether the newest heartbeat is in its future, so that it is unknown how far it is behind."""
        return self.behind is not None and self.behind < -_CLOCKS_DIFFER

    @property
    def is_fresh(self) -> bool:
        """Return whether it is known to lag no more than the settings allow."""
        return self.behind is not None and not self.has_wrong_clock and self.behind <= settings.DATABASE_REPLICA_LAG


def is_configured() -> bool:
    """Return whether there is a replica."""
    return NAME in settings.DATABASES


def state() -> State:
    """Return how the replica is. :raises DatabaseError: when it does not answer."""
    with connections[NAME].cursor() as cursor:
        cursor.execute(_STATE)
        follows, behind = cursor.fetchone()
    return State(follows, behind)


def answers() -> bool:
    """Return whether there is a replica that can be read, however old it is."""
    try:
        return is_configured() and bool(state())
    except (DatabaseError, InterfaceError):
        return False


class _Known:
    """What all threads of a process know: whether the replica is fresh, asked once a second, and the primary away."""

    def __init__(self) -> None:
        self._lock, self._asked, self._is_fresh = Lock(), 0.0, False
        self.away_until = 0.0

    def is_fresh(self) -> bool:
        """Return whether the replica answers and is fresh enough; while another thread asks, what was found before."""
        if time.monotonic() - self._asked > _ASKED_EVERY and self._lock.acquire(blocking=False):
            try:
                self._is_fresh = _is_fresh()
                self._asked = time.monotonic()
            finally:
                self._lock.release()
        return self._is_fresh


_known = _Known()


def is_primary_away() -> bool:
    """Return whether there is a replica, and the primary did not answer a moment ago."""
    return is_configured() and time.monotonic() < _known.away_until


def is_away(error: BaseException) -> bool:
    """Return whether a database does not answer. One that is full, or ended a statement that waited, does answer."""
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(_NO_CONNECTION)


def note_that_primary_is_away() -> None:
    """Let nobody wait for the primary for what the replica has, for some seconds."""
    _known.away_until = time.monotonic() + _AWAY_FOR


def _is_fresh() -> bool:
    try:
        found = state()
    except (DatabaseError, InterfaceError) as problem:
        log.info("replica unavailable", problem=str(problem).strip())
        return False
    if not found.is_fresh:
        log.info("replica too far behind", seconds=found.behind)
    return found.is_fresh


@contextmanager
def reading() -> Iterator[None]:
    """Read everything inside from the replica, by the ORM or not. PostgreSQL refuses to write there."""
    primary = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connections[NAME]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = primary


def read(ask: Callable[[], T], *, suits: Callable[[T], bool] = lambda _: True, of_any_age: bool = False) -> T:
    """Return what a function reads: from the replica while that is fresh, else from the primary.

    Whatever fails on the replica is asked of the primary: it may be missing there, or written while it is read.

    :param suits: whether the replica's answer is good enough.
    :param of_any_age: whether, when the primary does not answer, the replica's answer counts however old it is.
    """
    if not is_configured() or connections[DEFAULT_DB_ALIAS].in_atomic_block:
        return ask()
    if (of_any_age and is_primary_away()) or (_known.is_fresh() and _has_newest_acts(of_any_age=of_any_age)):
        found = _try(ask)
        if found is not None and suits(found[0]):
            return found[0]
    try:
        return ask()
    except AWAY as error:
        if not is_away(error):
            raise
        note_that_primary_is_away()
        found = _try(ask) if of_any_age else None
        if found is None or not suits(found[0]):
            raise
        return found[0]


def _has_newest_acts(*, of_any_age: bool) -> bool:
    """Return whether nothing was made private, hidden or deleted that the replica does not know of."""
    try:
        newest = _acts(DEFAULT_DB_ALIAS)
    except AWAY as error:
        if not is_away(error):
            return False
        note_that_primary_is_away()
        return of_any_age
    try:
        return _acts(NAME) == newest
    except (DatabaseError, InterfaceError):
        return False


def _acts(database: str) -> object:
    with connections[database].cursor() as cursor:
        cursor.execute(_ACTS)
        return cursor.fetchone()


def certain(now: datetime) -> datetime:
    """Return a moment from which on all readers know everything, from the replica too."""
    return now - timedelta(seconds=settings.DATABASE_REPLICA_LAG) if is_configured() else now


def _try(ask: Callable[[], T]) -> tuple[T] | None:
    """Return what a function reads from the replica; None when it fails there, unless because it takes too long."""
    try:
        with reading():
            return (ask(),)
    except (SoftTimeLimitExceeded, TooSlowError):  # it would take as long again
        raise
    except Exception as problem:  # noqa: BLE001 - whatever it is, the primary is asked
        log.info("not read from the replica", problem=f"{type(problem).__name__}: {problem}".strip())
        return None
