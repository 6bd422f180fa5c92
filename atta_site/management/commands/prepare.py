"""`manage.py prepare`: all that a new version needs before its processes start."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection


class Command(BaseCommand):
    help = "Bring the database's tables and the static files up to date; may be run again at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        same = {"verbosity": options["verbosity"], "stdout": self.stdout}
        call_command("migrate", interactive=False, **same)
        call_command("createcachetable", **same)
        # It only counts requests: after a crash it may be empty, and no request should wait for a disk to count it.
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE cache SET UNLOGGED")
        if not settings.MAIL_IS_ON and options["verbosity"]:
            self.stdout.write("Mails are off, for EMAIL_URL is not set: forgotten passwords cannot be replaced.")
        # drf-spectacular's second documentation page is not served here, and it is big.
        call_command("collectstatic", interactive=False, ignore_patterns=["redoc"], **same)
