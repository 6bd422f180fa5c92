"""Finding out which events happened in games and how exciting they were, after their verdicts are stored."""

from collections.abc import Callable
from typing import Final, NamedTuple

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction
from django.db.models import QuerySet

from engine.story import Tension, event_codes, tension_of
from engine.verify import verify
from games.models import GameEvents, MoveLog
from games.records.reads.replays import record_of
from games.search.reads.due import games_without_events, games_without_tension
from games.search.reads.logs import logs_of

_BATCH: Final = 20
_STORE = "UPDATE games_gameevents SET codes = %s, lead_changes = %s, closeness = %s WHERE game_id = %s"
_log = structlog.get_logger()


class _Found(NamedTuple):
    """What is found out about a game."""

    codes: list[int]
    tension: Tension


_NOTHING: Final = _Found([], Tension(0, None))


def find_events(*, has_time: Callable[[], bool]) -> int:
    """Store the events of games that wait for it, and how exciting they were. :returns: of how many games."""
    found = 0
    while has_time() and (some := _find_some(games_without_events()) or _find_some(games_without_tension())):
        found += some
    return found


@transaction.atomic
def _find_some(due: "QuerySet[GameEvents]") -> int:
    games = list(due.select_for_update(skip_locked=True).values_list("pk", flat=True)[:_BATCH])
    found = {log.game_id: _found_in(log) for log in logs_of(games)} if games else {}
    rows = [(game, found.get(game, _NOTHING)) for game in games]
    with connection.cursor() as cursor:
        cursor.executemany(_STORE, [(one.codes, *one.tension, game) for game, one in rows])
    return len(games)


def _found_in(log: MoveLog) -> _Found:
    """Return what is found out of a record; nothing where that fails, so that other games do not wait for this one."""
    try:
        replay = verify(record_of(log)).replay
        if replay is None:
            return _NOTHING
        codes = event_codes(replay.ruleset, replay.states, replay.actions, replay.numbers)
        return _Found(codes, tension_of(replay.ruleset, replay.states))
    except SoftTimeLimitExceeded:  # no record is at fault
        raise
    except Exception:  # noqa: BLE001 (whatever is wrong with one record)
        _log.exception("search.events_failed", log=log.pk)
        return _NOTHING


__all__ = ["find_events"]
