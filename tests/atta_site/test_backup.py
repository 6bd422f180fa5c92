"""A backup is whole or not there, and what is restored from it is the same, byte for byte."""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from atta_site.backup import programs
from atta_site.backup.programs import BackupError
from atta_site.backup.reading import compare, manifest_of, restore, secrets_of
from atta_site.backup.writing import backups, write
from games.models import Upload
from tests.atta_site.test_two_machines import pooled
from tests.factories import record
from tests.games.judging import count_all
from tests.games.uploading import upload_file

WHEN = datetime(2026, 11, 22, 3, tzinfo=UTC)


@pytest.fixture
def backup(transactional_db: None, tmp_path: Path, now: datetime) -> Path:
    upload_file(record(), via=Upload.Via.API, now=now)
    count_all(now)
    return write(tmp_path / "backups", passphrase=None, now=WHEN)


@pytest.fixture
def empty_database(backup: Path) -> Iterator[str]:
    """Point Django to a new, empty database beside that of the tests."""
    name, home = f"{connection.settings_dict['NAME']}_restored", connection.settings_dict["NAME"]
    connection.close()
    connect(f'DROP DATABASE IF EXISTS "{name}"', f'CREATE DATABASE "{name}"')
    connection.settings_dict["NAME"] = name
    yield name
    connection.close()
    connection.settings_dict["NAME"] = home
    connect(f'DROP DATABASE "{name}"')


def connect(*commands: str) -> None:
    facts = connection.get_connection_params() | {"dbname": "postgres"}
    wanted = {key: facts[key] for key in ("dbname", "host", "port", "user", "password") if facts.get(key)}
    with psycopg.connect(**wanted, autocommit=True) as session:
        for command in commands:
            session.execute(command)


def test_restored_database_is_the_same_byte_for_byte_and_passes_fsck(backup: Path, empty_database: str) -> None:
    assert restore(backup, passphrase=None) == []
    assert Upload.objects.count() == 1
    said = StringIO()
    call_command("fsck", stdout=said)
    assert said.getvalue() == "Everything agrees: 1 logs.\n"


@pytest.mark.full
def test_database_changed_since_is_named_table_by_table(backup: Path) -> None:
    Upload.objects.update(filename="other.agn")
    assert compare(manifest_of(backup)) == ["games_upload differs: 1 rows in the backup, 1 in the database."]


def test_database_that_is_not_empty_is_not_restored_into(backup: Path) -> None:
    with pytest.raises(BackupError, match=r"The database has \d+ tables: restore into a new, empty one\."):
        restore(backup, passphrase=None)


def test_nothing_is_dumped_through_a_pooler_whose_sessions_it_would_change(
    transactional_db: None, tmp_path: Path, settings: Any
) -> None:
    with pooled(tmp_path) as behind:
        settings.DIRECT_DATABASE_URL = behind
        with pytest.raises(BackupError, match="set LIVE_DATABASE_URL to PostgreSQL itself"):
            write(tmp_path / "backups", passphrase=None, now=WHEN)
    assert list((tmp_path / "backups").iterdir()) == []


def test_programs_get_all_servers_and_which_of_them_to_use(settings: Any) -> None:
    settings.DIRECT_DATABASE_URL = "postgresql://atta:p%40ss@one:5432,two:5432/atta?target_session_attrs=read-write"
    assert programs.variables() == {
        "PGHOST": "one,two",
        "PGPORT": "5432,5432",
        "PGUSER": "atta",
        "PGPASSWORD": "p@ss",
        "PGDATABASE": "atta",
        "PGTARGETSESSIONATTRS": "read-write",
    }


@pytest.mark.full
def test_flipped_bit_in_a_backup_is_refused(backup: Path) -> None:
    dump = backup / "database.dump"
    data = bytearray(dump.read_bytes())
    data[len(data) // 2] ^= 1
    dump.write_bytes(data)
    with pytest.raises(CommandError, match=r"database\.dump is not what was written: its SHA-256 differs"):
        call_command("restore", str(backup), "--check")


@pytest.mark.full
def test_backup_of_a_newer_version_is_refused(backup: Path) -> None:
    manifest = json.loads((backup / "manifest.json").read_text())
    (backup / "manifest.json").write_text(json.dumps(manifest | {"migrations": ["games.9999_later"]}))
    with pytest.raises(BackupError, match=r"newer than this code: it has games\.9999_later"):
        restore(backup, passphrase=None)


def test_interrupted_backup_leaves_nothing(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("atta_site.backup.writing.digests_of_tables", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(tmp_path, passphrase=None, now=WHEN)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_only_the_newest_backups_are_kept(transactional_db: None, tmp_path: Path) -> None:
    made = [write(tmp_path, passphrase=None, now=WHEN + timedelta(days=day), keep=2) for day in range(3)]
    assert backups(tmp_path) == made[1:]


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("gpg"), reason="gpg is not installed")
def test_encrypted_backup_has_the_secrets_and_is_read_only_with_the_passphrase(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GNUPGHOME", str(tmp_path))
    monkeypatch.setenv("SECRET_KEY", "s" * 50)
    monkeypatch.delenv("SECRET_KEY_FILE", raising=False)
    (tmp_path / "right").write_text("open sesame")
    (tmp_path / "wrong").write_text("open barley")
    folder = write(tmp_path / "backups", passphrase=tmp_path / "right", now=WHEN)
    assert {path.name for path in folder.iterdir()} == {"database.dump.gpg", "secrets.json.gpg", "manifest.json"}
    assert secrets_of(folder, passphrase=tmp_path / "right")["SECRET_KEY"] == "s" * 50
    with pytest.raises(BackupError, match="gpg failed"):
        secrets_of(folder, passphrase=tmp_path / "wrong")
