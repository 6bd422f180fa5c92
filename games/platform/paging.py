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
_Read = Callable[[str], datetime | int]
"""Reads the first part of a mark."""
MARK = "([0-9]{1,17})-([0-9]{1,18})"
_MARK = re.compile(MARK)
"""Microseconds since 1970, up to the year 5138, or what else a list is sorted by, and a row's number."""


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
    return _page(rows, (moment, "pk"), span, _moment)


def most_first(rows: "QuerySet[M]", number: str, pk: str, span: Span) -> Page[M]:
    """Return the same by a whole number, the highest first, rows of the same number by an id.

    :param pk: the column that has the row's id and is indexed with the number.
    :raises CursorError: when the span's mark is none.
    """
    return _page(rows, (number, pk), span, int)


def _page(rows: "QuerySet[M]", columns: tuple[str, str], span: Span, read: _Read) -> Page[M]:
    upwards = bool(span.after)
    mark = span.after or span.before
    if mark:
        rows = rows.filter(_beyond(mark, columns, read, upwards=upwards))
    order = columns if upwards else tuple(f"-{column}" for column in columns)
    found = list(rows.order_by(*order)[: span.size + 1])
    more, found = len(found) > span.size, found[: span.size]
    if upwards:
        found.reverse()
    of_row: Callable[[Any], str] = lambda row: mark_of(getattr(row, columns[0]), row.pk)  # noqa: E731
    return Page(
        rows=found,
        newer=of_row(found[0]) if found and (more if upwards else bool(mark)) else None,
        older=of_row(found[-1]) if found and (True if upwards else more) else None,
    )


def beyond(mark: str, moment: str, *, upwards: bool) -> Q:
    """Return the rows after a mark, or those before it. :raises CursorError: when it is none."""
    return _beyond(mark, (moment, "pk"), _moment, upwards=upwards)


def _beyond(mark: str, columns: tuple[str, str], read: _Read, *, upwards: bool) -> Q:
    match = _MARK.fullmatch(mark)
    if match is None:
        raise CursorError(mark)
    # Both columns at once, so that the index finds the place even among a million games of one upload.
    compare = GreaterThan if upwards else LessThan
    return Q(compare(_row(*map(F, columns)), _row(Value(read(match[1])), Value(int(match[2])))))


def _row(*columns: F | Value) -> Func:
    return Func(*columns, function="ROW", output_field=BooleanField())


def mark_of(value: datetime | int, pk: int) -> str:
    """Return the mark of a row with a moment or a number."""
    return f"{value if isinstance(value, int) else (value - _EPOCH) // _MICROSECOND}-{pk}"


def _moment(microseconds: str) -> datetime:
    return _EPOCH + int(microseconds) * _MICROSECOND
