"""`manage.py doctor` says what is wrong with a deployment."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from atta_site import statics
from games.models import Upload
from games.platform import processes
from games.platform.pauses import Part, pause
from tests.atta_site.test_two_machines import pooled
from tests.factories import record
from tests.games.uploading import upload_file

Examine = Callable[[], dict[str, list[str]]]


@pytest.fixture
def examine() -> Examine:
    """Return what the doctor finds, by how bad it is; the exit status fits it."""

    def found() -> dict[str, list[str]]:
        said, status = StringIO(), 0
        try:
            call_command("doctor", "--json", stdout=said)
        except SystemExit as ended:
            status = int(str(ended.code))
        answer = json.loads(said.getvalue())
        by_level: dict[str, list[str]] = {"good": [], "warning": [], "bad": []}
        for one in answer["findings"]:
            by_level[one["level"]].append(f"{one['about']}: {one['message']}")
        assert (status, answer["healthy"]) == ((1, False) if by_level["bad"] else (0, True))
        return by_level

    return found


@pytest.fixture
def all_run(db: None) -> Iterator[None]:
    for number, kind in enumerate(("web", "worker", "beat"), 1):
        processes.note(kind, "ant-hill", number, version="1", clock=datetime.now(UTC), first=True)
    yield


@pytest.fixture(autouse=True)
def sound(settings: Any, tmp_path: Path, static_files: None) -> None:
    """Let the settings be those of a site that others use."""
    settings.SITE_URL, settings.OPERATOR_MAIL, settings.METRICS_TOKEN = "http://localhost", "a@b.example", "x" * 20
    settings.SPOOL_DIR, settings.DUMPS_DIR = tmp_path / "spool", tmp_path / "dumps"


@pytest.fixture
def pooler(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """Let Django reach the database through a pooler; yield its address."""
    own = dict(connection.settings_dict)
    with pooled(tmp_path) as address:
        connection.close()
        connection.settings_dict.update({"HOST": "127.0.0.1", "PORT": urlsplit(address).port, "CONN_MAX_AGE": 0})
        yield address
        connection.close()
        connection.settings_dict.update(own)


@pytest.mark.full
def test_pooler_is_fine_beside_a_way_to_postgresql_itself(pooler: str, examine: Examine, settings: Any) -> None:
    assert "pooler: LIVE_DATABASE_URL leads to PostgreSQL itself." in examine()["good"]
    settings.LIVE_DATABASE_URL = pooler
    (found,) = [one for one in examine()["bad"] if one.startswith("pooler")]
    assert found.startswith("pooler: Nothing leads to PostgreSQL itself: set LIVE_DATABASE_URL to it.")


def test_sound_deployment_has_nothing_bad(all_run: None, examine: Examine) -> None:
    found = examine()
    assert [
        one
        for one in found["bad"]
        if not one.startswith(("folders", "database: fsync", "database: sync", "database: full"))
    ] == []
    assert "migrations: All are applied." in found["good"]
    assert "processes: 1 beat, 1 web, 1 worker." in found["good"]


def test_missing_and_second_processes_are_bad(all_run: None, examine: Examine) -> None:
    processes.note("beat", "other", 9, version="2", clock=datetime.now(UTC) - timedelta(hours=1), first=True)
    found = examine()
    said = "there must be one. They are ant-hill 3, other 9; if one of these has just ended, look again in a minute."
    assert f"processes: 2 beat processes were seen within a minute: {said}" in found["bad"]
    assert "clock: other differs from the database by 3600 s. Keep both in time with NTP." in found["bad"]
    assert "processes: Processes of several versions run: 1; 2. Finish the upgrade." in found["warning"]


@pytest.mark.full
def test_unapplied_migration_is_named(all_run: None, examine: Examine) -> None:
    MigrationRecorder(connection).migration_qs.filter(app="sessions").delete()
    assert "migrations: 1 not applied (sessions.0001_initial). Run `manage.py prepare`." in examine()["bad"]


@pytest.mark.full
def test_database_of_a_newer_version_is_named(all_run: None, examine: Examine) -> None:
    MigrationRecorder(connection).record_applied("games", "9999_later")
    assert (
        "migrations: The database is newer than this code: it has 9999_later. Install that version." in examine()["bad"]
    )


def test_plain_http_for_others_and_debug_are_bad(all_run: None, examine: Examine, settings: Any) -> None:
    settings.SITE_URL, settings.DEBUG, settings.SECURE_SSL_REDIRECT = "http://atta.example", True, False
    bad = examine()["bad"]
    assert any("PLAIN_HTTP is on for atta.example" in one for one in bad)
    assert any("DEBUG is on" in one for one in bad)


@pytest.mark.full
def test_folder_that_cannot_be_written_to_is_bad(
    all_run: None, examine: Examine, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    settings.DUMPS_DIR = tmp_path / "file" / "dumps"
    assert any("DUMPS_DIR cannot be written to" in one for one in examine()["bad"])


@pytest.mark.full
def test_missing_manifest_is_bad(all_run: None, examine: Examine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statics, "problem", lambda: "no manifest: run `manage.py prepare` on this machine")
    assert "static files: No manifest: run `manage.py prepare` on this machine." in examine()["bad"]


@pytest.mark.full
def test_old_queue_and_pauses_are_named(all_run: None, examine: Examine) -> None:
    upload = upload_file(record(), via=Upload.Via.API, now=timezone.now())
    upload.logs.update(queued_at=timezone.now() - timedelta(hours=1))
    pause(Part.RATING, reason="audit", by=None, now=timezone.now())
    found = examine()
    assert any(one.startswith("queue: A log has waited for 36") for one in found["bad"])
    assert any(one.startswith("pauses: rating is paused since") and one.endswith("audit") for one in found["warning"])


@pytest.mark.full
def test_database_that_is_away_is_the_only_thing_said_of_it(
    transactional_db: None, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "PORT", 1)
        patch.setitem(connection.settings_dict, "OPTIONS", {})
        bad = examine()["bad"]
    assert [one.partition(":")[0] for one in bad if not one.startswith("folders")] == ["database"]


@pytest.mark.full
def test_strict_makes_a_warning_the_exit_status(all_run: None, examine: Examine) -> None:
    with pytest.raises(SystemExit):
        call_command("doctor", "--strict", stdout=StringIO())
