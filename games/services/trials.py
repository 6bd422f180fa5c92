"""Trials: dry runs, of which nothing is left a day after they were done."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from games.models import MoveLog, Upload, Verdict

KEPT = timedelta(days=1)
_BATCH = 2_000
"""Logs removed at once."""


def forget_tried(*, now: datetime, go_on: Callable[[], bool]) -> int:
    """Removes dry runs that are over, as long as there is time. :returns: how many."""
    gone = 0
    while go_on() and (upload := Upload.objects.filter(dry_run=True, done_at__lt=now - KEPT).first()):
        if not _some_logs_of(upload):
            upload.delete()
            gone += 1
    return gone


@transaction.atomic
def _some_logs_of(upload: Upload) -> int:
    logs = list(upload.logs.order_by("number").values_list("pk", flat=True)[:_BATCH])
    Verdict.objects.filter(log__in=logs, game=None).delete()
    MoveLog.objects.filter(pk__in=logs).delete()
    return len(logs)
