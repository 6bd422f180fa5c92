"""Embedded servers keep their data whichever process is killed, and stop only what they started."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from atta_site import embedded, processes, redo
from tests.sites import send
from tests.tiers import by_tier

CHANGED = by_tier(quick=2**27, long=2**29)
"""Bytes of changes that a crashed server has to redo: it is starting for a second, or for ten."""
MANAGER = """
import sys, time
from pathlib import Path
from atta_site import embedded
with embedded.servers(Path(sys.argv[1])) as pair:
    pair.start()
    print(pair.postgres.process.pid, pair.valkey.process.pid, flush=True)
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which both servers were started once."""
    folder = tmp_path_factory.mktemp("made")
    with embedded.servers(folder, durable=False) as pair:
        pair.start()
    return folder


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    """A folder with servers that are not running, for one test."""
    return shutil.copytree(made, tmp_path / "home")


@contextmanager
def another_manager(home: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """Run the servers of a folder from another process; yield it and the process ids of the servers."""
    process = subprocess.Popen([sys.executable, "-c", MANAGER, str(home)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process:
        try:
            yield process, [int(number) for number in process.stdout.readline().split()]
        finally:
            process.kill()


def count(pair: embedded.Pair) -> int:
    with psycopg.connect(pair.postgres.url) as connection:
        row = connection.execute("SELECT count(*) FROM leaf").fetchone()
    assert row is not None
    return int(row[0])


def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Advance the manager's clock by twice its patience each time it finds a server starting."""
    watched, ahead = embedded.Postgres._watched, [0.0]

    def watch(server: embedded.Postgres) -> Callable[[], bool]:
        is_under_way = watched(server)

        def look() -> bool:
            under_way = is_under_way()
            ahead[0] += 2 * embedded.PATIENCE if under_way else 0
            return under_way

        return look

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead[0], sleep=time.sleep)
    monkeypatch.setattr(embedded, "time", clock)
    monkeypatch.setattr(embedded.Postgres, "_watched", watch)


def change_much(pair: embedded.Pair) -> int:
    """Write many changes since the last checkpoint; return the number of rows."""
    changed = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) FROM pg_control_checkpoint()"
    with psycopg.connect(pair.postgres.url, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = on")
        connection.execute("CREATE TABLE leaf (id int, shape text)")
        connection.execute("ALTER TABLE leaf ALTER shape SET STORAGE PLAIN")
        connection.execute("CHECKPOINT")
        while connection.execute(changed).fetchall()[0][0] < CHANGED:
            connection.execute("INSERT INTO leaf SELECT 1, repeat('x', 200) FROM generate_series(1, 50000)")
    return count(pair)


def kill_all_processes(pair: embedded.Pair) -> None:
    """Kill PostgreSQL with all its processes."""
    assert pair.postgres.process is not None
    processes.kill(pair.postgres.process)
    assert redo.end_left_behind(pair.postgres.data)


def insert(pair: embedded.Pair) -> None:
    with psycopg.connect(pair.postgres.url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS leaf (id int)")
        connection.execute("INSERT INTO leaf VALUES (1)")


def has_ended(process: int) -> bool:
    """Return whether a process has ended; a zombie counts as ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def private_copy(programs: Path, folder: Path) -> Path:
    """Copy PostgreSQL and the libraries beside its package to a place only root can access."""
    package = programs.parent.parent
    for source in (package.with_suffix(".libs"), programs.parent):
        shutil.copytree(source, folder / source.relative_to(package.parent))
    return folder / programs.relative_to(package.parent)


@pytest.mark.full
def test_second_start_keeps_the_cluster_and_its_rows(tmp_path: Path) -> None:
    with embedded.servers(tmp_path) as pair:
        pair.start()
        insert(pair)
        made = (pair.postgres.data / "PG_VERSION").stat().st_mtime_ns
    with embedded.servers(tmp_path) as pair:
        pair.start()
        assert count(pair) == 1
        assert (pair.postgres.data / "PG_VERSION").stat().st_mtime_ns == made


def test_rows_outlive_a_killed_postmaster(home: Path) -> None:
    with embedded.servers(home) as pair:
        pair.start()
        insert(pair)
        assert pair.postgres.process is not None
        pair.postgres.process.send_signal(signal.SIGKILL)
        pair.postgres.process.wait()
        assert not pair.postgres.is_alive()
        pair.postgres.start()
        assert count(pair) == 1


@pytest.mark.full
def test_crash_recovery_is_awaited_and_reported(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time the manager checks a starting server, more time has passed than its patience."""
    slow_clock(monkeypatch)
    monkeypatch.setattr(redo, "TELL_EVERY", by_tier(quick=0.0, long=0.5))
    said: list[str] = []
    with embedded.servers(home, durable=False) as pair:
        pair.postgres.say = said.append
        pair.postgres.start()
        rows = change_much(pair)
        kill_all_processes(pair)
        pair.postgres.start()
        assert count(pair) == rows
    assert re.fullmatch(r"  PostgreSQL restores changes after a crash: (\d+ of about \d{3} MiB, )?\d+ s", said[-1])


@pytest.mark.full
def test_little_piles_up_that_is_to_be_redone_after_a_crash(home: Path) -> None:
    """At 50 MB a second a gigabyte takes 20 seconds; PostgreSQL's own settings let changes of five minutes wait."""
    named = "SELECT name, setting::int FROM pg_settings WHERE name IN ('checkpoint_timeout', 'max_wal_size')"
    with embedded.servers(home) as pair:
        pair.postgres.start()
        with psycopg.connect(pair.postgres.url) as connection:
            found: dict[str, int] = dict(connection.execute(named).fetchall())
    assert found["checkpoint_timeout"] <= 60
    assert found["max_wal_size"] <= 1024


@pytest.mark.full
def test_stopped_processes_of_a_killed_server_do_not_block_a_restart(home: Path) -> None:
    with embedded.servers(home) as pair:
        pair.postgres.start()
        insert(pair)
        assert pair.postgres.process is not None
        send(signal.SIGSTOP, redo.left_behind(pair.postgres.data))
        processes.kill(pair.postgres.process)
        pair.postgres.start()
        assert count(pair) == 1


@pytest.mark.full
def test_rows_survive_a_killed_manager_and_its_servers_stop(home: Path) -> None:
    with another_manager(home) as (manager, servers):
        manager.kill()
        manager.wait()
        with embedded.servers(home) as pair:
            pair.start()
            insert(pair)
            assert count(pair) == 1
    assert all(has_ended(server) for server in servers)


@pytest.mark.full
def test_second_manager_on_the_same_folder_is_rejected(home: Path) -> None:
    with (
        another_manager(home) as (manager, _),
        pytest.raises(embedded.EmbeddedError, match=f"is in use by process {manager.pid}; stop it first"),
        embedded.servers(home),
    ):
        pytest.fail("the folder was given away twice")


@pytest.mark.full
def test_stale_pid_file_does_not_kill_an_unrelated_process(home: Path) -> None:
    with embedded.servers(home) as pair:
        pair.postgres.start()
    with subprocess.Popen(["sleep", "60"]) as stranger:
        stale = f"{stranger.pid}\n{pair.postgres.data}\n0\n5432\n\n127.0.0.1\n"
        (pair.postgres.data / "postmaster.pid").write_text(stale)
        with embedded.servers(home) as again:
            again.postgres.start()
            assert again.postgres.is_alive()
        assert stranger.poll() is None
        stranger.kill()


@pytest.mark.full
def test_empty_pid_file_does_not_block_a_start(home: Path) -> None:
    with embedded.servers(home) as pair:
        pair.postgres.start()
        pair.postgres.stop()
        (pair.postgres.data / "postmaster.pid").touch()
        pair.postgres.start()
        assert pair.postgres.is_alive()


def test_a_server_that_cannot_start_says_why(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with embedded.servers(home) as pair:
        pair.postgres.start()
        pair.postgres.stop()
        monkeypatch.setattr(embedded, "PATIENCE", 0.5)
        (pair.postgres.data / "PG_VERSION").write_text("9\n")
        with pytest.raises(embedded.EmbeddedError, match=r"PostgreSQL did not start:\n(.|\n)*incompatible with server"):
            pair.postgres.start()


@pytest.mark.full
def test_passwords_are_required_and_readable_only_by_their_owner(tmp_path: Path) -> None:
    with embedded.servers(tmp_path) as pair:
        pair.start()
        for server in (pair.postgres, pair.valkey):
            assert stat.S_IMODE((server.home / "password").stat().st_mode) == 0o600
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(pair.postgres.url.replace(pair.postgres.password, "guess"))
        with pytest.raises(redis.exceptions.AuthenticationError):
            redis.Redis(port=pair.valkey.port, retry=Retry(NoBackoff(), 0)).ping()


def test_the_broker_keeps_its_messages(tmp_path: Path) -> None:
    with embedded.servers(tmp_path) as pair:
        pair.valkey.start()
        with redis.Redis.from_url(pair.valkey.url) as client:
            client.rpush("bell", "rung")
    with embedded.servers(tmp_path) as pair:
        pair.valkey.start()
        with redis.Redis.from_url(pair.valkey.url) as client:
            assert client.lpop("bell") == b"rung"


@pytest.mark.full
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has another user to become")
def test_root_can_start_servers_without_user_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    programs = private_copy(embedded.binaries(), tmp_path)
    monkeypatch.setattr(embedded, "binaries", lambda: programs)
    monkeypatch.setattr(embedded, "_works", lambda command: command[0] == "setpriv")
    embedded.as_nobody.cache_clear()
    try:
        with embedded.servers(tmp_path) as pair:
            pair.postgres.start()
            insert(pair)
            assert pair.postgres.data.stat().st_uid == embedded.NOBODY
            assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    finally:
        embedded.as_nobody.cache_clear()
    monkeypatch.undo()
    with embedded.servers(tmp_path) as pair:
        pair.postgres.start()
        assert count(pair) == 1
