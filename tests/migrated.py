"""A PostgreSQL with a migrated database: created once, kept beside pytest's cache, and copied by each process.

Migrating takes seconds, more with each migration; copying takes a fifth of a second.
"""

import fcntl
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from atta_site import embedded

ROOT = Path(__file__).parents[1]
KEPT = "TEST_DATABASE_KEPT"
"""The variable that names its folder."""
TEMPLATE = "atta"
"""The migrated database from which the test database is created."""
_DUE = ("requirements.lock", "atta_site/embedded.py", "games/migrations/*.py")
"""Return everything a kept database depends on."""


def share_password(home: Path) -> None:
    """Give a server without data the password of the kept one."""
    kept = Path(os.environ[KEPT])
    with _alone(kept):
        password = kept / "password"
        if not password.exists():
            password.touch(mode=0o600)
            password.write_text(secrets.token_urlsafe(24), encoding="ascii")
        home.mkdir(parents=True)
        shutil.copy(password, home / "password")


def lay_down(server: embedded.Postgres) -> None:
    """Copy the kept data to where a server expects its own; recreate them when the migrations have changed."""
    kept = Path(os.environ[KEPT])
    with _alone(kept):
        made = kept / _key()
        if not made.exists():
            for older in kept.glob("data-*"):
                shutil.rmtree(older)
            _make(kept, made)
        shutil.copytree(made, server.data)


def _make(kept: Path, made: Path) -> None:
    with TemporaryDirectory(dir=kept, ignore_cleanup_errors=True) as folder:
        home = Path(folder) / "postgres"
        home.mkdir()
        shutil.copy(kept / "password", home)
        server = embedded.Postgres(home, Path(folder) / "log", durable=False)
        server.start()
        try:
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(migrate, cwd=ROOT, env=os.environ | {"DATABASE_URL": server.url}, check=True)
        finally:
            server.stop()
        server.data.rename(made)


def _key() -> str:
    whole = sha256()
    for path in sorted(path for pattern in _DUE for path in ROOT.glob(pattern)):
        whole.update(f"{path.name}\0{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return f"data-{whole.hexdigest()[:16]}"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock a folder against other test processes."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
