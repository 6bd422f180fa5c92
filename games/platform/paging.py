"""Keyset paging: a page begins where the previous one ended, at any depth."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db.models import BooleanField, F, Func, Model, Q, QuerySet, Value
from django.db.models.lookups import GreaterThan, LessThan

from engine.words import marked, render

M = TypeVar("M", bound=Model)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
MARK = "([0-9]{1,17})-([0-9]{1,18})"
_MARK = re.compile(MARK)
"""Microseconds since 1970, up to the year 5138, and a row's number."""


class CursorError(ValueError):
    """A page mark that this service did not make."""

    template = marked("{mark!r} is not a page of this list.")

    def __init__(self, mark: str) -> None:
        self.params = {"mark": mark[:40]}
        super().__init__(render(self.template, self.params))


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Some rows, and the marks by which the pages before and after are asked for."""

    rows: Sequence[M]
    newer: str | None
    older: str | None


@dataclass(frozen=True, slots=True)
class Span:
    """Which page is wanted: the rows before a mark, those after one, or the first ones."""

    before: str = ""
    after: str = ""
    size: int = 50


def newest_first(rows: "QuerySet[M]", moment: str, span: Span) -> Page[M]:
    """Return a page of rows by a moment, newest first, rows of the same moment by their id.

    :raises CursorError: when the span's mark is none.
    """
    upwards = bool(span.after)
    mark = span.after or span.before
    if mark:
        rows = rows.filter(beyond(mark, moment, upwards=upwards))
    order = (moment, "pk") if upwards else (f"-{moment}", "-pk")
    found = list(rows.order_by(*order)[: span.size + 1])
    more, found = len(found) > span.size, found[: span.size]
    if upwards:
        found.reverse()
    of_row: Callable[[Any], str] = lambda row: mark_of(getattr(row, moment), row.pk)  # noqa: E731
    return Page(
        rows=found,
        newer=of_row(found[0]) if found and (more if upwards else bool(mark)) else None,
        older=of_row(found[-1]) if found and (True if upwards else more) else None,
    )


def beyond(mark: str, moment: str, *, upwards: bool) -> Q:
    """Return the rows after a mark, or those before it. :raises CursorError: when it is none."""
    at, pk = _read(mark)
    # Both columns at once, so that the index finds the place even among a million games of one upload.
    compare = GreaterThan if upwards else LessThan
    return Q(compare(_row(F(moment), F("pk")), _row(Value(at), Value(pk))))


def _row(*columns: F | Value) -> Func:
    return Func(*columns, function="ROW", output_field=BooleanField())


def mark_of(at: datetime, pk: int) -> str:
    """Return the mark of a row."""
    return f"{(at - _EPOCH) // _MICROSECOND}-{pk}"


def _read(mark: str) -> tuple[datetime, int]:
    match = _MARK.fullmatch(mark)
    if match is None:
        raise CursorError(mark)
    return _EPOCH + int(match[1]) * _MICROSECOND, int(match[2])
