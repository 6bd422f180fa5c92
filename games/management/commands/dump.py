"""`manage.py dump [YYYY-MM]`: write the public games of a month into files for download."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from games.records.dump_files import DumpError, make
from games.records.reads.dumps import Month, months_due


class Command(BaseCommand):
    help = "Write the dump of a month, or of all months that have none or whose games changed since."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("month", nargs="?", metavar="YYYY-MM", help="a past month, in UTC")

    def handle(self, *_: Any, month: str | None, **__: Any) -> None:
        now = timezone.now()
        try:
            months = [Month.read(month)] if month else months_due(now)
            for one in months:
                with tqdm(total=None, unit="games", disable=None, leave=False) as bar:
                    dump = make(one, now=now, progress=bar.update)
                games = sum(part.games for part in dump.parts)
                size = sum(file.bytes for part in dump.parts for file in part.files)
                self.stdout.write(f"{one}: {games} games in {size} bytes")
        except (ValueError, DumpError) as error:
            raise CommandError(str(error)) from error
        if not months:
            self.stdout.write("Nothing is due.")
