"""Lists beside other things on a page: some rows at a time, each list with a page number of its own in the address."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import QueryDict

SIZE = 25
"""Rows at a time."""
_LAST = 10_000
"""No list is turned to farther than this page."""

M = TypeVar("M", bound=Model)
S = TypeVar("S")
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Part(Generic[S]):
    """Some rows of a list, and where those before and behind them are."""

    name: str
    rows: tuple[S, ...]
    previous: str | None
    next: str | None

    def __iter__(self) -> Iterator[S]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def part_of(name: str, found: "QuerySet[M] | tuple[M, ...]", show: Callable[[M], S], query: QueryDict) -> Part[S]:
    """Return the rows of a list that an address asks for, as they are shown.

    :param name: under which the address gives the page of this list, from 1.
    :param query: what else the address asks for, which the other pages of the list keep.
    """
    return _part(name, found, show, query)


def part_of_known(name: str, known: Sequence[K], show: Callable[[K], S], query: QueryDict) -> Part[S]:
    """Return the same for rows that are loaded already."""
    return _part(name, known, show, query)


def _part(name: str, found: Any, show: Callable[[Any], S], query: QueryDict) -> Part[S]:  # noqa: ANN401 (either)
    number = _number(query.get(name, ""))
    rows = tuple(found[(number - 1) * SIZE : number * SIZE + 1])
    return Part(
        name=name,
        rows=tuple(map(show, rows[:SIZE])),
        previous=_page(query, name, number - 1) if number > 1 else None,
        next=_page(query, name, number + 1) if len(rows) > SIZE and number < _LAST else None,
    )


def _page(query: QueryDict, name: str, number: int) -> str:
    """Return the address of a page of a list; the filters and choices of the page that shows it stay."""
    others = [(other, value) for other, values in query.lists() for value in values if other != name]
    return urlencode([*others, (name, number)])


def _number(asked: str) -> int:
    known = asked.isascii() and asked.isdigit() and len(asked) <= len(str(_LAST))
    return min(max(int(asked), 1), _LAST) if known else 1
