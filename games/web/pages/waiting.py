"""The games that wait for an account's word."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from games.selectors.consent import games_waiting
from games.selectors.paging import Span
from games.web.pages.rows import GameRow, rows_of

_SIZE = 50
"""Games on a page; so many can be confirmed at once."""
_FEW = 5
"""Games on the account's first page."""


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """Some of the games that wait for one's word."""

    rows: tuple[GameRow, ...]
    newer: str | None
    older: str | None


def waiting_page(account: int, query: QueryDict, *, now: datetime) -> WaitingPage:
    """A page of them. :raises CursorError: when the query's mark is none."""
    return _page(account, Span(query.get("before", ""), query.get("after", ""), _SIZE), now)


def first_waiting(account: int, *, now: datetime) -> WaitingPage:
    """The newest ones."""
    return _page(account, Span(size=_FEW), now)


def _page(account: int, span: Span, now: datetime) -> WaitingPage:
    page = games_waiting(account, span, now=now)
    return WaitingPage(tuple(rows_of(page.rows)), page.newer, page.older)
