"""A streaming replica of a test's database, which can be held back, stopped and promoted."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from atta_site import embedded
from tests.sites import PATIENCE


@contextmanager
def following(primary: embedded.Postgres, folder: Path) -> Iterator[embedded.Postgres]:
    """Yield a running replica of a running server."""
    replica = embedded.Postgres(folder, folder / "replica.log", durable=False)
    (folder / "password").write_text(primary.password)
    replica.password = primary.password
    copy = [
        *embedded.as_nobody(), str(embedded.binaries() / "pg_basebackup"), "--pgdata", str(replica.data),
        "--dbname", primary.url, "--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream",
    ]  # fmt: skip
    subprocess.run(copy, env=os.environ, cwd=folder, capture_output=True, check=True)
    with (replica.data / "postgresql.conf").open("a") as file:
        file.write("hot_standby_feedback = on\nmax_standby_streaming_delay = -1\n")
    replica.start()
    try:
        yield replica
    finally:
        replica.stop()


def catch_up(primary: embedded.Postgres, replica: embedded.Postgres) -> None:
    """Wait until the replica has all that is on the primary now."""
    ((here,),) = ask(primary, "SELECT pg_current_wal_lsn()::text")
    until(replica, f"SELECT pg_last_wal_replay_lsn() >= '{here}'")


def until(server: embedded.Postgres, question: str) -> None:
    """Wait until a question is answered with yes."""
    deadline = time.monotonic() + PATIENCE
    while not ask(server, question)[0][0]:
        assert time.monotonic() < deadline, question
        time.sleep(0.05)


@contextmanager
def held_back(replica: embedded.Postgres) -> Iterator[None]:
    """Let a replica show nothing new for a while."""
    ask(replica, "SELECT pg_wal_replay_pause()::text")
    until(replica, "SELECT pg_get_wal_replay_pause_state() = 'paused'")
    try:
        yield
    finally:
        ask(replica, "SELECT pg_wal_replay_resume()::text")


def ask(server: embedded.Postgres, question: str) -> list[tuple[object, ...]]:
    """Return the rows that a server answers with."""
    with psycopg.connect(server.url, autocommit=True, connect_timeout=5) as connection:
        return connection.execute(question).fetchall()
