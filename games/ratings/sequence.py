"""The sequence in which games are rated; every change to it holds its lock."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection

from games.models import Acceptance, Correction

Now = datetime | Callable[[], datetime]
"""A moment, or a clock: who may have to wait for the lock, or does one thing after another, gives the clock."""

_ORDER_LOCK = 0x61747461
"""Names the lock, which is given back at the end of the transaction."""
_STEP = timedelta(microseconds=1)
_LONGEST = timedelta(days=1)
"""No transaction lasts as long."""

_UNDER_WAY = """
SELECT count(*) FROM pg_locks AS held LEFT JOIN pg_stat_activity AS writer USING (pid)
WHERE held.locktype = 'advisory' AND held.granted AND held.classid = 0 AND held.objid = %s
  AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND coalesce(writer.xact_start < %s, true)
"""


def moment_of(now: Now) -> datetime:
    """Return the moment itself."""
    return now if isinstance(now, datetime) else now()


def lock_order(*, wait: bool = True) -> bool:
    """Take the lock of the sequence in the current transaction.

    :returns: whether it was taken; without waiting it may not be.
    """
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ORDER_LOCK])
            return True
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_ORDER_LOCK])
        return bool(cursor.fetchone()[0])


def last_place() -> int:
    """Return the last place given in the sequence; 0 when there is none."""
    return (
        Acceptance.objects.filter(number__isnull=False).order_by("-number").values_list("number", flat=True).first()
        or 0
    )


def latest_moment(now: Now) -> datetime:
    """Return the current time, but always after the last entry, so that the order of time is the order of the ledger.

    Called under the lock, once for each transaction, so that each has its own moment.
    """
    moment = moment_of(now)
    accepted = Acceptance.objects.filter(number__isnull=False).order_by("-number").values_list("accepted_at", flat=True)
    done = Correction.objects.filter(order__isnull=False).order_by("-order").values_list("done_at", flat=True)
    written = [last for last in (accepted.first(), done.first()) if last]
    return max([moment, *(last + _STEP for last in written)])


def is_settled(moment: datetime, *, now: datetime) -> bool:
    """Return whether everything dated before a moment is visible, that is, no transaction from before is still open."""
    if moment < now - _LONGEST:
        return True
    with connection.cursor() as cursor:
        cursor.execute(_UNDER_WAY, [_ORDER_LOCK, moment])
        return not cursor.fetchone()[0]
