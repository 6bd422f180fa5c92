"""Best ranks as they follow from the ledger, each rise of its own: what was annulled since has raised nobody."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby, islice
from math import floor
from operator import itemgetter

from django.db import migrations, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from psycopg import ServerCursor

# What the app does changes; what this migration does stays: all that it needs is in it.

COUNTED = """
SELECT acceptance.number, acceptance.accepted_at, held.player_id, held.mu - 3 * held.sigma
FROM games_acceptance AS acceptance
CROSS JOIN LATERAL (SELECT DISTINCT ON (seat) * FROM games_ratingevent AS event
                    WHERE event.number = acceptance.number ORDER BY seat, id DESC) AS held
WHERE acceptance.ladder_id = %s AND held.counts ORDER BY acceptance.number, held.seat
"""
CHUNK = 5000
WIDTH = 128
LAST = WIDTH * WIDTH - 1
LOWEST = -4096
Rise = tuple[int, int, int, datetime]


class Ranks:
    """The best ranks so far of a ladder's players; values lie in buckets of a point, and these in blocks."""

    def __init__(self) -> None:
        self.values: dict[int, float] = {}
        self.best: dict[int, int] = {}
        self.buckets: defaultdict[int, list[float]] = defaultdict(list)
        self.players = [0] * (LAST + 1)
        self.blocks = [0] * WIDTH

    def bucket(self, value: float) -> int:
        return min(max(floor(value) - LOWEST, 0), LAST)

    def count(self, at: int, players: int) -> None:
        self.players[at] += players
        self.blocks[at // WIDTH] += players

    def put(self, player: int, value: float) -> None:
        if (old := self.values.get(player)) is not None:
            values = self.buckets[self.bucket(old)]
            del values[bisect_left(values, old)]
            self.count(self.bucket(old), -1)
        insort(self.buckets[self.bucket(value)], value)
        self.count(self.bucket(value), 1)
        self.values[player] = value

    def rank(self, value: float) -> int:
        at = self.bucket(value)
        block, values = at // WIDTH + 1, self.buckets[at]
        above = sum(self.blocks[block:]) + sum(self.players[at + 1 : block * WIDTH])
        return above + len(values) - bisect_right(values, value) + 1

    def change(self, now: dict[int, float]) -> Iterator[tuple[int, int]]:
        for player, value in now.items():
            self.put(player, value)
        for player, value in now.items():
            rank = self.rank(value)
            if rank < self.best.get(player, rank + 1):
                self.best[player] = rank
                yield player, rank


def rises(connection: BaseDatabaseWrapper, ladder: int) -> Iterator[Rise]:
    """Player, rank, number and moment of each rise; all games of a transaction are looked at together."""
    ranks = Ranks()
    with ServerCursor(connection.connection, "counted_games") as cursor:
        cursor.itersize = CHUNK
        cursor.execute(COUNTED, [ladder])
        for at, rows in groupby(cursor, itemgetter(1)):
            newest = {player: (number, value) for number, _, player, value in rows}
            for player, rank in ranks.change({player: value for player, (_, value) in sorted(newest.items())}):
                yield player, rank, newest[player][0], at


def find_all_again(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    with editor.connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_bestrank")
        cursor.execute("SELECT id FROM games_ladder ORDER BY id")
        ladders = [ladder for (ladder,) in cursor.fetchall()]
    for ladder in ladders:
        found = rises(editor.connection, ladder)
        while chunk := list(islice(found, CHUNK)):
            with editor.connection.cursor() as cursor:
                with cursor.copy("COPY games_bestrank (ladder_id, player_id, rank, number, at) FROM STDIN") as copy:
                    for rise in chunk:
                        copy.write_row((ladder, *rise))


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0026_packed_alone'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='bestrank', name='best_rank_once'),
        migrations.AddConstraint(
            model_name='bestrank',
            constraint=models.UniqueConstraint(fields=('ladder', 'player', 'rank'), name='best_rank_once'),
        ),
        migrations.AddIndex(
            model_name='bestrank',
            index=models.Index(fields=['ladder', 'at'], name='best_rank_by_time'),
        ),
        migrations.RunPython(find_all_again, migrations.RunPython.noop),
    ]
