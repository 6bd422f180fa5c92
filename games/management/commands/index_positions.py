"""`manage.py index_positions`: make the index of positions anew from the records."""

from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.models import Game
from games.search.indexing import rebuild


class Command(BaseCommand):
    help = "Make the index by which games are found by positions, events and comments anew."

    def handle(self, *_: Any, **__: Any) -> None:
        with tqdm(total=Game.objects.count(), unit="games", disable=None, leave=False) as bar:
            count = rebuild(progress=bar.update)
        self.stdout.write(f"The positions of {count} games are indexed.")
