"""Adding the positions of games to the index: when their verdicts are stored, or all of them in a rebuild."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from django.db import connection, transaction

from engine.replay import Replay
from engine.replay.positions import position_numbers
from engine.verify import verify
from games.models import Game, GameEvents, MoveLog, PositionRun
from games.models.records import VerdictKind
from games.platform.bulk_sql import columns
from games.platform.locks import wait_for
from games.records.reads.comments import indexed
from games.records.reads.replays import record_of
from games.search.reads.blocks import Pair, packed
from games.search.reads.logs import logs_of

LOCK: Final = "positions"
"""The lock held while runs are removed."""
_BATCH: Final = 500
_ADD_RUN = """
WITH waiting AS (
    INSERT INTO games_gameevents (game_id) SELECT id FROM games_game WHERE id = ANY(%(games)s) ON CONFLICT DO NOTHING
)
INSERT INTO games_positionrun (games) VALUES (cardinality(%(games)s)) RETURNING id
"""
"""Adds a run for some games, whose events are found later."""
_ADD_COMMENTS = """
INSERT INTO games_commentwords (log_id, words)
SELECT log, to_tsvector('simple', text) FROM unnest(%s::bigint[], %s::text[]) AS given (log, text)
ON CONFLICT (log_id) DO UPDATE SET words = excluded.words
"""
_ADD_BLOCKS = "COPY games_positionblock (run_id, first, pairs) FROM STDIN"


def index_games(games: Iterable[tuple[int, Replay[Any, Any]]]) -> None:
    """Add games, given by id with the replay of each record. A game that is added twice is found once.

    Their events are found later, for that takes longer than verification.
    """
    pairs, added = set[Pair](), list[int]()
    for game, replay in games:
        pairs.update([(number, game) for number in position_numbers(replay)])
        added.append(game)
    if added:
        with connection.cursor() as cursor:
            cursor.execute(_ADD_RUN, {"games": added})
            (run,) = cursor.fetchone()
        add_blocks(run, sorted(pairs))


def index_comments(logs: Iterable[tuple[int, Replay[Any, Any]]]) -> None:
    """Have legal records, given by id, found by the words of their comments."""
    written = {log: indexed("\n".join(replay.comments.values())) for log, replay in logs if replay.comments}
    if written:
        with connection.cursor() as cursor:
            cursor.execute(_ADD_COMMENTS, columns([*written.items()], 2))


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
    """Rebuild the whole index from the records; searches use the old one until then, but the worker finds events later.

    :returns: the number of games.
    """
    wait_for(LOCK)
    PositionRun.objects.all().delete()
    GameEvents.objects.update(codes=None)
    done, last = 0, 0
    legal = Game.objects.exclude(verdict=VerdictKind.REJECTED).order_by("pk")
    while games := list(legal.filter(pk__gt=last).values_list("pk", flat=True)[:_BATCH]):
        index_games(_replays(games))
        index_comments(_with_comments(games))
        done, last = done + len(games), games[-1]
        progress(len(games))
    return done


def _replays(games: Sequence[int]) -> Iterable[tuple[int, Replay[Any, Any]]]:
    for log in logs_of(games).iterator(chunk_size=_BATCH):
        replay = verify(record_of(log)).replay
        if replay and log.game_id:
            yield log.game_id, replay


def _with_comments(games: Sequence[int]) -> Iterator[tuple[int, Replay[Any, Any]]]:
    """Yield all legal records of some games whose text may have a comment."""
    for log in MoveLog.objects.filter(game__in=games).exclude(record_digest="").iterator(chunk_size=_BATCH):
        if "{" in log.text and (replay := verify(record_of(log)).replay):
            yield log.pk, replay


__all__ = ["LOCK", "add_blocks", "add_run", "index_comments", "index_games", "rebuild"]
