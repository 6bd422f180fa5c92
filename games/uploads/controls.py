"""Steering an upload: pausing it, going on, cancelling it, trying again what came to no end."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from games.models import MoveLog, Tally, Upload
from games.platform.errors import RefusedError
from games.platform.roles import is_moderator
from games.records.reads.visibility import Viewer
from games.uploads import counts, storage
from games.uploads.splitting import BROKE_OFF


class ControlError(RefusedError):
    """What cannot be done with an upload as it is."""


@transaction.atomic
def pause(upload: Upload) -> None:
    """Lets nothing more of an upload be split or judged, until it goes on. :raises SteeringError: when it is over."""
    held = _locked(upload)
    if not is_open(held) or held.state == Upload.State.RECEIVING:
        raise _over()
    Upload.objects.filter(pk=held.pk).update(paused=True)
    _free(held, MoveLog.State.WAITING).update(state=MoveLog.State.HELD)


@transaction.atomic
def resume(upload: Upload) -> None:
    """Lets an upload go on that was paused; one that was not goes on as before."""
    held = _locked(upload)
    Upload.objects.filter(pk=held.pk).update(paused=False)
    _free(held, MoveLog.State.HELD).update(state=MoveLog.State.WAITING)


@transaction.atomic
def cancel(upload: Upload, *, now: datetime) -> None:
    """Has nothing more of an upload split or judged, for good.

    What was judged stays; of a file that has not come to its end nothing does. What is being stored is waited for, and
    what is judged at this moment is not stored: after this nothing more appears.

    :raises SteeringError: when it is over.
    """
    held = Upload.objects.select_for_update().get(pk=upload.pk)  # verifiers that are storing keep its key
    if not is_open(held):
        raise _over()
    if held.state == Upload.State.RECEIVING:
        held.delete()
        return
    Upload.objects.filter(pk=held.pk).update(state=Upload.State.CANCELLED, paused=False)
    begun = MoveLog.State.WAITING, MoveLog.State.HELD, MoveLog.State.RUNNING
    cancelled = _free(held, *begun).filter(game=None).update(state=MoveLog.State.CANCELLED, leased_until=None)
    storage.forget(held.pk)
    counts.recount(held.pk, Tally.Kind.CANCELLED, cancelled, at=now)


@transaction.atomic
def retry(upload: Upload, *, now: datetime) -> None:
    """Tries again what came to no end three times: records that were set aside, or unpacking that broke off.

    :raises SteeringError: when there is nothing of the kind, or it was cancelled.
    """
    held = _locked(upload)
    if held.state == Upload.State.CANCELLED:
        raise _over()
    again = _free(held, MoveLog.State.QUARANTINED).update(
        state=MoveLog.State.HELD if held.paused else MoveLog.State.WAITING, attempts=0, trouble=""
    )
    counts.recount(held.pk, Tally.Kind.QUARANTINED, -again, at=now)
    if broke_off(held):
        held.archive.attempts, held.archive.code, held.archive.trouble, held.archive.params = 0, "", "", {}
        held.archive.save(update_fields=["attempts", "code", "trouble", "params"])
        Upload.objects.filter(pk=held.pk).update(state=Upload.State.WAITING, done_at=None)
    elif not again and held.state == Upload.State.REFUSED:
        raise ControlError("refused", "The file itself cannot be taken: nothing would change by trying again.")
    elif not again:
        raise ControlError("nothing_to_retry", "No record of this upload was set aside.")


def may_control(upload: Upload, viewer: Viewer) -> bool:
    """Whether somebody may do any of this: whoever uploaded, and moderators."""
    return viewer.is_authenticated and (upload.uploader_id == viewer.pk or is_moderator(viewer))


def broke_off(upload: Upload) -> bool:
    """Whether unpacking broke off, and may be tried again."""
    return upload.state == Upload.State.REFUSED and upload.archive.code == BROKE_OFF


def is_open(upload: Upload) -> bool:
    """Whether there is anything to come of an upload."""
    return upload.done_at is None and upload.state != Upload.State.CANCELLED


def _locked(upload: Upload) -> Upload:
    return Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)


def _free(held: Upload, *states: str) -> "QuerySet[MoveLog]":
    """Return the logs in some states that nobody else holds: a verifier holds logs first, and then their upload.

    One that a verifier holds has been claimed, whatever this transaction's snapshot says.
    """
    rows = held.logs.filter(state__in=states).select_for_update(skip_locked=True, of=("self",))
    return MoveLog.objects.filter(pk__in=rows.values("pk"))


def _over() -> ControlError:
    return ControlError("over", "Nothing of this upload waits any more.")
