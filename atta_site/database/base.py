"""Django's PostgreSQL backend, with timeouts, and without cursors that outlive a transaction."""

from collections.abc import Generator
from functools import partial
from typing import Any, ClassVar, TypeVar

import psycopg
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper
from psycopg import IsolationLevel

from atta_site.database.pulse import LIMIT, Pulse, SilentError, watched
from atta_site.database.schema import SchemaEditor

T = TypeVar("T")

_WHERE = ("host", "port", "dbname", "user", "password", "target_session_attrs")
"""What a connection is made with to see whether the database answers; the last says which of several hosts."""


class Watched(psycopg.Connection[Any]):
    """A connection that does not wait for a silent database."""

    pulse: Pulse

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **named: Any) -> T:  # noqa: ANN401 (as psycopg calls it)
        """Wait for the server's answer. :raises SilentError: when none comes; the connection is then closed."""
        try:
            self.pulse.require()
            return super().wait(watched(gen, self.pulse), *args, **named)
        except SilentError:
            self.pgconn.finish()
            raise


class _Probe(psycopg.Connection[Any]):
    """A connection only for checking whether the database answers."""

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **named: Any) -> T:  # noqa: ANN401 (as psycopg calls it)
        return super().wait(gen, *args, **{**named, "timeout": LIMIT})


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's way to one database."""

    SchemaEditorClass = SchemaEditor
    is_watching: ClassVar[bool] = False
    """Whether this process is one in which nobody may wait long."""
    _pulses: ClassVar[dict[tuple[Any, ...], Pulse]] = {}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:  # noqa: ANN401 (as Django has it)
        """Connect.

        :raises SilentError: when the database is known to be silent.
        """
        if not self.is_watching:
            return super().get_new_connection(conn_params)
        self.isolation_level = IsolationLevel.READ_COMMITTED  # as in Django when no setting names another
        pulse = self._pulse(conn_params)
        pulse.require()
        try:
            connection = Watched.connect(**conn_params)
        except psycopg.errors.ConnectionTimeout:
            pulse.miss()
            raise
        connection.pulse = pulse
        return connection

    def _pulse(self, conn_params: dict[str, Any]) -> Pulse:
        """Return the pulse of the server for these connection parameters."""
        least = {name: conn_params.get(name) for name in _WHERE}
        pulse = Pulse(partial(_probe, {name: value for name, value in least.items() if value}))
        return self._pulses.setdefault(tuple(least.values()), pulse)

    def chunked_cursor(self) -> CursorWrapper:
        """Return a cursor that reads rows as they are fetched, in a transaction; else one that fetches all at once.

        The server keeps the first kind for the session, and behind a pooler only a transaction stays in one session.
        """
        return super().chunked_cursor() if self.in_atomic_block else self.cursor()


def watch() -> None:
    """Limit how long this process waits for a silent database, from the next connection on."""
    DatabaseWrapper.is_watching = True


def _probe(least: dict[str, Any]) -> None:
    with _Probe.connect(**least, connect_timeout=2, autocommit=True, prepare_threshold=None) as connection:
        connection.execute("SELECT 1")
