"""What waits for verification."""

from django.db.models import Min, Q, QuerySet
from django.db.models.functions import Now

from games.models import MoveLog


def _claimable() -> "QuerySet[MoveLog]":
    lapsed = Q(state=MoveLog.State.RUNNING, leased_until__lt=Now())
    return MoveLog.objects.filter(Q(state=MoveLog.State.WAITING) | lapsed)


def anything_waits() -> bool:
    """Whether any log could be claimed now."""
    return _claimable().exists()


def oldest_waiting_seconds() -> float | None:
    """The age of the oldest log that could be claimed now, in seconds; none when none waits."""
    ages = _claimable().aggregate(since=Min("upload__received_at"), now=Now())
    return (ages["now"] - ages["since"]).total_seconds() if ages["since"] else None
