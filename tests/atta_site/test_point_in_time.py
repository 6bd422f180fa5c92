"""Archived WAL brings the database back as it was at a moment: byte for byte, and without what came later."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from atta_site import embedded
from tests.sites import PATIENCE, OwnDatabase, own_database

pytestmark = pytest.mark.full

UPLOAD = """
from django.utils import timezone
from games.models import Upload
from tests.factories import duels
from tests.games.judging import count_all
from tests.games.uploading import upload_file
upload_file(b"\\n".join(duels({games}, names=({names}))), via=Upload.Via.API, now=timezone.now())
count_all(timezone.now())
"""
EARLY = UPLOAD.format(games=3, names='"Ada", "Bruno"')
_VARY = ("\\restrict", "\\unrestrict", "SELECT pg_catalog.setval")
LATE = UPLOAD.format(games=2, names='"Cleo", "Dora"')


def configure(data: Path, **settings: str) -> None:
    with (data / "postgresql.conf").open("a") as file:
        file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())


def client(postgres: embedded.Postgres, program: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs against a server and return its output."""
    where = ["--host", embedded.HOST, "--port", str(postgres.port), "--username", "atta"]
    command = [str(embedded.binaries() / program), *where, *arguments]
    environment = os.environ | {"PGPASSWORD": postgres.password}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def content(postgres: embedded.Postgres) -> list[str]:
    """Return all rows of all tables. Sequences go on a little further after every recovery."""
    dump = client(postgres, "pg_dump", "--data-only", "atta")
    return [line for line in dump.splitlines() if not line.startswith(_VARY)]


def until_true(postgres: embedded.Postgres, query: str) -> None:
    deadline = time.monotonic() + PATIENCE
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        while not connection.execute(query).fetchone()[0]:  # type: ignore[index]
            assert time.monotonic() < deadline, query
            time.sleep(0.1)


@contextmanager
def archiving(folder: Path, archive: Path) -> Iterator[OwnDatabase]:
    """Yield a database that archives its WAL."""
    archive.mkdir(mode=0o777)
    archive.chmod(0o777)  # PostgreSQL runs as another user
    with own_database(folder) as database:
        database.postgres.stop()
        configure(database.postgres.data, archive_mode="on", archive_command=f"cp %p {archive}/%f")
        database.postgres.durable = True
        database.postgres.start()
        yield database


def restored(base: Path, archive: Path, moment: str, beside: embedded.Postgres) -> embedded.Postgres:
    """Return a server that is recovered from a base backup and archived WAL up to a moment."""
    (base / "recovery.signal").touch()
    configure(
        base, archive_mode="off", restore_command=f"cp {archive}/%f %p", recovery_target_time=moment,
        recovery_target_action="promote",
    )  # fmt: skip
    (base.parent / "password").write_text(beside.password)
    postgres = embedded.Postgres(base.parent, base.parent / "log", durable=True)
    postgres.start()
    until_true(postgres, "SELECT NOT pg_is_in_recovery()")
    return postgres


def test_database_is_restored_as_it_was_at_a_moment(tmp_path: Path) -> None:
    archive, base = tmp_path / "archive", tmp_path / "restored" / "data"
    base.parent.mkdir()
    with archiving(tmp_path / "own", archive) as database:
        client(database.postgres, "pg_basebackup", "--pgdata", str(base), "--wal-method=none", "--checkpoint=fast")
        database.manage("shell", "--verbosity=0", "--command", EARLY)
        due = content(database.postgres)
        with psycopg.connect(database.postgres.url, autocommit=True) as connection:
            (moment,) = connection.execute("SELECT clock_timestamp()::text").fetchone() or ("",)
        database.manage("shell", "--verbosity=0", "--command", LATE)
        assert content(database.postgres) != due
        with psycopg.connect(database.postgres.url, autocommit=True) as connection:
            (last,) = connection.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone() or ("",)
        until_true(database.postgres, f"SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver")
    again = restored(base, archive, moment, database.postgres)
    try:
        assert content(again) == due
        database.environment["DATABASE_URL"] = again.url
        database.manage("fsck")
    finally:
        again.stop()
