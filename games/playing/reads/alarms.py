"""Reading alarms: played games of which something is wrong that should never be."""

from django.db.models import Exists, OuterRef, QuerySet

from games.models import MoveLog, Table, TableAlarm

MOST = 100
"""Alarms on a page."""


def open_alarms() -> "QuerySet[TableAlarm]":
    """Return the alarms at which nobody has looked, the newest first."""
    found = TableAlarm.objects.filter(settled_at=None).order_by("-raised_at", "-pk")
    return found.select_related("table__game")[:MOST]


def count_alarms() -> int:
    """Return how many there are."""
    return TableAlarm.objects.filter(settled_at=None).count()


def has_alarm(table: Table) -> bool:
    """Return whether an alarm of this table was ever raised."""
    return table.alarms.exists()


def quarantined_without_alarm() -> "QuerySet[MoveLog]":
    """Return the records of played games that verification set aside and that have no alarm yet."""
    raised = TableAlarm.objects.filter(table__upload=OuterRef("upload"), kind=TableAlarm.Kind.NOT_VERIFIED)
    found = MoveLog.objects.filter(~Exists(raised), state=MoveLog.State.QUARANTINED, upload__table__isnull=False)
    return found.select_related("upload__table").order_by("pk")
