"""Finding out which events happened in games, after their verdicts are stored."""

from collections.abc import Callable
from typing import Final

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction

from engine.story import event_codes
from engine.verify import verify
from games.models import MoveLog
from games.records.reads.replays import record_of
from games.search.reads.due import games_without_events
from games.search.reads.logs import logs_of

_BATCH: Final = 20
_STORE = "UPDATE games_gameevents SET codes = %s WHERE game_id = %s"
_log = structlog.get_logger()


def find_events(*, has_time: Callable[[], bool]) -> int:
    """Store the events of games that wait for it. :returns: of how many games."""
    found = 0
    while has_time() and (some := _find_some()):
        found += some
    return found


@transaction.atomic
def _find_some() -> int:
    due = games_without_events().select_for_update(skip_locked=True)
    games = list(due.values_list("pk", flat=True)[:_BATCH])
    found = {log.game_id: _codes(log) for log in logs_of(games)} if games else {}
    with connection.cursor() as cursor:
        cursor.executemany(_STORE, [(found.get(game, []), game) for game in games])
    return len(games)


def _codes(log: MoveLog) -> list[int]:
    """Return the events of a record; none where they cannot be found, so that other games do not wait for this one."""
    try:
        replay = verify(record_of(log)).replay
        return event_codes(replay.ruleset, replay.states, replay.actions, replay.numbers) if replay else []
    except SoftTimeLimitExceeded:  # no record is at fault
        raise
    except Exception:  # noqa: BLE001 (whatever is wrong with one record)
        _log.exception("search.events_failed", log=log.pk)
        return []


__all__ = ["find_events"]
