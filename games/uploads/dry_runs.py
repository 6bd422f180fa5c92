"""Removes dry runs a day after they ended, or were paused and not resumed."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import takewhile

from django.db import transaction
from django.db.models import Q

from games.models import MoveLog, Upload, Verdict
from games.uploads import controls
from games.uploads.controls import ControlError

KEPT = timedelta(days=1)
_BATCH = 2_000
"""Logs removed at once."""


def forget_dry_runs(*, now: datetime, has_time: Callable[[], bool]) -> int:
    """Remove dry runs that ended or were paused a day ago, as long as there is time. :returns: how many."""
    gone = 0
    _cancel_paused(now, has_time)
    while has_time() and (upload := Upload.objects.filter(dry_run=True, done_at__lt=now - KEPT).first()):
        if not _some_logs_of(upload):
            upload.delete()
            gone += 1
    return gone


def _cancel_paused(now: datetime, has_time: Callable[[], bool]) -> None:
    """Cancel dry runs that were paused and not resumed, as of their last verdict, so that they are removed, too."""
    paused = Upload.objects.filter(dry_run=True, done_at=None, paused=True, received_at__lt=now - KEPT)
    idle = paused.filter(Q(judged_at=None) | Q(judged_at__lt=now - KEPT))
    for upload in takewhile(lambda _: has_time(), idle.order_by("pk")):
        with suppress(ControlError):  # somebody has cancelled it meanwhile
            controls.cancel(upload, now=upload.judged_at or upload.received_at)


@transaction.atomic
def _some_logs_of(upload: Upload) -> int:
    logs = list(upload.logs.order_by("number").values_list("pk", flat=True)[:_BATCH])
    Verdict.objects.filter(log__in=logs, game=None).delete()
    MoveLog.objects.filter(pk__in=logs).delete()
    return len(logs)
