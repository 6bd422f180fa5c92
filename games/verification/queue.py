"""Verification: claiming waiting logs, judging them and storing the verdicts, each log once.

The rows are the queue. A claim is one conditional update under a row lock: it counts the attempt before any work and
takes a lease on the database's clock; a lease that is over puts the log back into the queue. Results are fenced by a
number that grows with every claim, so that a worker that was suspended and resumes too late changes nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from itertools import accumulate
from operator import or_
from traceback import clear_frames
from typing import NamedTuple
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from engine.agn.log import Record
from engine.verify import ENGINE_VERSION, verify
from games.models import MoveLog, RemovedRecord
from games.packing import HEAD, unpack, unpacked_size
from games.platform.pauses import IS_PAUSED
from games.platform.processes import IS_RUNNING
from games.records.reads.replays import record_of
from games.uploads import counts
from games.verification.reads import lapsed
from games.verification.store import Found, store_alone, store_together

_log = structlog.get_logger()

ATTEMPTS = 3
"""After so many attempts that did not end, a log is quarantined."""
PART = 16
"""What was tried once is tried again in batches of so small a part of a whole one: a worker that ends once more leaves
few behind that are to be judged alone, and these take ten times as long."""
FEW = 3
"""The first records of an upload: they are judged in a lane of their own where a process for small uploads runs."""
LANE_BATCH = 8
"""Logs of that lane claimed at once: so few that the next upload does not wait long."""
LEFT_TO_LANE = 5
"""Seconds for which other workers leave the first records of uploads to that lane."""
_FREED = 10_000
"""Logs that go back to the queue at once, at most."""
BATCH_BYTES = 1 << 20
"""Of the logs claimed at once, unless one alone has more: to read them takes about a second."""
READING, STORING = 1.0, 2.0
"""Seconds after a claim from which no other log is read, or stored alone: others who wait come first."""


class _Waiting(NamedTuple):
    """A log that waits."""

    log: int
    attempts: int
    size: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to store the verdict on a log while no other attempt has begun."""

    log: MoveLog
    attempt: int
    fence: int

    def record(self) -> Record:
        """Return the record to verify. It is unpacked only here, so that a damaged one does not affect others."""
        self.log.data = unpack(vars(self.log)["packed"])
        return record_of(self.log)


# Rows that another worker is about to claim are left to it.
_FREE = """
UPDATE games_movelog SET state = 'waiting', leased_until = NULL
WHERE id = ANY(ARRAY(
    SELECT id FROM games_movelog
    WHERE state = 'running' AND leased_until < statement_timestamp() AND attempts < %s
    ORDER BY leased_until LIMIT %s FOR UPDATE SKIP LOCKED))
"""
# By number in the file, so that the first games of all uploads come first, however large the uploads are.
_NEXT = f"""
SELECT id, attempts, substring(data FOR %s) FROM games_movelog
WHERE state = 'waiting' AND attempts BETWEEN %s AND %s AND upload_id IS DISTINCT FROM %s
    AND NOT {IS_PAUSED.format(part="verification")}
    AND (number > {FEW} OR attempts > 0 OR NOT {IS_RUNNING.format(kind="small")}
        OR queued_at NOT BETWEEN statement_timestamp() - interval '{LEFT_TO_LANE} s' AND statement_timestamp())
ORDER BY attempts, number, id LIMIT %s FOR UPDATE SKIP LOCKED
"""  # noqa: S608 (made of constants)
_NEXT_IN_LANE = f"""
SELECT id, attempts, substring(data FOR %s) FROM games_movelog
WHERE state = 'waiting' AND attempts = 0 AND number <= {FEW} AND NOT {IS_PAUSED.format(part="verification")}
ORDER BY attempts, number, id LIMIT %s FOR UPDATE SKIP LOCKED
"""  # noqa: S608 (made of constants)
_TAKE = """
UPDATE games_movelog SET state = 'running', attempts = attempts + 1, fence = fence + 1,
    leased_until = statement_timestamp() + make_interval(secs => %s)
WHERE id = ANY(%s)
RETURNING id, upload_id, number, line, form, data AS packed, too_long, queued_at, verdict, attempts, fence
"""


def claim(*, fresh_first: bool = False, except_upload: UUID | None = None) -> list[Lease]:
    """Claim some logs: logs that were tried before in smaller batches, and one alone in its last attempt.

    Abandoned logs go back to the queue first, so that one index gives the order of everything that waits. The first
    records of uploads are left to the process for small uploads for a while, where one runs.

    :param fresh_first: the other way round, so that a batch that must be retried does not hold up all others.
    :param except_upload: an upload of which none is claimed.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_FREE, [ATTEMPTS, _FREED])
        first, then = (_fresh, _tried_before) if fresh_first else (_tried_before, _fresh)
        return _taken(first(cursor, except_upload) or then(cursor, except_upload))


@transaction.atomic
def claim_in_lane() -> list[Lease]:
    """Claim a few logs, each among the first of its upload, so that small uploads do not wait for large ones."""
    with connection.cursor() as cursor:
        cursor.execute(_NEXT_IN_LANE, [HEAD, LANE_BATCH])
        return _taken(_fitting(_sized(cursor)))


def _taken(chosen: list[int]) -> list[Lease]:
    taken = MoveLog.objects.raw(_TAKE, [settings.VERIFICATION_LEASE, chosen]) if chosen else ()
    logs = sorted(taken, key=lambda log: (log.number, log.pk))
    return [Lease(log, log.attempts, log.fence) for log in logs]


def _fresh(cursor: CursorWrapper, except_upload: UUID | None) -> list[int]:
    """Return as many as fit in a batch."""
    return _fitting(_waiting(cursor, 0, 0, except_upload, settings.VERIFICATION_BATCH))


def _tried_before(cursor: CursorWrapper, except_upload: UUID | None) -> list[int]:
    """Return logs that were tried as often as the first of them, a part of a batch; for the last attempt, only one.

    So a log that kills its worker affects few others, and only that log is set aside in the end.
    """
    found = _waiting(cursor, 1, ATTEMPTS - 1, except_upload, max(1, settings.VERIFICATION_BATCH // PART))
    last = bool(found) and found[0].attempts == ATTEMPTS - 1
    return _fitting(found[:1] if last else [one for one in found if one.attempts == found[0].attempts])


def _waiting(cursor: CursorWrapper, least: int, most: int, except_upload: UUID | None, count: int) -> list[_Waiting]:
    """Return some waiting logs by their number of attempts, in the order of claiming."""
    cursor.execute(_NEXT, [HEAD, least, most, except_upload, count])
    return _sized(cursor)


def _sized(cursor: CursorWrapper) -> list[_Waiting]:
    return [_Waiting(log, attempts, unpacked_size(head)) for log, attempts, head in cursor]


def _fitting(waiting: Sequence[_Waiting]) -> list[int]:
    """Return as many as fit into a batch by bytes."""
    before = accumulate((one.size for one in waiting), initial=0)
    return [
        one.log for one, so_far in zip(waiting, before, strict=False) if not so_far or so_far + one.size <= BATCH_BYTES
    ]


def judge(claim: Lease, *, now: datetime) -> bool:
    """Verify a claimed log and store the verdict.

    :returns: whether it was stored; False if another attempt has begun meanwhile.
    """
    with _given_back_on_error([claim], now):
        return store_alone(_examine(claim), engine=ENGINE_VERSION, now=now, at=now)


def judge_together(claims: Sequence[Lease], *, now: datetime, spent: Callable[[], float]) -> int:
    """Verify claimed logs and store the verdicts.

    A log that cannot be verified goes back to the queue and does not affect others.

    :param spent: how many seconds ago the logs were claimed.
    :returns: how many verdicts were stored.
    """
    found: list[Found] = []
    for at, one in enumerate(claims):
        if at and spent() > READING:
            put_back(claims[at:])
            break
        with suppress(Exception), _given_back_on_error([one], now):
            found.append(_examine(one))
    return _store({one.log.pk: one for one in claims}, found, now, spent)


def _examine(claim: Lease) -> Found:
    return Found(claim.log.pk, claim.fence, verify(claim.record()))


def _store(claims: Mapping[int, Lease], found: list[Found], now: datetime, spent: Callable[[], float]) -> int:
    """Store verdicts: together if possible, one by one if they affect more than their own game."""
    count, apart = 0, list[Found]()
    with suppress(Exception), _given_back_on_error([claims[one.log] for one in found], now):
        count, apart = store_together(found, engine=ENGINE_VERSION, now=now, at=_after(now, spent))
    for at, one in enumerate(apart):
        if at and spent() > STORING:
            put_back([claims[other.log] for other in apart[at:]])
            break
        with suppress(Exception), _given_back_on_error([claims[one.log]], now):
            count += store_alone(one, engine=ENGINE_VERSION, now=now, at=_after(now, spent))
    return count


def _after(now: datetime, spent: Callable[[], float]) -> datetime:
    return now + timedelta(seconds=spent())


@contextmanager
def _given_back_on_error(claims: Sequence[Lease], now: datetime) -> Iterator[None]:
    """Release logs whatever goes wrong, even MemoryError, so that their rows stay correct."""
    try:
        yield
    except Exception as error:
        clear_frames(error.__traceback__)  # what filled the memory, so that there is some for what follows
        _log.exception("verification.failed", logs=[one.log.pk for one in claims[:10]], count=len(claims))
        # Only the kind of error: its text may contain anybody's data, and this is shown.
        give_back(claims, failure=f"Verification failed: {type(error).__name__}.", now=now)
        raise


@transaction.atomic
def give_back(claims: Iterable[Lease], *, failure: str, now: datetime) -> None:
    """Put logs that could not be verified back in the queue, or after the last attempt in quarantine."""
    held = _leased(claims)
    _set_aside(held.filter(attempts__gte=ATTEMPTS), failure, now)
    held.update(state=MoveLog.State.WAITING, leased_until=None, failure=failure)


def put_back(claims: Iterable[Lease]) -> None:
    """Put back logs that were claimed but not begun; the attempt does not count."""
    _leased(claims).update(state=MoveLog.State.WAITING, leased_until=None, attempts=F("attempts") - 1)


@transaction.atomic
def quarantine_lapsed(*, now: datetime) -> int:
    """Quarantine the logs whose last attempt did not end. :returns: how many."""
    lost = MoveLog.objects.filter(lapsed(), attempts__gte=ATTEMPTS)
    return _set_aside(lost, f"None of {ATTEMPTS} attempts to verify it came to an end.", now)


def _set_aside(logs: "QuerySet[MoveLog]", failure: str, now: datetime) -> int:
    held = list(logs.select_for_update().only("upload_id", "game_id").order_by("pk"))
    if held:
        rows = MoveLog.objects.filter(pk__in=[log.pk for log in held])
        rows.update(state=MoveLog.State.QUARANTINED, leased_until=None, failure=failure)
        counts.set_aside(held, at=now)
    return len(held)


def queue_again() -> int:
    """Queue again the logs that this engine has not verified, except removed ones. :returns: how many."""
    removed = RemovedRecord.objects.filter(log=OuterRef("pk"))
    judged = MoveLog.objects.filter(~Exists(removed), state=MoveLog.State.JUDGED)
    return judged.exclude(verdicts__engine_version=ENGINE_VERSION).update(
        state=MoveLog.State.WAITING, attempts=0, queued_at=Now()
    )


def _leased(claims: Iterable[Lease]) -> "QuerySet[MoveLog]":
    """Return the logs whose leases are still valid."""
    by_fence: defaultdict[int, list[int]] = defaultdict(list)
    for one in claims:
        by_fence[one.fence].append(one.log.pk)
    each = (Q(pk__in=logs, fence=fence) for fence, logs in by_fence.items())
    return MoveLog.objects.filter(reduce(or_, each, Q(pk__in=[])), state=MoveLog.State.RUNNING)
