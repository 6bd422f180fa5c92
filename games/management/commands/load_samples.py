"""`manage.py load_samples`: hands in the sample games, once."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import tasks
from games.management.commands.take_in import wait_for
from games.models import Upload
from games.services.intake import take_in

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


class Command(BaseCommand):
    help = "Takes the sample games in, those that are not there yet."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--wait", type=float, default=30, metavar="SECONDS", help="for the verdicts, at most")

    def handle(self, *_: Any, wait: float, **__: Any) -> None:
        known = set(Upload.objects.filter(via=Upload.Via.COMMAND).values_list("filename", flat=True))
        uploads = [
            take_in(path.read_bytes(), via=Upload.Via.COMMAND, now=timezone.now(), filename=path.name)
            for path in sorted(SAMPLES.glob("*.agn"))
            if path.name not in known
        ]
        if uploads:
            tasks.ring(wait=5)
            wait_for(uploads, wait)
        self.stdout.write(f"{len(uploads)} sample files taken in, {len(known)} uploads by command were there.")
