"""`manage.py make_vapid_key`: make the key with which browsers are notified."""

from typing import Any

from django.core.management.base import BaseCommand

from games.push.vapid import new_key


class Command(BaseCommand):
    help = "Print a new value for VAPID_KEY."

    def handle(self, *_: Any, **__: Any) -> None:
        self.stdout.write(new_key())
