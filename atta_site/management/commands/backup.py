"""`manage.py backup FOLDER`: write a backup of the database, complete or not at all."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from atta_site.backup.programs import BackupError
from atta_site.backup.writing import write


class Command(BaseCommand):
    help = "Write a backup into a new folder: the database, digests of all its tables and files, and what made it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("into", type=Path, help="the folder with all backups")
        parser.add_argument(
            "--passphrase-file", type=Path, help="encrypt with gpg, and include SECRET_KEY and VAPID_KEY"
        )
        parser.add_argument(
            "--keep", type=int, default=0, metavar="N", help="remove all but the newest N backups there"
        )

    def handle(self, *_: Any, into: Path, passphrase_file: Path | None, keep: int, **__: Any) -> None:
        try:
            folder = write(into.absolute(), passphrase=passphrase_file, now=timezone.now(), keep=max(0, keep))
        except (BackupError, OSError) as problem:
            raise CommandError(str(problem)) from problem
        size = sum(path.stat().st_size for path in folder.iterdir())
        self.stdout.write(f"{folder} ({size / 2**20:.1f} MiB)")
        if passphrase_file is None:
            self.stdout.write(
                "Without secrets: keep SECRET_KEY and VAPID_KEY elsewhere, or encrypt with --passphrase-file."
            )
