"""Processes: which ones run, by the heartbeats that they store every few seconds, without asking a broker."""

from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.models import RunningProcess

LATELY = timedelta(seconds=60)
"""Who was not seen for so long does not run, or cannot reach the database."""
_KEPT = timedelta(days=1)
IS_RUNNING = """EXISTS (SELECT FROM games_runningprocess
    WHERE kind = '{kind}' AND seen_at > statement_timestamp() - interval '1 minute')"""
"""For queries: whether a process of a kind was seen lately."""
NEWEST: Final = max(int(path.name[:4]) for path in (Path(__file__).parents[1] / "migrations").glob("[0-9]*.py"))
"""The number of the newest migration in this code, which distinguishes older processes from newer ones."""
_ASKED_EVERY = 10.0
"""Seconds for which a process remembers which others run."""

_seen = dict[str, tuple[float, bool]]()
"""By kind: when that was asked, and the answer."""

_NOTE = """
INSERT INTO games_runningprocess (kind, host, number, version, migration, started_at, seen_at, clock)
VALUES (%(kind)s, %(host)s, %(number)s, %(version)s, %(migration)s, statement_timestamp(), statement_timestamp(),
        extract(epoch FROM %(clock)s - statement_timestamp()))
ON CONFLICT (host, number, kind) DO UPDATE SET seen_at = excluded.seen_at, clock = excluded.clock,
    version = excluded.version, migration = excluded.migration,
    started_at = CASE WHEN %(first)s THEN excluded.started_at ELSE games_runningprocess.started_at END
RETURNING clock
"""


def note(kind: str, host: str, number: int, *, version: str, clock: datetime, first: bool) -> float:
    """Record that a process runs. :returns: by how many seconds its clock is ahead of the database's.

    :param clock: the time by its own clock.
    :param first: whether it has just started: an earlier process may have had its id.
    """
    said: dict[str, str | int | bool | datetime] = {
        "kind": kind,
        "host": host[:100],
        "number": number,
        "version": version,
        "migration": NEWEST,
        "clock": clock,
        "first": first,
    }
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, said)
        return float(cursor.fetchone()[0])


def running() -> "QuerySet[RunningProcess]":
    """Return the processes seen lately, sorted by kind."""
    return RunningProcess.objects.filter(seen_at__gt=Now() - LATELY).order_by("kind", "host", "number")


def is_served(kind: str, *, unknown: bool = True) -> bool:
    """Return whether a process of a kind was seen lately, so that nothing is sent to a queue that nobody empties.

    This asks the database at most every ten seconds.

    :param unknown: the answer where processes have no heartbeat.
    """
    if not settings.HEARTBEAT_EVERY:
        return unknown
    at, served = _seen.get(kind, (0.0, False))
    if not at or monotonic() - at > _ASKED_EVERY:
        served = running().filter(kind=kind).exists()
        _seen[kind] = monotonic(), served
    return served


def workers_know(migration: int) -> bool:
    """Return whether the code of every worker that runs has a migration, so that it knows a task that came with it."""
    return not running().filter(kind="worker", migration__lt=migration).exists()


def forget_ended() -> int:
    """Remove the rows of processes that have not been seen for a day. :returns: how many."""
    return RunningProcess.objects.filter(seen_at__lt=Now() - _KEPT).delete()[0]
