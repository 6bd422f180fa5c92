"""Reading what waits to be verified or rated."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Now

from games.models import Acceptance, Correction, MoveLog, Player, Upload, VerdictCount


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


def count_lapsed() -> int:
    """Return how many logs were claimed and abandoned."""
    return MoveLog.objects.filter(lapsed()).count()


def count_verdicts() -> dict[str, int]:
    """Return how many records got each verdict, as the counts of the uploads say."""
    there = VerdictCount.objects.exclude(verdict=VerdictCount.Kind.REMOVED)
    found = there.values_list("verdict").annotate(all=Sum("games")).order_by("verdict")
    return dict(found)


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

    Uploads in progress come first, so that the games of one file stay together, however long it is: while one of the
    same club was begun that is still being judged, there are none. Cancelled uploads are not accepted: the organiser
    withdrew them.
    """
    done = Upload.objects.filter(~Q(state=Upload.State.CANCELLED), club__isnull=False, done_at__isnull=False)
    waiting = done.filter(~_another_begun(), accepted_at=None, dry_run=False)
    return waiting.annotate(begun=Q(accepted_logs__gt=0)).order_by("-begun", "received_at", "pk")


def uploads_to_begin(records: int) -> "QuerySet[Upload]":
    """Return a club's uploads that are being split and have at least so many records that are not accepted yet.

    One that was begun comes first; while it is still being judged, no other of its club is begun.
    """
    splitting = Upload.objects.filter(state=Upload.State.SPLITTING, club__isnull=False, paused=False, dry_run=False)
    long = splitting.filter(~_another_begun(), accepted_at=None, split_logs__gte=F("accepted_logs") + records)
    return long.annotate(begun=Q(accepted_logs__gt=0)).order_by("-begun", "received_at", "pk")


def _another_begun() -> Exists:
    """Return whether the beginning of another upload of the club is accepted, while the rest of it is being judged."""
    begun = Upload.objects.filter(club=OuterRef("club"), accepted_logs__gt=0, accepted_at=None, done_at=None)
    going_on = begun.filter(~Q(state=Upload.State.CANCELLED), paused=False)
    return Exists(going_on.exclude(pk=OuterRef("pk")))


def oldest_waiting_seconds() -> float | None:
    """Return the age of the oldest log that could be claimed now, in seconds; none when none waits."""
    ages = _claimable().order_by("queued_at").values_list(Now() - F("queued_at"), flat=True)
    oldest = ages.first()
    return oldest.total_seconds() if oldest is not None else None
