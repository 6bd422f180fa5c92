"""The site's PostgreSQL, which can be made to keep as many changes as one likes for its next start after a crash."""

import time
from threading import Thread

import psycopg
from psycopg.rows import TupleRow

from atta_site import embedded

_MIB = 1 << 20
_NEVER = "30min"
_PATIENCE = 120
"""Seconds within which it takes a connection, busy as it is with changes."""
_SINCE_CHECKPOINT = "SELECT (pg_current_wal_insert_lsn() - redo_lsn)::bigint FROM pg_control_checkpoint()"
_FILL = (
    "TRUNCATE filler",
    # 32 MiB of rows that cannot be compressed.
    "INSERT INTO filler SELECT repeat(md5(n::text || clock_timestamp()), 60) FROM generate_series(1, 17000) n",
)


class Database(embedded.Postgres):
    """A PostgreSQL whose checkpoints can be put off, for its command names no limits of its own."""

    def settings(self) -> dict[str, object]:
        """Return what the command names; the rest is in its file of settings, where it can be changed as it runs."""
        given = super().settings()
        return {name: value for name, value in given.items() if name not in self._movable()}

    def settle(self) -> None:
        """Write the movable settings into the file, before the first start."""
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in self._movable().items())

    def _movable(self) -> dict[str, object]:
        given = super().settings()
        return {name: given[name] for name in ("checkpoint_timeout", "max_wal_size")}

    def put_off_checkpoints(self, most: int) -> None:
        """Make no checkpoint before so many MiB of changes, until `as_usual`."""
        with self._beside() as database:
            database.execute("CHECKPOINT")
            database.execute(f"ALTER SYSTEM SET max_wal_size = '{4 * most}MB'")
            database.execute(f"ALTER SYSTEM SET checkpoint_timeout = '{_NEVER}'")
            database.execute("SELECT pg_reload_conf()")
            database.execute("CREATE TABLE IF NOT EXISTS filler (x text STORAGE EXTERNAL)")

    def changes(self) -> int:
        """Return the MiB of changes that a crash now would leave for the next start."""
        with self._beside() as database:
            (found,) = database.execute(_SINCE_CHECKPOINT).fetchone() or (0,)
            return int(found) // _MIB

    def change_without_end(self) -> Thread:
        """Write changes in another database of this server, as others do, until it is killed."""
        thread = Thread(target=self._fill, daemon=True)
        thread.start()
        return thread

    def as_usual(self) -> None:
        """Make checkpoints as before."""
        with self._beside() as database:
            for name in self._movable():
                database.execute(f"ALTER SYSTEM RESET {name}")
            database.execute("SELECT pg_reload_conf()")
            database.execute("DROP TABLE filler")

    def _fill(self) -> None:
        try:
            with self._beside() as database:
                while True:
                    with database.transaction():
                        for statement in _FILL:
                            database.execute(statement)
        except psycopg.Error:
            """Killed, as planned."""

    def _beside(self) -> "psycopg.Connection[TupleRow]":
        """Connect as soon as it answers: after one of its processes was killed it recovers first."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                return psycopg.connect(self._url("postgres"), autocommit=True, connect_timeout=_PATIENCE)
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
