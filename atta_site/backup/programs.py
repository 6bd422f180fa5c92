"""PostgreSQL's programs and gpg, run with the settings' database."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict

from atta_site.database.pooled import is_pooled
from atta_site.embedded import EmbeddedError, binaries

_VARIABLES = {option.keyword.decode(): option.envvar.decode() for option in pq.Conninfo.get_defaults() if option.envvar}
"""In which variable libpq reads each fact of a connection."""


class BackupError(RuntimeError):
    """A backup that cannot be made or used; the text says why."""


def postgresql(program: str, *arguments: str) -> None:
    """Run `pg_dump` or `pg_restore` on the database of the settings.

    :raises BackupError: when there is none that is new enough, a pooler is in the way, or it fails.
    """
    _check_direct()
    _run([_program(program), *arguments], environment=variables())


def variables() -> dict[str, str]:
    """Return how libpq finds the database; so the password is in no list of processes."""
    return {_VARIABLES[name]: str(value) for name, value in _facts().items()}


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


def _facts() -> Mapping[str, Any]:
    """Return the address of PostgreSQL itself."""
    direct = settings.DIRECT_DATABASE_URL
    facts = conninfo_to_dict(direct) if direct else connection.get_connection_params()
    return {name: value for name, value in facts.items() if name in _VARIABLES}


def _check_direct() -> None:
    """Refuse a pooler: its other clients would get the session in which these programs have changed settings."""
    with psycopg.connect(**_facts()) as session:
        if is_pooled(session):
            raise BackupError("A pooler is between here and PostgreSQL: set LIVE_DATABASE_URL to PostgreSQL itself.")


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
