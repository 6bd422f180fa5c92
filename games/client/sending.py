"""Sending a file in pieces by tus 1.0.0: an interrupted upload resumes, even after this program is restarted."""

import json
import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import urlsplit

from games.client.site import TRIES, Answer, ClientError, CutOffError, Site, pause

PIECE = 4 * 1024 * 1024
_FILES = "/api/v1/files"
_VERSION = {"Tus-Resumable": "1.0.0"}
_GONE = frozenset({403, 404, 410})
_MISPLACED, _CORRUPTED = 409, 460


class Remembers(Protocol):
    """Remembers where a file is being received, so that an interrupted upload resumes."""

    @property
    def path(self) -> str | None:
        """Return the path at which the site receives the file; none if unknown."""

    def keep(self, path: str) -> None:
        """Store the path at which the site receives the file."""

    def forget(self) -> None:
        """Forget the file, which has arrived."""


Progress = Callable[[int], object]
"""Called with how many bytes have arrived so far."""


def send(site: Site, file: BinaryIO, options: Mapping[str, str], notes: Remembers, progress: Progress) -> str:
    """Send a file. :returns: the number of its upload. :raises ClientError: when the site refuses it."""
    size = file.seek(0, os.SEEK_END)
    if not size:
        raise ClientError("This file contains no game.")
    known = notes.path
    offset = _offset(site, known) if known else None
    if known is None or offset is None:
        known, offset = _begin(site, size, options), 0
        notes.keep(known)
    _append(site, known, file, offset, progress)
    notes.forget()
    return known.rsplit("/", 1)[-1]


def _begin(site: Site, size: int, options: Mapping[str, str]) -> str:
    """Begin a file. :returns: the path at which the site receives it."""
    metadata = ",".join(f"{name} {b64encode(value.encode()).decode()}" for name, value in options.items() if value)
    answer = site.ask("POST", _FILES, headers={**_VERSION, "Upload-Length": str(size), "Upload-Metadata": metadata})
    # Only the path: the token must not go to another site, whatever the answer says.
    return f"{_FILES}/{urlsplit(answer.headers.get('location', '')).path.rstrip('/').rsplit('/', 1)[-1]}"


def _offset(site: Site, path: str) -> int | None:
    """Return how many bytes of a file the site has; none if it no longer knows the file."""
    for attempt in range(TRIES):
        try:
            answer = site.once("HEAD", path, headers=_VERSION)
        except CutOffError:
            pause(attempt)
            continue
        if answer.status in _GONE:
            return None
        if answer.status == 200:  # noqa: PLR2004 (OK)
            return int(answer.headers.get("upload-offset", "0"))
        if answer.status < 500:  # noqa: PLR2004 (repeating would not help)
            raise answer.error()
        pause(attempt, answer.headers.get("retry-after", ""))
    raise ClientError(f"{site.server} does not answer.")


def _append(site: Site, path: str, file: BinaryIO, offset: int, progress: Progress) -> None:
    """Send what is missing. After an interruption, continue from the offset that the site reports."""
    size, failed = file.seek(0, os.SEEK_END), 0
    progress(offset)
    while offset < size:
        file.seek(offset)
        answer = _piece(site, path, file.read(PIECE), offset)
        if answer and answer.status == 204:  # noqa: PLR2004 (no content)
            offset, failed = int(answer.headers["upload-offset"]), 0
            progress(offset)
            continue
        if answer and 400 <= answer.status < 500 and answer.status not in (_MISPLACED, _CORRUPTED, 429):  # noqa: PLR2004
            raise answer.error()
        failed += 1
        if failed == TRIES:
            raise answer.error() if answer else ClientError(f"{site.server} does not answer.")
        pause(failed, answer.headers.get("retry-after", "") if answer else "")
        there = _offset(site, path)
        if there is None:
            raise ClientError("The site no longer has this upload. Run the command again to start over.")
        failed = 0 if there > offset else failed
        offset = there


def _piece(site: Site, path: str, data: bytes, offset: int) -> Answer | None:
    headers = {
        **_VERSION,
        "Upload-Offset": str(offset),
        "Upload-Checksum": f"sha256 {b64encode(sha256(data).digest()).decode()}",
        "Content-Type": "application/offset+octet-stream",
    }
    with suppress(CutOffError):
        return site.once("PATCH", path, data, headers)
    return None


class Notes:
    """Remembers where unfinished files are being received, by file and site.

    What was saved to a temporary file, as a folder is, is known again by its bytes, others by when they were changed.
    """

    def __init__(self, folder: Path, server: str, path: Path, file: BinaryIO, options: Mapping[str, str]) -> None:
        stat = os.fstat(file.fileno())
        known = stat.st_mtime_ns if path.is_file() else _digest(file)
        about = [server, str(path.resolve()), stat.st_size, known, dict(options)]
        self._path = folder / f"{sha256(json.dumps(about).encode()).hexdigest()[:32]}.upload"

    @property
    def path(self) -> str | None:
        """Return the path at which the site receives the file; none if unknown."""
        with suppress(OSError):
            noted = self._path.read_text(encoding="ascii")
            return noted if noted.startswith(f"{_FILES}/") else None
        return None

    def keep(self, path: str) -> None:
        """Store the path at which the site receives the file."""
        with suppress(OSError):  # without notes the upload just starts again
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._path.write_text(path, encoding="ascii")

    def forget(self) -> None:
        """Forget the file, which has arrived."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _digest(file: BinaryIO) -> str:
    digest = sha256()
    file.seek(0)
    while data := file.read(PIECE):
        digest.update(data)
    return digest.hexdigest()
