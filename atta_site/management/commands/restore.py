"""`manage.py restore FOLDER`: restore a backup into an empty database, and compare every table with it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from atta_site.backup.programs import BackupError
from atta_site.backup.reading import compare, manifest_of, restore, secrets_of


class Command(BaseCommand):
    help = (
        "Restore a backup into the empty database of DATABASE_URL; then run `manage.py prepare` and `manage.py fsck`."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="one backup")
        parser.add_argument("--passphrase-file", type=Path, help="of an encrypted backup")
        parser.add_argument("--check", action="store_true", help="only check the backup's files, and change nothing")
        parser.add_argument("--compare", action="store_true", help="only compare the database with the backup")
        parser.add_argument("--secrets", action="store_true", help="only print the secrets in an encrypted backup")

    def handle(self, *_: Any, folder: Path, passphrase_file: Path | None, **options: Any) -> None:
        try:
            self._do(folder, passphrase_file, options)
        except (BackupError, OSError) as problem:
            raise CommandError(str(problem)) from problem

    def _do(self, folder: Path, passphrase: Path | None, options: dict[str, Any]) -> None:
        manifest = manifest_of(folder)
        if options["secrets"]:
            if passphrase is None:
                raise BackupError("Name the passphrase's file.")
            self.stdout.write(
                "".join(f"{name}={value}\n" for name, value in secrets_of(folder, passphrase=passphrase).items())
            )
        elif options["check"]:
            self.stdout.write(f"The backup of {manifest['made_at']} is whole: {len(manifest['tables'])} tables.")
        else:
            differing = compare(manifest) if options["compare"] else restore(folder, passphrase=passphrase)
            if differing:
                raise BackupError("\n".join(differing))
            self.stdout.write(f"All {len(manifest['tables'])} tables are as they were at {manifest['made_at']}.")
