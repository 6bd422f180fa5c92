"""New games wait to be indexed: a row each, stored with the verdict, until the worker has numbered their positions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import Error, connection, transaction

from games.models import UnindexedGame
from games.search.indexing import index_games, replays_of
from games.search.reads.due import unindexed_games

_BATCH: Final = 250
_log = structlog.get_logger()
_ADD = """
INSERT INTO games_unindexedgame (game_id) SELECT id FROM unnest(%s::bigint[]) AS given (id) ORDER BY id
ON CONFLICT DO NOTHING
"""


def await_index(games: Iterable[int]) -> None:
    """Have new legal games indexed later, in the current transaction."""
    if new := list(games):
        with connection.cursor() as cursor:
            cursor.execute(_ADD, [new])


def index_waiting(*, has_time: Callable[[], bool]) -> int:
    """Index games that wait, the first first, each batch in a transaction. :returns: how many."""
    done = 0
    while has_time() and (some := _index_some()):
        done += some
    return done


@transaction.atomic
def _index_some() -> int:
    """Index some games that no other process is indexing. :returns: how many; none at the end."""
    waiting = unindexed_games().select_for_update(skip_locked=True)
    games = list(waiting.values_list("game", flat=True)[:_BATCH])
    if games:
        _index_together(games)
        UnindexedGame.objects.filter(game__in=games).delete()
    return len(games)


def _index_together(games: Sequence[int]) -> None:
    """Index some games; one by one where one of them is at fault, without that one, so that it holds up no other."""
    try:
        with transaction.atomic():
            index_games(replays_of(games))
    except (SoftTimeLimitExceeded, Error):  # no game is at fault
        raise
    except Exception:  # noqa: BLE001 (whatever is wrong with one of them)
        if len(games) == 1:
            _log.exception("search.indexing_failed", game=games[0])
            return
        for game in games:
            _index_together([game])


__all__ = ["await_index", "index_waiting"]
