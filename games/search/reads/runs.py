"""How the runs of the index of positions are merged: which are about the same size, and whether any wait."""

from collections import defaultdict
from typing import Final

from games.models import PositionRun

TOGETHER: Final = 8
"""Runs of about the same size that are merged into one; so many times as large are those of the next size."""


def runs_wait() -> bool:
    """Return whether runs are to be merged."""
    return bool(runs_to_merge())


def runs_to_merge() -> list[PositionRun]:
    """Return runs of about the same size of which there are many, the smallest first; none where there are few."""
    by_size = defaultdict[int, list[PositionRun]](list)
    for run in PositionRun.objects.order_by("pk"):
        by_size[_size(run.games)].append(run)
    return next((runs for _, runs in sorted(by_size.items()) if len(runs) >= TOGETHER), [])


def _size(games: int) -> int:
    """Return the size of a run: one more for each time that it is `TOGETHER` times as large."""
    size = 0
    while games >= TOGETHER:
        games //= TOGETHER
        size += 1
    return size


__all__ = ["TOGETHER", "runs_to_merge", "runs_wait"]
