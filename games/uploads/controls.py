"""Controls of an upload: pause, resume, cancel, retry."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from games.models import MoveLog, Upload, VerdictCount
from games.platform.errors import RefusedError
from games.platform.roles import is_moderator
from games.records.reads.visibility import Viewer
from games.uploads import counts, storage
from games.uploads.splitting import BROKE_OFF


class ControlError(RefusedError):
    """A control that an upload's state does not allow."""


@transaction.atomic
def pause(upload: Upload) -> None:
    """Pause an upload: nothing more of it is split or verified until it is resumed.

    :raises ControlError: when it is over.
    """
    held = _locked(upload)
    if not is_open(held) or held.state == Upload.State.RECEIVING:
        raise _over()
    Upload.objects.filter(pk=held.pk).update(paused=True)
    _free(held, MoveLog.State.WAITING).update(state=MoveLog.State.HELD)


@transaction.atomic
def resume(upload: Upload) -> None:
    """Resume a paused upload; any other goes on as before."""
    held = _locked(upload)
    Upload.objects.filter(pk=held.pk).update(paused=False)
    _free(held, MoveLog.State.HELD).update(state=MoveLog.State.WAITING)


@transaction.atomic
def cancel(upload: Upload, *, now: datetime) -> None:
    """Cancel an upload: nothing more of it is split or judged.

    Verified records stay; nothing stays of a file that was not received completely. Verdicts being stored are waited
    for, and what is being judged at this moment is not stored: after this nothing more appears.

    :raises ControlError: when it is over.
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
    counts.recount(held.pk, VerdictCount.Kind.CANCELLED, cancelled, at=now)


@transaction.atomic
def retry(upload: Upload, *, now: datetime) -> None:
    """Retry what failed three times: quarantined records, or unpacking.

    :raises ControlError: when there is nothing to retry, or the upload was cancelled.
    """
    held = _locked(upload)
    if held.state == Upload.State.CANCELLED:
        raise _over()
    again = _free(held, MoveLog.State.QUARANTINED).update(
        state=MoveLog.State.HELD if held.paused else MoveLog.State.WAITING, attempts=0, failure=""
    )
    counts.recount(held.pk, VerdictCount.Kind.QUARANTINED, -again, at=now)
    if again:  # a club may have accepted the others without them; these keep their places
        Upload.objects.filter(pk=held.pk).update(accepted_at=None, accepted_logs=0)
    if broke_off(held):
        held.archive.attempts, held.archive.code, held.archive.template, held.archive.params = 0, "", "", {}
        held.archive.save(update_fields=["attempts", "code", "template", "params"])
        # A club may have accepted what was found before.
        Upload.objects.filter(pk=held.pk).update(state=Upload.State.WAITING, done_at=None, accepted_at=None)
    elif not again and held.state == Upload.State.REFUSED:
        raise ControlError("refused", "The file itself was refused. Trying again would change nothing.")
    elif not again:
        raise ControlError("nothing_to_retry", "No record of this upload was set aside.")


def may_control(upload: Upload, viewer: Viewer) -> bool:
    """Return whether somebody may do any of this: the uploader, and moderators."""
    return viewer.is_authenticated and (upload.uploader_id == viewer.pk or is_moderator(viewer))


def broke_off(upload: Upload) -> bool:
    """Return whether unpacking failed and may be retried."""
    return upload.state == Upload.State.REFUSED and upload.archive.code == BROKE_OFF


def is_open(upload: Upload) -> bool:
    """Return whether an upload is still under way."""
    return upload.done_at is None and upload.state != Upload.State.CANCELLED


def _locked(upload: Upload) -> Upload:
    return Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)


def _free(held: Upload, *states: str) -> "QuerySet[MoveLog]":
    """Return the logs in some states that no other transaction has locked: verifiers lock logs before their upload.

    A log that a verifier has locked has been claimed, whatever this transaction's snapshot says.
    """
    rows = held.logs.filter(state__in=states).select_for_update(skip_locked=True, of=("self",))
    return MoveLog.objects.filter(pk__in=rows.values("pk"))


def _over() -> ControlError:
    return ControlError("over", "No record of this upload is waiting.")
