"""`manage.py verify_again`: have every log verified by this version of the engine; earlier verdicts are kept."""

from typing import Any

from django.core.management.base import BaseCommand

from engine.verify import ENGINE_VERSION
from games import tasks
from games.verification.queue import queue_again


class Command(BaseCommand):
    help = "Queue all logs without a verdict by this version of the engine."

    def handle(self, *_: Any, **__: Any) -> None:
        count = queue_again()
        tasks.wake_workers(wait=5)
        self.stdout.write(f"{count} logs wait for engine {ENGINE_VERSION}.")
