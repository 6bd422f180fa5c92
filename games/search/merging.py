"""Merging runs of the index, so that a search reads few of them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from django.db import connection, transaction
from django.db.models import Count

from engine.positions import BITS
from games.models import PositionRun
from games.platform.locks import is_free
from games.search.indexing import LOCK, add_blocks, add_run
from games.search.reads.blocks import Pairs, joined
from games.search.reads.runs import MOST, runs_to_merge

_SLICE: Final = 1_000
"""Blocks that are held in memory at a time, about."""
_OVERLAPPING = """
SELECT first, pairs FROM games_positionblock
WHERE run_id = %s AND first < %s AND first >= COALESCE(
    (SELECT first FROM games_positionblock WHERE run_id = %s AND first < %s ORDER BY first DESC, id DESC LIMIT 1), %s)
"""


def merge_runs(*, has_time: Callable[[], bool]) -> int:
    """Merge runs of about the same size while there are too many. :returns: the number of merges."""
    merged = 0
    while has_time() and _merge_some():
        merged += 1
    return merged


@transaction.atomic
def _merge_some() -> bool:
    runs = runs_to_merge() if is_free(LOCK) else []
    if runs:
        _merge(runs[:MOST])
    return bool(runs)


def _merge(runs: Sequence[PositionRun]) -> None:
    found = PositionRun.objects.filter(pk__in=[run.pk for run in runs])
    blocks = found.aggregate(count=Count("blocks"))["count"]
    merged, slices = add_run(sum(run.games for run in runs)), -(-blocks // _SLICE)
    edges = [(at << BITS) // max(slices, 1) for at in range(slices + 1)]
    for begin, end in pairwise(edges):
        pairs = set[int]()
        for run in runs:
            pairs.update(_joined(run.pk, range(begin, end)))
        add_blocks(merged, Pairs.of_joined(sorted(pairs)))
    found.delete()


def _joined(run: int, numbers: range) -> Iterator[int]:
    """Yield the pairs of a run whose numbers are in a range, each joined to one number."""
    with connection.cursor() as cursor:
        cursor.execute(_OVERLAPPING, [run, numbers.stop, run, numbers.start, numbers.start])
        for first, data in cursor:
            yield from joined(first, bytes(data), numbers)


__all__ = ["merge_runs"]
