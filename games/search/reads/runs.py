"""Which runs of the index of positions should be merged."""

from collections import defaultdict
from typing import Final

from django.db.models import QuerySet

from engine.positions import NUMBERING
from games.models import PositionRun

TOGETHER: Final = 8
"""Runs of about the same size that are merged into one; so many times as large are those of the next size."""
MOST: Final = 64
"""Runs that are merged at a time, at the most. If so many wait, searches begin to take long."""


def runs_wait() -> bool:
    """Return whether there are runs to merge."""
    return bool(runs_to_merge())


def many_runs_wait() -> bool:
    """Return whether so many runs are to be merged that even urgent work should wait for it."""
    return len(runs_to_merge()) >= MOST


def runs_to_merge() -> list[PositionRun]:
    """Return the smallest runs of about the same size if there are enough to merge them, else none.

    Those that a rebuild will remove, now or soon, stay apart.
    """
    by_size = defaultdict[int, list[PositionRun]](list)
    for run in PositionRun.objects.filter(old=False, numbering=NUMBERING).order_by("pk"):
        by_size[_size(run.games)].append(run)
    return next((runs for _, runs in sorted(by_size.items()) if len(runs) >= TOGETHER), [])


def numbering_is_outdated() -> bool:
    """Return whether an earlier version numbered positions otherwise, so that a search does not find all games."""
    return outdated_runs().exists()


def outdated_runs() -> "QuerySet[PositionRun]":
    """Return the runs whose positions an earlier version numbered otherwise."""
    return PositionRun.objects.exclude(numbering=NUMBERING)


def _size(games: int) -> int:
    """Return the size class of a run: the logarithm of its number of games to the base `TOGETHER`."""
    size = 0
    while games >= TOGETHER:
        games //= TOGETHER
        size += 1
    return size


__all__ = ["MOST", "TOGETHER", "many_runs_wait", "numbering_is_outdated", "outdated_runs", "runs_to_merge", "runs_wait"]
