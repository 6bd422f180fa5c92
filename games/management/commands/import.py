"""`manage.py import FILE…`: upload files of games of any size, plain or packed, and show their progress."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from math import inf
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from engine.agn.names import name_key
from engine.quoting import printable
from engine.words import render
from games import tasks
from games.bundles import bundle_folder, filename_of
from games.clubs.reads.clubs import find_club
from games.management.following import follow
from games.models import Club, Upload
from games.platform.errors import RefusedError
from games.records.reads.visibility import NOBODY, Viewer
from games.uploads.origin import Origin, UploadOptions, tidy
from games.uploads.reads.progress import archive_of, progress_of
from games.uploads.reads.report import report_of
from games.uploads.reads.results import Choice
from games.uploads.source import Source
from games.uploads.submit import Submission, submit


class Command(BaseCommand):
    help = "Upload files of games, plain or compressed with gzip, zstd or zip; a worker splits and verifies them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a file of games, a folder of such files, or - for standard input"
        )
        parser.add_argument("--user", metavar="NAME", help="the account that uploads them")
        parser.add_argument("--training", action="store_true", help="training games, never rated")
        parser.add_argument(
            "--private", action="store_true", help="visible only to the account and players whose claim it approved"
        )
        parser.add_argument(
            "--club", metavar="ADDRESS", help="the club for which they count; the account must organise it"
        )
        parser.add_argument(
            "--webhook", metavar="URL", default="", help="an address to notify when all games are checked"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="check only: wait, print the mistake in each rejected game, publish nothing; exit status 1 if a game "
            "was rejected, 2 if a file could not be read, 3 if something was not checked",
        )
        parser.add_argument(
            "--wait", type=float, metavar="SECONDS", help="wait at most this many seconds for the verdicts"
        )

    def handle(self, *_: Any, files: list[str], wait: float | None, **asked: Any) -> None:
        user = _account(asked["user"])
        origin = Origin(Upload.Via.COMMAND, user, _options(asked))
        imported = [_Imported(tidy(name), _submitted(name, origin)) for name in files]
        tasks.wake_workers(wait=5)
        dry_run = origin.options.dry_run
        follow([one.upload for one in imported], inf if dry_run and wait is None else wait or 0)
        for one in imported:
            if dry_run:
                self.stdout.writelines(_complaints(one, user or NOBODY))
            self.stdout.write(_line(one))
        if dry_run and (status := max(_status(one.upload) for one in imported)):
            sys.exit(status)


class _Imported(NamedTuple):
    """A file by its name, and the result."""

    name: str
    submission: Submission

    @property
    def upload(self) -> Upload:
        """Return its upload."""
        return self.submission.upload

    @property
    def earlier(self) -> Upload | None:
        """Return the upload of the same file that was there before, if there was one."""
        return self.upload if self.submission.again else self.upload.repeats


def _options(asked: Mapping[str, Any]) -> UploadOptions:
    return UploadOptions(
        scored=not asked["training"],
        private=asked["private"],
        club=_club(asked["club"]),
        webhook=asked["webhook"],
        dry_run=asked["check"],
    )


def _account(name: str | None) -> User | None:
    try:
        return User.objects.get(username=name_key(name)) if name else None
    except User.DoesNotExist:
        raise CommandError(f"No account has the name {name}.") from None


def _club(address: str | None) -> Club | None:
    try:
        return find_club(address) if address else None
    except Club.DoesNotExist:
        raise CommandError(f"There is no club at the address {address}.") from None


def _submitted(name: str, origin: Origin) -> Submission:
    try:
        with (
            _opened(name) as (file, size),
            tqdm.wrapattr(
                file, "read", total=size, desc=name, unit="B", unit_scale=True, disable=None, leave=False
            ) as watched,
        ):
            return submit(Source(watched, size, filename_of(name)), origin, now=timezone.now())
    except (OSError, RefusedError) as error:
        raise CommandError(f"{name}: {error}", returncode=2 if isinstance(error, OSError) else 3) from error


@contextmanager
def _opened(name: str) -> Iterator[tuple[IO[bytes], int]]:
    """Open a file and return its size, too; standard input is copied to a file first, because its size is unknown."""
    if Path(name).is_dir():
        with TemporaryFile() as file:
            bundle_folder(Path(name), file)
            size = file.tell()
            file.seek(0)
            yield file, size
        return
    if name != "-":
        with Path(name).open("rb") as file:
            yield file, Path(name).stat().st_size
        return
    with TemporaryFile() as file:
        while piece := sys.stdin.buffer.read(2**20):
            file.write(piece)
        size = file.tell()
        file.seek(0)
        yield file, size


def _complaints(imported: _Imported, viewer: Viewer) -> Iterator[str]:
    """Yield a line for each rejected game, such as `atta verify` writes."""
    checked = imported.earlier or imported.upload
    for entry in chain.from_iterable(report_of(checked, viewer, choice=Choice("rejected"))):
        if found := entry.verdict:
            file = "/".join(filter(None, (imported.name, entry.log["entry__name"])))
            said = render(found["template"], found["params"])
            yield printable(f"{file}:{found['line']}:{found['column']}: {found['rule']}: {said}") + "\n"


def _status(upload: Upload) -> int:
    """Return the exit status that says how checking ended."""
    found = progress_of(upload.repeats or upload)
    if upload.done_at is None or upload.state in (Upload.State.REFUSED, Upload.State.CANCELLED):
        return 3
    return 1 if found.rejected or found.quarantined else 0


def _line(imported: _Imported) -> str:
    """Return the result of a file, as a line."""
    upload = imported.upload
    upload.refresh_from_db()
    progress, archive = progress_of(upload), archive_of(upload)
    coming = ", being split" if upload.state in Upload.UNSPLIT else ""
    name = f"{imported.name}: checked only" if upload.dry_run else imported.name
    if imported.earlier:
        return f"{name}: uploaded before, as {imported.earlier.get_absolute_url()}"
    refused = f"; refused: {archive.sentence}" if archive and archive.code else ""
    games = f"{progress.total} game{'' if progress.total == 1 else 's'}"
    return (
        f"{name}: {games}{coming}: {progress.verified} verified, "
        f"{progress.unfinished} unfinished, {progress.rejected} rejected, {progress.waiting} waiting{refused}  "
        f"{upload.get_absolute_url()}"
    )
