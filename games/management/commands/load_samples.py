"""`manage.py load_samples`: upload the sample games, once."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import sample_games, tasks
from games.management.following import follow
from games.run import rate_waiting
from games.uploads.reads.progress import progress_of


class Command(BaseCommand):
    help = "Upload the sample games, with the accounts and the club they need; existing ones stay."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--wait", type=float, default=30, metavar="SECONDS", help="wait at most this many seconds for the verdicts"
        )

    def handle(self, *_: Any, wait: float, **__: Any) -> None:
        uploads = sample_games.upload(now=timezone.now())
        if any(progress_of(upload).waiting for upload in uploads):
            tasks.wake_workers(wait=5)
            follow(uploads, wait)
        confirmed = sample_games.let_players_confirm(now=timezone.now())
        rate_waiting(now=timezone.now)
        self.stdout.write(f"{len(uploads)} sample files uploaded; {confirmed} games newly confirmed.")
