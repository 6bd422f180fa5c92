"""`manage.py prepare`: all that a new version needs before its processes start."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Bring the database's tables and the static files up to date; may be run again at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        same = {"verbosity": options["verbosity"], "stdout": self.stdout}
        call_command("migrate", interactive=False, **same)
        call_command("createcachetable", **same)
        # drf-spectacular's second documentation page is not served here, and it is big.
        call_command("collectstatic", interactive=False, ignore_patterns=["redoc"], **same)
