"""Which runs of the index of positions should be merged."""

from collections import defaultdict
from typing import Final

from games.models import PositionRun

TOGETHER: Final = 8
"""Runs of about the same size that are merged into one; so many times as large are those of the next size."""


def runs_wait() -> bool:
    """Return whether there are runs to merge."""
    return bool(runs_to_merge())


def runs_to_merge() -> list[PositionRun]:
    """Return the smallest runs of about the same size if there are enough to merge them, else none.

    Those that a rebuild will remove stay apart.
    """
    by_size = defaultdict[int, list[PositionRun]](list)
    for run in PositionRun.objects.filter(old=False).order_by("pk"):
        by_size[_size(run.games)].append(run)
    return next((runs for _, runs in sorted(by_size.items()) if len(runs) >= TOGETHER), [])


def _size(games: int) -> int:
    """Return the size class of a run: the logarithm of its number of games to the base `TOGETHER`."""
    size = 0
    while games >= TOGETHER:
        games //= TOGETHER
        size += 1
    return size


__all__ = ["TOGETHER", "runs_to_merge", "runs_wait"]
