"""Adding the positions of games to the index: those of new games, or all of them in a rebuild."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from django.db import connection, transaction

from engine.openings import opening_numbers
from engine.positions import NUMBERING
from engine.replay import Replay
from engine.replay.openings import opening_of
from engine.replay.positions import position_numbers
from engine.verify import replay_of_legal, verify
from games.models import Game, GameEvents, MoveLog, PositionRebuild, PositionRun
from games.models.folding import COMMENT_WORDS
from games.models.records import VerdictKind
from games.platform.bulk_sql import columns
from games.platform.locks import wait_for
from games.records.reads.comment_words import indexed
from games.records.reads.replays import record_of
from games.search.reads.blocks import Pairs, packed
from games.search.reads.logs import logs_of
from games.search.reads.runs import numbering_is_outdated, outdated_runs

LOCK: Final = "positions"
"""The lock held while runs are removed."""
_BATCH: Final = 500
_READ: Final = ("number", "line", "form", "data", "too_long", "queued_at", "verdict", "game")
"""Of a log: what the engine reads."""
_ADD_RUN = """
WITH waiting AS (
    INSERT INTO games_gameevents (game_id, opening)
    SELECT game.id, given.opening FROM unnest(%(games)s::bigint[], %(openings)s::text[]) AS given (id, opening)
    JOIN games_game AS game USING (id) ORDER BY game.id
    ON CONFLICT (game_id) DO UPDATE SET opening = excluded.opening
)
INSERT INTO games_positionrun (games, numbering) VALUES (cardinality(%(games)s), %(numbering)s) RETURNING id
"""
"""Adds a run for some games, with their openings; their events are found later."""
_ADD_COMMENTS = f"""
INSERT INTO games_commentwords (log_id, words)
SELECT log, {COMMENT_WORDS.format(text="text")} FROM unnest(%s::bigint[], %s::text[]) AS given (log, text)
ON CONFLICT (log_id) DO UPDATE SET words = excluded.words
"""  # noqa: S608 (our own functions)
_ADD_BLOCKS = "COPY games_positionblock (run_id, first, pairs) FROM STDIN"


def index_games(games: Iterable[tuple[int, Replay[Any, Any]]]) -> None:
    """Add games, given by id with the replay of each record: their positions and openings.

    A game that is added twice is found once. Their events are found later, for that takes longer than verification.
    """
    numbers, openings = dict[int, set[int]](), dict[int, str]()
    for game, replay in games:
        opening = openings[game] = opening_of(replay)
        numbers[game] = {*position_numbers(replay), *opening_numbers(replay.ruleset.slug, opening)}
    if openings:
        with connection.cursor() as cursor:
            row: dict[str, Any] = {"games": [*openings], "openings": [*openings.values()], "numbering": NUMBERING}
            cursor.execute(_ADD_RUN, row)
            (run,) = cursor.fetchone()
        add_blocks(run, Pairs.of_games(numbers))


def index_comments(logs: Iterable[tuple[int, Replay[Any, Any]]]) -> None:
    """Have legal records, given by id, found by the words of their comments."""
    written = {log: indexed("\n".join(replay.comments.values())) for log, replay in logs if replay.comments}
    if written:
        with connection.cursor() as cursor:
            cursor.execute(_ADD_COMMENTS, columns([*written.items()], 2))


def replays_of(games: Sequence[int]) -> Iterator[tuple[int, Replay[Any, Any]]]:
    """Yield the replay of each of some legal games, given by id."""
    for log in logs_of(games).only(*_READ):
        if (replay := replay_of_legal(record_of(log))) and log.game_id:
            yield log.game_id, replay


def add_run(games: int) -> int:
    """Add a run. :returns: its id."""
    return PositionRun.objects.create(games=games, numbering=NUMBERING).pk


def add_blocks(run: int, pairs: Pairs) -> None:
    """Add pairs to a run; all must be higher than those it has."""
    with connection.cursor() as cursor, cursor.copy(_ADD_BLOCKS) as copy:
        for first, data in packed(pairs):
            copy.write_row((run, first, data))


def rebuild(*, anew: bool = False, progress: Callable[[int], object] = lambda _: None) -> int:
    """Rebuild the whole index from the records, one batch in a transaction; an interrupted rebuild resumes.

    Searches find all games meanwhile, with events again when the worker has found them.

    :param anew: whether an interrupted rebuild is begun again instead.
    :param progress: called after each batch with the number of its games, outside of any transaction.
    :returns: the number of games.
    """
    begun, done = _begin(anew=anew), 0
    while games := _rebuild_some():
        done += games
        progress(games)
    _remove_old(begun)
    return done


def renumber(*, has_time: Callable[[], bool]) -> int:
    """Rebuild what an earlier version of the engine numbered otherwise, if there is any; events and comments stay.

    Until it has ended, searches by position or opening do not find all games.

    :returns: the number of games.
    """
    done = 0
    if not numbering_is_outdated():
        return done
    begun = _begin(anew=False, positions_only=True)
    while has_time():
        games = _rebuild_some()
        if not games:
            _remove_old(begun)
            break
        done += games
    return done


@transaction.atomic
def _begin(*, anew: bool, positions_only: bool = False) -> int:
    """Note that a rebuild has begun, and which runs it makes superfluous: those that exist now.

    What a rebuild of an earlier version has added is outdated: it begins again. So does one of positions only where
    the whole index is wanted; one of the whole index goes on as such.

    :returns: the id of the note; 0 where other processes have numbered everything meanwhile.
    """
    wait_for(LOCK)  # so that no run is being merged
    begun = PositionRebuild.objects.select_for_update().first()
    positions_only = positions_only and (begun is None or begun.positions_only)
    if begun and (anew or begun.positions_only != positions_only or outdated_runs().filter(old=False).exists()):
        begun.delete()
        begun = None
    if begun is None and positions_only and not numbering_is_outdated():
        return 0
    if begun is None:
        begun = PositionRebuild.objects.create(positions_only=positions_only)
        PositionRun.objects.update(old=True)
    return begun.pk


@transaction.atomic
def _rebuild_some() -> int:
    """Add the next games. :returns: how many; none at the end, or where another process has ended the rebuild."""
    rebuild = PositionRebuild.objects.select_for_update().first()
    legal = Game.objects.exclude(verdict=VerdictKind.REJECTED).order_by("pk")
    games = list(legal.filter(pk__gt=rebuild.last).values_list("pk", flat=True)[:_BATCH]) if rebuild else []
    if rebuild and games:
        index_games(replays_of(games))
        if not rebuild.positions_only:
            GameEvents.objects.filter(game__in=games).update(codes=None, lead_changes=None)
            index_comments(_with_comments(games))
        rebuild.last = games[-1]
        rebuild.save()
    return len(games)


def _remove_old(ended: int) -> None:
    """Remove the runs that are superfluous, each by itself, and then the note of the rebuild that has ended."""
    while _remove_next(ended):
        pass


@transaction.atomic
def _remove_next(ended: int) -> bool:
    """Remove one superfluous run, or at last the note.

    :returns: whether there may be more; not where another process has begun again, for then what is superfluous is
        still needed.
    """
    note = PositionRebuild.objects.select_for_update().filter(pk=ended).first()
    if note is None:
        return False
    run = PositionRun.objects.filter(old=True).first()
    (run or note).delete()
    return run is not None


def _with_comments(games: Sequence[int]) -> Iterator[tuple[int, Replay[Any, Any]]]:
    """Yield all legal records of some games whose text may have a comment."""
    for log in MoveLog.objects.filter(game__in=games).exclude(record_digest="").iterator(chunk_size=_BATCH):
        if "{" in log.text and (replay := verify(record_of(log)).replay):
            yield log.pk, replay


__all__ = ["LOCK", "add_blocks", "add_run", "index_comments", "index_games", "rebuild", "renumber", "replays_of"]
