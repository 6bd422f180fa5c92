"""PostgreSQL's programs and gpg, run with the settings' database."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from django.db import connection

from atta_site.embedded import EmbeddedError, binaries


class BackupError(RuntimeError):
    """A backup that cannot be made or used; the text says why."""


def postgresql(program: str, *arguments: str) -> None:
    """Run `pg_dump` or `pg_restore` on the database of the settings.

    :raises BackupError: when there is none that is new enough, or it fails.
    """
    _run([_program(program), *arguments], environment=_environment())


def gpg(*arguments: str, passphrase: Path) -> None:
    """Run gpg with the passphrase in a file. :raises BackupError: when it is not installed, or refuses."""
    if not shutil.which("gpg"):
        raise BackupError("gpg is not installed: it encrypts backups.")
    quiet = ["--batch", "--yes", "--quiet", "--pinentry-mode", "loopback", "--no-symkey-cache"]
    _run(["gpg", *quiet, "--passphrase-file", str(passphrase), *arguments], environment={})


def _run(command: Sequence[str], *, environment: dict[str, str]) -> None:
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupError(f"{Path(command[0]).name} failed:\n{done.stderr.strip()[-2000:]}")


def _environment() -> dict[str, str]:
    """Return how libpq finds the database; so the password is in no list of processes."""
    facts = connection.settings_dict
    named = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    found = {variable: str(facts.get(name) or "") for variable, name in named.items()}
    ssl = facts.get("OPTIONS", {}).get("sslmode")
    return {name: value for name, value in found.items() if value} | ({"PGSSLMODE": ssl} if ssl else {})


def _program(name: str) -> str:
    """Return a program that is at least as new as the server, as PostgreSQL asks for."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int / 10000")
        (server,) = cursor.fetchone()
    for path in (shutil.which(name), _embedded(name)):
        if path and _version(path) >= server:
            return path
    raise BackupError(f"No {name} of PostgreSQL {server} or newer is here: install postgresql-client-{server}.")


def _embedded(name: str) -> str | None:
    try:
        return str(binaries() / name)
    except EmbeddedError:
        return None


def _version(path: str) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\) (\d+)", said)
    return int(found[1]) if found else 0
