"""`manage.py index_positions`: make the index of positions and openings anew from the records."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.models import Game, PositionRebuild
from games.search.indexing import rebuild
from games.search.merging import merge_runs


class Command(BaseCommand):
    help = (
        "Rebuild the index by which games are found by positions, openings, events and comments. "
        "If it is interrupted, it resumes when it is run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--anew", action="store_true", help="begin again instead of resuming an interrupted run")

    def handle(self, *_: Any, anew: bool, **__: Any) -> None:
        begun = None if anew else PositionRebuild.objects.filter(positions_only=False).first()
        if begun:
            self.stdout.write(f"Going on after game {begun.last}.")
        with tqdm(
            total=Game.objects.filter(pk__gt=begun.last if begun else 0).count(),
            unit="games",
            disable=None,
            leave=False,
        ) as bar:

            def progress(games: int) -> None:
                merge_runs(has_time=lambda: True)
                bar.update(games)

            count = rebuild(anew=anew, progress=progress)
        self.stdout.write(f"The positions of {count} games are indexed.")
