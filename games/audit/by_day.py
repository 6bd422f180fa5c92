"""Comparison of the ledgers by day played with the ledger by order of acceptance and the dates of games."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from games.audit.flaws import DAY_LEDGER, DAY_RATING, Flaw, compare
from games.models import DayLedger, Ladder
from games.ratings.by_day import COLUMNS, counts_of, due_rows, stored_rows
from games.ratings.reads.by_day import due_params


def compare_ledgers_by_day() -> Iterator[Flaw]:
    """Yield what differs; call it within a transaction.

    A ledger whose games got other dates since it was computed is left out: it is computed again by itself.
    """
    for ledger in DayLedger.objects.filter(stale=False, made_at__isnull=False).select_related("ladder__club"):
        yield from _compare(ledger, ledger.ladder)


def _compare(ledger: DayLedger, ladder: Ladder) -> Iterator[Flaw]:
    params = due_params(ladder, ledger.upto)
    due = counts_of(params)
    yield from compare(DAY_LEDGER, {"ladder": ladder.pk}, {name: getattr(ledger, name) for name in due}, due)
    for stored, expected in zip_longest(stored_rows(ladder), due_rows(params)):
        if stored != expected:
            yield from _differences(ladder, stored, expected)


def _differences(ladder: Ladder, stored: tuple[Any, ...] | None, due: tuple[Any, ...] | None) -> Iterator[Flaw]:
    here, there = (dict(zip(COLUMNS, one, strict=True)) if one else None for one in (stored, due))
    one = here or there or {}
    where = {"ladder": ladder.pk, "position": one["position"], "seat": one["seat"]}
    if here and there:
        yield from compare(DAY_RATING, where, here, there)
    else:
        yield Flaw(DAY_RATING, where, here, there)
