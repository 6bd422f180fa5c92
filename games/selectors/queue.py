"""What waits for verification."""

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from games.models import MoveLog


def lapsed() -> Q:
    """Whether a log was claimed and left behind: its lease is over, by the database's clock."""
    return Q(state=MoveLog.State.RUNNING, leased_until__lt=Now())


def _claimable() -> "QuerySet[MoveLog]":
    return MoveLog.objects.filter(Q(state=MoveLog.State.WAITING) | lapsed())


def anything_waits() -> bool:
    """Whether any log could be claimed now."""
    return _claimable().exists()


def oldest_waiting_seconds() -> float | None:
    """The age of the oldest log that could be claimed now, in seconds; none when none waits."""
    ages = _claimable().order_by("queued_at").values_list(Now() - F("queued_at"), flat=True)
    oldest = ages.first()
    return oldest.total_seconds() if oldest is not None else None
