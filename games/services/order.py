"""The one order of all that is rated: whoever adds to it, or changes what stands in it, holds its lock."""

from datetime import datetime

from django.db import connection

from games.models import Acceptance, Recount

_ORDER_LOCK = 0x61747461
"""Names the lock, which is given back at the end of the transaction."""


def lock_order(*, wait: bool = True) -> bool:
    """Takes the lock of the order within the transaction under way.

    :returns: whether it was got; without waiting it may not be.
    """
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ORDER_LOCK])
            return True
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_ORDER_LOCK])
        return bool(cursor.fetchone()[0])


def last_place() -> int:
    """The last place given in the sequence; 0 when there is none."""
    return (
        Acceptance.objects.filter(number__isnull=False).order_by("-number").values_list("number", flat=True).first()
        or 0
    )


def latest_moment(now: datetime) -> datetime:
    """Now, but never before what was written last: the order of time is the order of the ledger."""
    accepted = Acceptance.objects.filter(number__isnull=False).order_by("-number").values_list("accepted_at", flat=True)
    done = Recount.objects.filter(order__isnull=False).order_by("-order").values_list("done_at", flat=True)
    return max(moment for moment in (now, accepted.first(), done.first()) if moment)
