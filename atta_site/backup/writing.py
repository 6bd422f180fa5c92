"""Writes a backup: a folder that is complete or does not exist."""

import json
import os
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from atta_site.backup.digests import IGNORED, digests_of_tables
from atta_site.backup.programs import BackupError, gpg, postgresql
from engine.verify import ENGINE_VERSION

MANIFEST, DATABASE, SECRETS = "manifest.json", "database.dump", "secrets.json"
_PREFIX, _UNFINISHED = "atta-", ".unfinished"
_SECRETS = ("SECRET_KEY", "VAPID_KEY")


def write(into: Path, *, passphrase: Path | None, now: datetime, keep: int = 0) -> Path:
    """Write a backup into a new folder in `into`.

    The dump and the digests of all tables come from one snapshot, whatever is written meanwhile.

    :param passphrase: a file; with it everything is encrypted, and the secrets are included, without which games that
        are being played and mails that wait cannot be read.
    :param keep: how many backups to keep there, the newest; 0 for all.
    :raises BackupError: when it cannot be made; nothing of it is left then.
    """
    folder = into / f"{_PREFIX}{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    work = into / f"{folder.name}{_UNFINISHED}"
    if folder.exists():
        raise BackupError(f"{folder} exists already.")
    work.mkdir(mode=0o700, parents=True)
    try:
        _write(work, passphrase, now)
        work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for old in backups(into)[:-keep] if keep else ():
        shutil.rmtree(old)
    return folder


def backups(into: Path) -> list[Path]:
    """Return the complete backups in a folder, oldest first."""
    return sorted(one for one in into.glob(f"{_PREFIX}*Z") if (one / MANIFEST).exists())


def _write(work: Path, passphrase: Path | None, now: datetime) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            (snapshot,) = cursor.fetchone()
        _dump(work / DATABASE, snapshot)
        manifest = _manifest(now)
    if passphrase:
        (work / SECRETS).write_text(json.dumps(_secrets(os.environ)))
        _encrypt(work, passphrase)
    manifest["files"] = {path.name: _sum(path) for path in sorted(work.iterdir())}
    (work / MANIFEST).write_text(json.dumps(manifest, indent=1))
    for path in work.iterdir():
        _to_disk(path)
    _to_disk(work)


def _dump(file: Path, snapshot: str) -> None:
    leave = [f"--exclude-table-data={table}" for table in sorted(IGNORED)]
    postgresql(
        *("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={file}"),
        *leave,
    )


def _manifest(now: datetime) -> dict[str, Any]:
    if not (tables := digests_of_tables()):
        raise BackupError("The database has no tables: is something between here and PostgreSQL that changes sessions?")
    applied = sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())
    return {
        "format": "atta/backup/1",
        "made_at": now.isoformat(),
        "version": version("atta"),
        "engine": ENGINE_VERSION,
        "migrations": applied,
        "tables": tables,
    }


def _secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the secrets without which some rows cannot be read, from the environment or the files that it names."""
    found = {name: environment.get(name, "") for name in _SECRETS}
    named = {name: environment.get(f"{name}_FILE", "") for name in _SECRETS}
    return {
        name: value or (Path(named[name]).read_text().strip() if named[name] else "") for name, value in found.items()
    }


def _encrypt(work: Path, passphrase: Path) -> None:
    for name in (DATABASE, SECRETS):
        path = work / name
        gpg("--symmetric", "--cipher-algo", "AES256", "--output", f"{path}.gpg", str(path), passphrase=passphrase)
        path.unlink()


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _to_disk(path: Path) -> None:
    held = os.open(path, os.O_RDONLY)
    try:
        os.fsync(held)
    finally:
        os.close(held)
