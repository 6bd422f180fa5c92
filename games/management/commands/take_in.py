"""`manage.py take_in FILE…`: hands in files of games, as the pages and the interface do."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from games import tasks
from games.models import Upload
from games.selectors.uploads import progress_of
from games.services.intake import IntakeError, take_in


class Command(BaseCommand):
    help = "Takes files of games in; a worker verifies them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file in AGN, or - for standard input")
        parser.add_argument("--wait", type=float, metavar="SECONDS", help="wait for the verdicts, at most so long")

    def handle(self, *_: Any, files: list[str], wait: float | None, **__: Any) -> None:
        uploads = [self._take_in(name) for name in files]
        tasks.ring(wait=5)
        wait_for(uploads, wait or 0)
        for upload in uploads:
            progress = progress_of(upload)
            self.stdout.write(
                f"{upload.filename}: {progress.total} games: {progress.verified} verified, "
                f"{progress.unfinished} unfinished, {progress.rejected} rejected, {progress.waiting} waiting  "
                f"{upload.get_absolute_url()}"
            )

    def _take_in(self, name: str) -> Upload:
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            return take_in(data, via=Upload.Via.COMMAND, now=timezone.now(), filename=name)
        except (OSError, IntakeError) as error:
            raise CommandError(f"{name}: {error}") from error


def wait_for(uploads: list[Upload], seconds: float) -> None:
    """Waits for verdicts, at most so many seconds."""
    until = monotonic() + seconds
    total = sum(upload.split_logs for upload in uploads)
    done = 0
    with tqdm(total=total, unit="games", disable=None, leave=False) as bar:
        while monotonic() < until and done < total:
            sleep(0.2)
            now = sum(progress_of(upload).done for upload in uploads)
            bar.update(now - done)
            done = now
