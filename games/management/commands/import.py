"""`manage.py import FILE…`: hands in files of games, of any size and packed or not, and shows how they come on."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from games import tasks
from games.management.following import follow
from games.models import League, Upload
from games.selectors.leagues import find_league
from games.selectors.uploads import archive_of, progress_of
from games.services.archives import receiving
from games.services.intake import IntakeError, Origin, Wish


class Command(BaseCommand):
    help = "Takes files of games in, plain or packed by gzip, zstd or zip; a worker splits and verifies them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file of games, or - for standard input")
        parser.add_argument("--user", metavar="NAME", help="the account in whose name they are handed in")
        parser.add_argument("--training", action="store_true", help="training games, which never count")
        parser.add_argument("--private", action="store_true", help="seen only by the account and those who played")
        parser.add_argument(
            "--league", metavar="ADDRESS", help="the league for which they count, on the account's word"
        )
        parser.add_argument("--wait", type=float, metavar="SECONDS", help="wait for the verdicts, at most so long")

    def handle(self, *_: Any, files: list[str], wait: float | None, **asked: Any) -> None:
        user = _account(asked["user"])
        wish = Wish(not asked["training"], asked["private"], _league(asked["league"]))
        uploads = [_taken(name, Origin(Upload.Via.COMMAND, user, name, wish)) for name in files]
        tasks.ring(wait=5)
        follow(uploads, wait or 0)
        for upload in uploads:
            self.stdout.write(_line(upload))


def _account(name: str | None) -> User | None:
    try:
        return User.objects.get(username=name) if name else None
    except User.DoesNotExist:
        raise CommandError(f"There is no account of the name {name}.") from None


def _league(address: str | None) -> League | None:
    try:
        return find_league(address) if address else None
    except League.DoesNotExist:
        raise CommandError(f"There is no league at the address {address}.") from None


def _taken(name: str, origin: Origin) -> Upload:
    try:
        with (
            _opened(name) as (file, size),
            tqdm.wrapattr(
                file, "read", total=size, desc=name, unit="B", unit_scale=True, disable=None, leave=False
            ) as watched,
        ):
            return receiving.hand_in(watched, size, origin, now=timezone.now())
    except (OSError, IntakeError) as error:
        raise CommandError(f"{name}: {error}") from error


@contextmanager
def _opened(name: str) -> Iterator[tuple[IO[bytes], int]]:
    """A file and its size; standard input is written down first, for nobody knows how long it is."""
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


def _line(upload: Upload) -> str:
    upload.refresh_from_db()
    progress, archive = progress_of(upload), archive_of(upload)
    coming = ", being split" if upload.state in Upload.UNSPLIT else ""
    if upload.repeats:
        return f"{upload.filename}: handed in before, as {upload.repeats.get_absolute_url()}"
    refused = f"; refused: {archive.sentence}" if archive and archive.code else ""
    return (
        f"{upload.filename}: {progress.total} games{coming}: {progress.verified} verified, "
        f"{progress.unfinished} unfinished, {progress.rejected} rejected, {progress.waiting} waiting{refused}  "
        f"{upload.get_absolute_url()}"
    )
