"""Counts how many records of an upload got which verdict, and whether any waits, as verdicts are stored.

The counts change in the transaction that changes the records. It locks the uploads in a fixed order until it ends;
games and players, which other transactions may be adding as well, are added before.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from games.models import MoveLog, Verdict, VerdictCount
from games.platform.bulk_sql import columns


class Counted(NamedTuple):
    """How a record of an upload is counted."""

    upload: UUID
    verdict: str
    rule: str


_HOLD = "SELECT FROM games_upload WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
_LESS = """
UPDATE games_verdictcount AS counted SET games = counted.games - less.games
FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::int[]) AS less (upload, verdict, rule, games)
WHERE counted.upload_id = less.upload AND counted.verdict = less.verdict AND counted.rule = less.rule
"""
_MORE = """
INSERT INTO games_verdictcount AS counted (upload_id, verdict, rule, games)
SELECT * FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::int[])
ON CONFLICT (upload_id, verdict, rule) DO UPDATE SET games = counted.games + excluded.games
"""
_DONE = """done_at = CASE
    WHEN state IN ('receiving', 'waiting', 'splitting') THEN NULL
    WHEN split_logs > (SELECT coalesce(sum(games), 0) FROM games_verdictcount WHERE upload_id = upload.id) THEN NULL
    ELSE coalesce(done_at, %(at)s) END"""
_NOTE = f"""
UPDATE games_upload AS upload SET begun_at = coalesce(begun_at, %(begun)s), judged_at = %(at)s, {_DONE}
WHERE id = ANY(%(uploads)s)
"""  # noqa: S608 (of our own words)
_SETTLE = f"UPDATE games_upload AS upload SET {_DONE} WHERE id = %(upload)s"  # noqa: S608


def count(more: Iterable[Counted], less: Iterable[Counted] = (), *, begun: datetime, at: datetime) -> None:
    """Count records by their verdicts.

    :param less: how some of them were counted before.
    :param begun: when their verification began.
    """
    change = Counter(more)
    change.subtract(Counter(less))
    uploads = sorted({counted.upload for counted in change})
    if not uploads:
        return
    hold(uploads)
    with connection.cursor() as cursor:
        for statement, sign in ((_LESS, -1), (_MORE, 1)):
            rows = [(*counted, sign * games) for counted, games in sorted(change.items()) if sign * games > 0]
            if rows:
                cursor.execute(statement, columns(rows, 4))
        cursor.execute(_NOTE, {"begun": begun, "at": at, "uploads": uploads})


def recount(upload: UUID, kind: str, games: int, *, rule: str = "", at: datetime) -> None:
    """Count more, or fewer, records of a locked upload that ended without a verdict, or whose verdict was removed."""
    if games:
        row = (upload, kind, rule, abs(games))
        with connection.cursor() as cursor:
            cursor.execute(_MORE if games > 0 else _LESS, columns([row], 4))
    settle(upload, at=at)


def settle(upload: UUID, *, at: datetime) -> None:
    """Store whether any record of an upload waits; only after its verdict is it known whether a record was the last."""
    with connection.cursor() as cursor:
        cursor.execute(_SETTLE, {"upload": upload, "at": at})


def hold(uploads: Iterable[UUID]) -> None:
    """Lock uploads until the transaction ends, in one order, so that no two transactions wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [list(uploads)])


def counted_before(logs: Iterable[int]) -> list[Counted]:
    """Return how records with an earlier verdict are counted now."""
    newest = Verdict.objects.filter(log__in=logs).order_by("log", "-pk").distinct("log")
    return [Counted(*row) for row in newest.values_list("log__upload", "verdict", "rule")]


def set_aside(logs: Iterable[MoveLog], *, at: datetime) -> None:
    """Count quarantined records."""
    logs = list(logs)
    more = [Counted(log.upload_id, VerdictCount.Kind.QUARANTINED, "") for log in logs]
    count(more, counted_before([log.pk for log in logs if log.game_id]), begun=at, at=at)
