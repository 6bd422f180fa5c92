"""Reading alarms: played games of which something is wrong that should never be."""

from django.db.models import QuerySet

from games.models import TableAlarm

MOST = 100
"""Alarms on a page."""


def open_alarms() -> "QuerySet[TableAlarm]":
    """Return the alarms at which nobody has looked, the newest first."""
    found = TableAlarm.objects.filter(settled_at=None).order_by("-raised_at", "-pk")
    return found.select_related("table__game")[:MOST]


def count_alarms() -> int:
    """Return how many there are."""
    return TableAlarm.objects.filter(settled_at=None).count()
