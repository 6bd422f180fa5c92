"""Adding the positions of games to the index: when their verdicts are stored, or all of them in a rebuild."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from django.db import connection, transaction

from engine.replay import Replay
from engine.replay.positions import position_numbers
from engine.verify import verify
from games.models import Game, PositionRun
from games.models.records import VerdictKind
from games.platform.locks import wait_for
from games.records.reads.replays import record_of
from games.search.reads.blocks import Pair, packed
from games.search.reads.logs import logs_of

LOCK: Final = "positions"
"""Held by whoever removes runs."""
_BATCH: Final = 500
_ADD_BLOCKS = "COPY games_positionblock (run_id, first, pairs) FROM STDIN"


def index_games(games: Iterable[tuple[int, Replay[Any, Any]]]) -> None:
    """Add games, given by id with the replay of each record. A game that is added twice is found once."""
    pairs, count = set[Pair](), 0
    for game, replay in games:
        pairs.update([(number, game) for number in position_numbers(replay)])
        count += 1
    if count:
        add_blocks(add_run(count), sorted(pairs))


def add_run(games: int) -> int:
    """Add a run. :returns: its id."""
    return PositionRun.objects.create(games=games).pk


def add_blocks(run: int, pairs: Sequence[Pair]) -> None:
    """Add sorted pairs to a run; all must be higher than those it has."""
    with connection.cursor() as cursor, cursor.copy(_ADD_BLOCKS) as copy:
        for first, data in packed(pairs):
            copy.write_row((run, first, data))


@transaction.atomic
def rebuild(*, progress: Callable[[int], object] = lambda _: None) -> int:
    """Rebuild the whole index from the records; searches use the old one until then. :returns: the number of games."""
    wait_for(LOCK)
    PositionRun.objects.all().delete()
    done, last = 0, 0
    legal = Game.objects.exclude(verdict=VerdictKind.REJECTED).order_by("pk")
    while games := list(legal.filter(pk__gt=last).values_list("pk", flat=True)[:_BATCH]):
        index_games(_replays(games))
        done, last = done + len(games), games[-1]
        progress(len(games))
    return done


def _replays(games: Sequence[int]) -> Iterable[tuple[int, Replay[Any, Any]]]:
    for log in logs_of(games).iterator(chunk_size=_BATCH):
        replay = verify(record_of(log)).replay
        if replay and log.game_id:
            yield log.game_id, replay


__all__ = ["LOCK", "add_blocks", "add_run", "index_games", "rebuild"]
