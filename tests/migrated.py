"""A PostgreSQL whose database is migrated: made once, kept beside pytest's cache, and copied by each process.

To migrate takes seconds, and the more the more migrations there are; to copy takes a fifth of one.
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
"""The variable that names the folder where it is kept."""
TEMPLATE = "atta"
"""The migrated database, of which the one of the tests is made."""
_DUE = ("requirements.lock", "atta_site/embedded.py", "games/migrations/*.py")
"""What a kept database depends on."""


def share_password(home: Path) -> None:
    """Give a server that has no data yet the password of the kept one."""
    kept = Path(os.environ[KEPT])
    with _alone(kept):
        password = kept / "password"
        if not password.exists():
            password.touch(mode=0o600)
            password.write_text(secrets.token_urlsafe(24), encoding="ascii")
        home.mkdir(parents=True)
        shutil.copy(password, home / "password")


def lay_down(server: embedded.Postgres) -> None:
    """Copy the kept data to where a server will look for its own; make them anew where the migrations have changed."""
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
    """Hold a folder against other processes of tests."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
