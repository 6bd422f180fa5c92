"""`manage.py pause intake|verification|rating|mail`: pause a part of the service, or resume it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import tasks
from games.platform import pauses


class Command(BaseCommand):
    help = "Pause a part of the service for all processes, resume it, or list what is paused."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "part",
            nargs="?",
            choices=pauses.Part.values,
            help="what to pause; without it, the command lists what is paused",
        )
        parser.add_argument("--reason", default="", help="for the operators' page")
        parser.add_argument("--resume", action="store_true", help="end the pause")

    def handle(self, *_: Any, part: str | None, reason: str, resume: bool, **__: Any) -> None:
        if part is None:
            self._list()
        elif resume:
            was = pauses.resume(pauses.Part(part), by=None)
            tasks.wake_workers(wait=5)
            self.stdout.write(f"{part} goes on." if was else f"{part} was not paused.")
        else:
            is_new = pauses.pause(pauses.Part(part), reason=reason, by=None, now=timezone.now())
            self.stdout.write(f"{part} is paused." if is_new else f"{part} was paused already.")

    def _list(self) -> None:
        found = pauses.pauses()
        for part, one in found.items():
            self.stdout.write(f"{part} since {one.paused_at:%Y-%m-%d %H:%M} UTC {one.reason}".rstrip())
        if not found:
            self.stdout.write("Nothing is paused.")
