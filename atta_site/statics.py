"""The static files of this machine: collected when missing or old, and checked.

Pages refer to each file by a hash of its content, according to the manifest. Without the manifest no page can be made,
so every process that serves pages makes sure of it, whether or not this machine was prepared.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path

import structlog
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import Storage
from django.core.management import call_command

from atta_site import static_storage

IGNORED = ["redoc", "*.js.map", "oauth2-redirect*"]
"""What no page needs of drf-spectacular's sidecar."""
_MARK = "sources.sha256"

log = structlog.stdlib.get_logger(__name__)


def ensure(*, verbosity: int = 0) -> None:
    """Collect the static files, if those in `STATIC_ROOT` are outdated; one process at a time."""
    mark = settings.STATIC_ROOT / _MARK
    with _alone(settings.STATIC_ROOT):
        due = _sum_of_sources()
        if mark.exists() and mark.read_text() == due and (settings.STATIC_ROOT / "staticfiles.json").exists():
            return
        call_command("collectstatic", interactive=False, ignore_patterns=IGNORED, verbosity=verbosity)
        mark.write_text(due)


def ensure_or_say() -> None:
    """Collect the static files; where they cannot be written, say so, and leave it to `problem` what that means."""
    try:
        ensure()
    except OSError as error:
        log.error("static files cannot be collected", problem=str(error))  # noqa: TRY400 - the line says it all


def problem() -> str:
    """Return why pages cannot be made with the static files that this process knows; "" if they can.

    The text is public, so paths are only logged.
    """
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        log.error("no manifest of static files", folder=str(settings.STATIC_ROOT))
        return "no manifest: run `manage.py prepare` on this machine"
    known = getattr(staticfiles_storage, "hashed_files", {})
    missing = next((name for name in _names() if name not in known), None)
    return f"{missing} is not in the manifest: run `manage.py prepare`, and start this process again" if missing else ""


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock a folder, which is made if it does not exist, against other processes of this machine."""
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _sources() -> Iterator[tuple[str, Storage]]:
    """Yield every file to collect; of several files with one name, only the one that is used."""
    seen = set()
    for finder in get_finders():
        for name, storage in finder.list(IGNORED):
            if name not in seen:
                seen.add(name)
                yield name, storage


@cache
def _names() -> tuple[str, ...]:
    return tuple(name for name, _ in _sources())


def _sum_of_sources() -> str:
    whole = sha256(Path(static_storage.__file__).read_bytes())
    for name, storage in sorted(_sources(), key=lambda source: source[0]):
        with storage.open(name) as file:
            whole.update(f"{name}\0{sha256(file.read()).hexdigest()}\n".encode())
    return whole.hexdigest()
