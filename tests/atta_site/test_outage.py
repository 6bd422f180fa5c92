"""A database that is unreachable, frozen or full costs each request only seconds and loses no saved data."""

import json
import os
import subprocess
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest

from atta_site.database.pulse import LIMIT, PATIENCE
from tests.sites import Answer, OwnDatabase, Web, own_database, web

PROMISED = 3.0
"""Seconds until a page reports that the database is unreachable."""
PATIENT = 20.0
"""Seconds for machines under load; a page waiting for its own statement takes longer."""
PAGES = ("/", "/games/", "/leaderboards/", "/players/1/", "/clubs/", "/games/1/")
PROGRAMS = ("/api/v1/games", "/api/v1/leaderboards", "/api/v1/players")
FORGED = "a" * 32
"""A made-up CSRF token, the same in the cookie and in the form."""
BESIDE = ("/health/live", "/static/games/mark.svg", "/rules/agn.schema.json")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnDatabase]:
    with own_database(tmp_path_factory.mktemp("outage")) as database:
        yield database


@pytest.fixture(scope="module")
def site(database: OwnDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with web(tmp_path_factory.mktemp("web"), database.environment) as site:
        yield site


@pytest.fixture(scope="module")
def token(database: OwnDatabase) -> str:
    """A token of an account."""
    return database.manage("make_token", "alice")


@contextmanager
def away(database: OwnDatabase) -> Iterator[None]:
    """Stop the database for a while."""
    database.postgres.stop()
    try:
        yield
    finally:
        database.postgres.start()


def ask_all(site: Web, paths: tuple[str, ...], times: int = 1) -> dict[str, list[Answer]]:
    """Request all of these at once, several times."""
    with ThreadPoolExecutor(16) as threads:
        asked = {path: [threads.submit(site.ask, path) for _ in range(times)] for path in paths}
        return {path: [one.result() for one in answers] for path, answers in asked.items()}


def assert_refused(answer: Answer) -> None:
    assert answer.status == 503, answer.body[:2000]
    assert answer.headers["Retry-After"] == "5"
    assert answer.seconds < PATIENT


def assert_outage_is_reported(site: Web) -> None:
    """Assert that every page and address reports the outage in its own format, and others still work."""
    pages = ask_all(site, PAGES, 4)
    for answer in [one for answers in pages.values() for one in answers]:
        assert_refused(answer)
        assert "The database does not answer" in answer.body.decode()
    assert "Die Datenbank antwortet nicht" in site.ask("/games/", Accept_Language="de").body.decode()
    for answers in ask_all(site, PROGRAMS, 4).values():
        assert_refused(answers[0])
        assert json.loads(answers[0].body)["error"]["code"] == "database_away"
    form = f"csrfmiddlewaretoken={FORGED}&login=alice&password=leaf".encode()
    assert_refused(site.ask("/account/login/", data=form, Cookie=f"csrftoken={FORGED}"))
    assert_refused(site.ask("/api/v1/uploads", data=b"{}", Authorization="Bearer atta_none"))
    assert site.ask("/health").status == 503
    assert json.loads(site.ask("/health/ready").body) == {"database": "unavailable", "static_files": "ready"}
    assert [site.ask(path).status for path in BESIDE] == [200, 200, 200]


def assert_site_recovers(site: Web) -> None:
    deadline = time.monotonic() + PATIENT
    while site.ask("/games/").status != 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert site.ask("/health/ready").status == 200


def test_database_timeouts_fit_within_the_promised_limit() -> None:
    assert PATIENCE + LIMIT < PROMISED


def test_unreachable_database_is_reported_at_once_and_pages_recover(site: Web, database: OwnDatabase) -> None:
    assert site.ask("/games/").status == 200
    with away(database):
        assert_outage_is_reported(site)
    assert_site_recovers(site)


@pytest.mark.full
def test_frozen_database_is_given_up_in_time_and_pages_recover(site: Web, database: OwnDatabase) -> None:
    ask_all(site, PAGES, 4)
    with database.frozen():
        assert_outage_is_reported(site)
    assert_site_recovers(site)


@pytest.mark.full
def test_slow_statement_is_not_cut_off(site: Web, database: OwnDatabase) -> None:
    with psycopg.connect(database.postgres.url) as other, ThreadPoolExecutor() as threads:
        other.execute("LOCK TABLE games_game IN ACCESS EXCLUSIVE MODE")
        asked = threads.submit(site.ask, "/games/")
        time.sleep(3 * PATIENCE)
        other.rollback()
        assert asked.result().status == 200


def assert_full_disk_is_reported(site: Web, token: str) -> None:
    """Assert that a page and the API report in their own format that nothing can be written."""
    form = f"csrfmiddlewaretoken={FORGED}&text=anything".encode()
    page = site.ask("/upload/", data=form, Cookie=f"csrftoken={FORGED}")
    assert_refused(page)
    assert "The database does not answer" in page.body.decode()
    assert_refused(site.ask("/api/v1/games"))
    answer = site.ask("/api/v1/uploads", data=b"{}", Authorization=f"Bearer {token}")
    assert_refused(answer)
    assert json.loads(answer.body)["error"]["code"] == "database_away"


@pytest.mark.full
def test_full_disk_is_reported_on_pages_and_in_the_api(site: Web, database: OwnDatabase, token: str) -> None:
    with rejecting_writes(database, "games_throttle"):
        assert_full_disk_is_reported(site, token)
    assert site.ask("/api/v1/games").status == site.ask("/games/").status == 200


@pytest.mark.full
def test_site_recovers_from_a_full_disk_once_space_is_free(
    site: Web, database: OwnDatabase, token: str, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk") as disk, table_on(database, "games_throttle", disk):
        filler = fill(disk)
        assert_full_disk_is_reported(site, token)
        filler.unlink()
        assert site.ask("/api/v1/games").status == site.ask("/games/").status == 200


@contextmanager
def rejecting_writes(database: OwnDatabase, table: str) -> Iterator[None]:
    """Make PostgreSQL report a full disk for a table."""
    with psycopg.connect(database.postgres.url, autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
        )
        connection.execute(f"CREATE TRIGGER refuse BEFORE INSERT ON {table} EXECUTE FUNCTION refuse()")
        try:
            yield
        finally:
            connection.execute("DROP FUNCTION refuse CASCADE")


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a file system of one MiB where that is allowed."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m,mode=0777", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"only root may mount a small disk: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def table_on(database: OwnDatabase, table: str, disk: Path) -> Iterator[None]:
    """Keep an emptied table on another disk."""
    own = disk / "space"
    own.mkdir()
    owner = database.postgres.data.stat()
    os.chown(own, owner.st_uid, owner.st_gid)
    for parent in disk.parents[:3]:
        parent.chmod(parent.stat().st_mode | 0o111)  # PostgreSQL runs as another user and needs access
    with psycopg.connect(database.postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{own}'")
        connection.execute(f"TRUNCATE {table}")
        connection.execute(f"ALTER TABLE {table} SET TABLESPACE small")
        try:
            yield
        finally:
            connection.execute(f"ALTER TABLE {table} SET TABLESPACE pg_default")
            connection.execute("DROP TABLESPACE small")


def fill(disk: Path) -> Path:
    """Fill the disk with one file and return it."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    return filler


@pytest.mark.full
def test_resumable_upload_survives_database_outages(site: Web, database: OwnDatabase, token: str) -> None:
    content = b"leaf " * 100_000
    upload = TusUpload(site, token, content)
    upload.send(0, 200_000)
    with away(database):
        assert_refused(upload.piece(200_000, 400_000))
    assert_site_recovers(site)
    assert upload.offset() in (200_000, 400_000)
    with database.frozen():
        assert_refused(upload.piece(upload.at, 450_000))
    assert_site_recovers(site)
    upload.send(upload.offset(), len(content))
    with psycopg.connect(database.postgres.url) as connection:
        pieces = connection.execute('SELECT data FROM games_chunk ORDER BY "offset"').fetchall()
    assert sha256(b"".join(piece[0] for piece in pieces)).digest() == sha256(content).digest()


class TusUpload:
    """A file sent in pieces."""

    def __init__(self, site: Web, token: str, content: bytes) -> None:
        self.site, self.content, self.at = site, content, 0
        self.headers: Any = {"Authorization": f"Bearer {token}", "Tus_Resumable": "1.0.0"}
        named = f"filename {b64encode(b'leaves.agn').decode()}"
        begun = site.ask(
            "/api/v1/files", data=b"", Upload_Length=str(len(content)), Upload_Metadata=named, **self.headers
        )
        self.path = begun.headers["Location"].split("/", 3)[3]

    def piece(self, start: int, end: int) -> Answer:
        return self.site.ask(
            f"/{self.path}",
            data=self.content[start:end],
            method="PATCH",
            Content_Type="application/offset+octet-stream",
            Upload_Offset=str(start),
            **self.headers,
        )

    def send(self, start: int, end: int) -> None:
        assert self.piece(start, end).status == 204

    def offset(self) -> int:
        self.at = int(self.site.ask(f"/{self.path}", method="HEAD", **self.headers).headers["Upload-Offset"])
        return self.at
