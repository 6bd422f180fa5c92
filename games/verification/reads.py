"""Reading what waits to be verified or rated."""

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from games.models import Acceptance, Correction, MoveLog, Player, Upload


def lapsed() -> Q:
    """Return whether a log was claimed and abandoned: its lease has expired by the database's clock."""
    return Q(state=MoveLog.State.RUNNING, leased_until__lt=Now())


def _claimable() -> "QuerySet[MoveLog]":
    return MoveLog.objects.filter(Q(state=MoveLog.State.WAITING) | lapsed())


def logs_wait() -> bool:
    """Return whether any log could be claimed now."""
    # Each in the order of an index, because searching among the many verified ones would take long.
    waiting = MoveLog.objects.filter(state=MoveLog.State.WAITING).order_by("attempts", "number", "id")
    left_behind = MoveLog.objects.filter(lapsed()).order_by("leased_until")
    return any(logs.values_list("pk").first() for logs in (waiting, left_behind))


def quarantined() -> "QuerySet[MoveLog]":
    """Return the logs that were set aside after their last attempt, with their uploads, oldest first."""
    found = MoveLog.objects.filter(state=MoveLog.State.QUARANTINED).select_related("upload").order_by("queued_at", "pk")
    return found.only("number", "failure", "attempts", "queued_at", "upload__filename")


def anything_waits() -> bool:
    """Return whether any log could be claimed now, or anything is to be rated."""
    return (
        logs_wait()
        or Acceptance.objects.filter(number=None, held=False).exists()
        or Correction.objects.filter(order=None).exists()
        or uploads_to_accept().exists()
        or Player.objects.filter(unsettled_after__isnull=False).exists()
    )


def uploads_to_accept() -> "QuerySet[Upload]":
    """Return a club's uploads without waiting records whose games are not all accepted yet.

    Uploads in progress come first, so that the games of one file stay together, however long it is. Cancelled uploads
    are not accepted: the organiser withdrew them.
    """
    word_stands = ~Q(state=Upload.State.CANCELLED)
    waiting = Upload.objects.filter(
        word_stands, club__isnull=False, done_at__isnull=False, accepted_at=None, dry_run=False
    )
    return waiting.annotate(begun=Q(accepted_logs__gt=0)).order_by("-begun", "received_at", "pk")


def oldest_waiting_seconds() -> float | None:
    """Return the age of the oldest log that could be claimed now, in seconds; none when none waits."""
    ages = _claimable().order_by("queued_at").values_list(Now() - F("queued_at"), flat=True)
    oldest = ages.first()
    return oldest.total_seconds() if oldest is not None else None
