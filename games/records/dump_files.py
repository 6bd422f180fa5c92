"""Writes dumps: the public games of a month as files with checksums; a dump is complete or does not exist.

A month's folder is a link to a folder that is written beside it and never changed, so readers of an old dump can finish
it. Deleted accounts and hidden games are in no dump made later, and dumps that still contain them are made again every
night (`make_due`).
"""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Self

from django.conf import settings

from engine.agn.lines import json_line, json_of_text
from engine.registry import RULESETS
from engine.verify import ENGINE_VERSION
from games.models import MoveLog
from games.platform import replica
from games.records.reads.dumps import MANIFEST, SUMS, Dump, DumpFile, DumpPart, Month, dump_of, games_of, months_due
from games.records.reads.export import batches, records_of
from games.records.reads.visibility import NOBODY
from games.zstd import zstd

FORMAT = "atta/dump/1"
_LEVEL = 12
_LOCK = ".lock"
_READABLE = 0o755
"""For a front server, which is somebody else."""

Progress = Callable[[int], object]


class DumpError(Exception):
    """A dump that cannot be made now."""


def make(month: Month, *, now: datetime, progress: Progress = lambda _: None) -> Dump:
    """Make the dump of a month, or make it again.

    :param now: later changes may be missing from it, and with a replica those of the seconds that it may lag.
    :raises DumpError: when the month is not over, or another process is making it.
    """
    if month >= Month.of(now):
        raise DumpError(f"{month} is not over yet.")
    folder = Path(settings.DUMPS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        _remove_left_over(folder)
        work = Path(mkdtemp(prefix=f".{month}.", dir=folder))
        work.chmod(_READABLE)
        try:
            known = replica.certain(now)
            manifest = replica.read(lambda: _written(work, month, known, progress))
            _publish(work, folder / str(month))
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise
        _remove_left_over(folder)
    return dump_of(manifest)


def make_due(*, now: datetime) -> int:
    """Make every dump that is missing or out of date. :returns: how many."""
    months = months_due(now)
    for month in months:
        make(month, now=now)
    return len(months)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DumpError("A dump is being made already.") from None
        yield


def _remove_left_over(folder: Path) -> None:
    """Remove folders to which no month links: older dumps, and the remains of killed processes."""
    used = {path.resolve() for path in folder.iterdir() if path.is_symlink()}
    for path in folder.glob(".*"):
        if path.is_dir() and not path.is_symlink() and path.resolve() not in used:
            shutil.rmtree(path, ignore_errors=True)


def _publish(work: Path, month: Path) -> None:
    """Link a month to a folder that is on the disk, in one step."""
    _sync(work)
    link = work.with_suffix(".link")
    with suppress(FileNotFoundError):
        link.unlink()
    link.symlink_to(work.name)
    link.replace(month)
    _sync(month.parent)


def _sync(folder: Path) -> None:
    at = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(at)
    finally:
        os.close(at)


# What is in it


def _written(work: Path, month: Month, now: datetime, progress: Progress) -> dict[str, Any]:
    parts = [part for ruleset in RULESETS if (part := _part(work, month, ruleset.slug, progress)).games]
    manifest = {
        "format": FORMAT,
        "month": str(month),
        "made_at": now.isoformat(),
        "engine_version": ENGINE_VERSION,
        "licence": settings.DUMPS_LICENCE,
        "rulesets": [asdict(part) for part in parts],
    }
    sums = [f"{file.sha256}  {file.name}\n" for part in parts for file in part.files]
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    sums.append(f"{sha256(text.encode()).hexdigest()}  {MANIFEST}\n")
    _write(work / MANIFEST, text)
    _write(work / SUMS, "".join(sums))
    return manifest


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _part(work: Path, month: Month, ruleset: str, progress: Progress) -> DumpPart:
    """Write the games of a ruleset; without games there is no file."""
    name = f"atta-{ruleset}-{month}"
    with _Packed(work / f"{name}.agn.zst") as agn, _Packed(work / f"{name}.ndjson.zst") as ndjson:
        digest, games = sha256(), 0
        for log in _records(month, ruleset):
            agn.write(log.text if games == 0 else f"\n{log.text}")
            ndjson.write(json_line(json_of_text(log.text)))
            digest.update(f"{log.game_digest} {log.record_digest}\n".encode())
            games += 1
            progress(1)
    files = tuple(file.finished(form) for form, file in (("agn", agn), ("ndjson", ndjson))) if games else ()
    if not games:
        agn.path.unlink()
        ndjson.path.unlink()
    return DumpPart(ruleset, games, digest.hexdigest(), files)


def _records(month: Month, ruleset: str) -> Iterable[MoveLog]:
    for batch in batches(games_of(month, ruleset)):
        yield from records_of(batch, NOBODY)


@dataclass(slots=True)
class _Packed:
    """A file that is compressed and hashed while it is written, and synced to disk at its end."""

    path: Path
    packed: int = 0
    unpacked: int = 0
    sums: Any = field(default_factory=sha256)
    _packer: Any = field(default_factory=lambda: zstd.ZstdCompressor(level=_LEVEL))
    _file: Any = None

    def __enter__(self) -> Self:
        self._file = self.path.open("wb")
        return self

    def write(self, text: str) -> None:
        """Write on."""
        data = text.encode()
        self.unpacked += len(data)
        self._put(self._packer.compress(data))

    def _put(self, data: bytes) -> None:
        self.packed += len(data)
        self.sums.update(data)
        self._file.write(data)

    def __exit__(self, *_: object) -> None:
        self._put(self._packer.flush())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def finished(self, form: str) -> DumpFile:
        """Return the answer."""
        return DumpFile(self.path.name, form, self.packed, self.unpacked, self.sums.hexdigest())
