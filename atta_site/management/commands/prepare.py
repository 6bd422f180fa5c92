"""`manage.py prepare`: everything that a new version needs before its processes start."""

import time
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from atta_site import statics
from atta_site.garbage import less_garbage_collection

_PATIENCE = 600.0
"""Seconds for which tables in use are tried again."""


class Command(BaseCommand):
    help = "Bring the database's tables and the static files up to date; safe to run again at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        _require_translations()
        same = {"verbosity": options["verbosity"], "stdout": self.stdout}
        with less_garbage_collection():
            self._migrate(same)
        call_command("createcachetable", **same)
        _make_cache_unlogged()
        if not settings.MAIL_IS_ON and options["verbosity"]:
            self.stdout.write("Mails are off because EMAIL_URL is not set: nobody can reset a forgotten password.")
        statics.ensure(verbosity=options["verbosity"])

    def _migrate(self, options: dict[str, Any]) -> None:
        """Apply the migrations; again where a table is in use, for what runs meanwhile must not wait behind this."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                call_command("migrate", interactive=False, **options)
            except OperationalError as problem:
                if not isinstance(problem.__cause__, psycopg.errors.LockNotAvailable) or time.monotonic() > until:
                    raise
                self.stdout.write("A long transaction uses a table that is to be changed; it is tried again.")
                self.stdout.flush()
                time.sleep(1)
            else:
                return


def _make_cache_unlogged() -> None:
    """Have the cache written without a log: it may be empty after a crash, and must not wait for the disk.

    A table that is so already stays untouched: a change would wait for a backup, and requests would wait behind it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_class WHERE oid = 'cache'::regclass AND relpersistence <> 'u'")
        if cursor.fetchone() is not None:
            cursor.execute("ALTER TABLE cache SET UNLOGGED")


def _require_translations() -> None:
    """Refuse to prepare a site that would silently be in English only.

    :raises CommandError: where a catalogue is not compiled, as in a checkout that was installed without `make`.
    """
    catalogues = [Path(folder) / "de" / "LC_MESSAGES" / "django.mo" for folder in settings.LOCALE_PATHS]
    if missing := [str(path) for path in catalogues if not path.exists()]:
        raise CommandError(
            f"The German translations are not compiled ({missing[0]} is missing): run `make setup` in a checkout, "
            "or install a wheel that `make wheel` has built."
        )
