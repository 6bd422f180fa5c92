"""Reading a backup: checked, restored into an empty database, and compared with it."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from atta_site.backup.digests import differences, digests_of_tables
from atta_site.backup.programs import BackupError, gpg, postgresql
from atta_site.backup.writing import DATABASE, MANIFEST, SECRETS

_FORMAT = "atta/backup/1"


def manifest_of(folder: Path) -> dict[str, Any]:
    """Return a backup's manifest after checking every file's digest.

    :raises BackupError: when something is missing or changed, naming it.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError) as problem:
        raise BackupError(f"{folder} is no complete backup: {problem}") from None
    if manifest.get("format") != _FORMAT:
        raise BackupError(f"{folder}: expected a backup of the format {_FORMAT}, found {manifest.get('format')!r}.")
    for name, due in manifest["files"].items():
        path = folder / name
        if not path.exists():
            raise BackupError(f"{path} is missing.")
        with path.open("rb") as file:
            if file_digest(file, "sha256").hexdigest() != due:
                raise BackupError(f"{path} is not what was written: its SHA-256 differs.")
    return manifest


def restore(folder: Path, *, passphrase: Path | None) -> list[str]:
    """Restore a backup into the empty database of the settings. :returns: the tables that differ from the backup: none.

    :raises BackupError: when the backup is damaged or of a newer version, or the database is not empty.
    """
    manifest = manifest_of(folder)
    _check_version(manifest)
    _check_empty()
    with _plain(folder, DATABASE, passphrase) as dump:
        arguments = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
        postgresql("pg_restore", *arguments, "--dbname=", str(dump))
    return compare(manifest)


def secrets_of(folder: Path, *, passphrase: Path) -> dict[str, str]:
    """Return the secrets in an encrypted backup."""
    with _plain(folder, SECRETS, passphrase) as file:
        found: dict[str, str] = json.loads(file.read_text())
        return found


@transaction.atomic
def compare(manifest: dict[str, Any]) -> list[str]:
    """Return the tables in which the database differs from a backup; call it before anything is written."""
    return differences(manifest["tables"], digests_of_tables())


def _check_version(manifest: dict[str, Any]) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    newer = sorted(name for name in manifest["migrations"] if name.startswith("games.") and name not in known)
    if newer:
        raise BackupError(
            f"The backup is of version {manifest['version']}, newer than this code: it has {newer[-1]}. "
            "Install that version."
        )


def _check_empty() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
        (count,) = cursor.fetchone()
    if count:
        raise BackupError(f"The database has {count} tables: restore into a new, empty one.")


@contextmanager
def _plain(folder: Path, name: str, passphrase: Path | None) -> Iterator[Path]:
    """Yield a file in its decrypted form."""
    if (folder / name).exists():
        yield folder / name
        return
    sealed = folder / f"{name}.gpg"
    if not sealed.exists():
        raise BackupError(f"{folder} has no {name}.")
    if passphrase is None:
        raise BackupError(f"{sealed} is encrypted: name the file with its passphrase.")
    with tempfile.TemporaryDirectory() as work:
        plain = Path(work) / name
        gpg("--decrypt", "--output", str(plain), str(sealed), passphrase=passphrase)
        yield plain
