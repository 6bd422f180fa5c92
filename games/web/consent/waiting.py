"""The games that wait for an account's confirmation."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from games.consent.reads.challenges import seatings_to_settle
from games.consent.reads.eligibility import games_waiting
from games.platform.paging import Span
from games.web.rows import GameRow, rows_of

_SIZE = 50
"""Games on a page; so many can be confirmed at once."""
_FEW = 5
"""Games on the account's first page."""


@dataclass(frozen=True, slots=True)
class ToSettle:
    """Some of the games of which one is asked who played them."""

    rows: tuple[GameRow, ...]
    newer: str | None
    older: str | None


def to_settle(account: int, query: QueryDict) -> ToSettle:
    """Return a page of them. :raises CursorError: when the query's mark is none."""
    span = Span(query.get("seatings_before", ""), query.get("seatings_after", ""), _SIZE)
    return _to_settle(account, span)


def first_to_settle(account: int) -> ToSettle:
    """Return the newest ones."""
    return _to_settle(account, Span(size=_FEW))


def _to_settle(account: int, span: Span) -> ToSettle:
    page = seatings_to_settle(account, span)
    return ToSettle(tuple(rows_of(page.rows)), page.newer, page.older)


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """Some of the games that the reader can confirm."""

    rows: tuple[GameRow, ...]
    newer: str | None
    older: str | None


def waiting_page(account: int, query: QueryDict, *, now: datetime) -> WaitingPage:
    """Return a page of them. :raises CursorError: when the query's mark is none."""
    return _page(account, Span(query.get("before", ""), query.get("after", ""), _SIZE), now)


def first_waiting(account: int, *, now: datetime) -> WaitingPage:
    """Return the newest ones."""
    return _page(account, Span(size=_FEW), now)


def _page(account: int, span: Span, now: datetime) -> WaitingPage:
    page = games_waiting(account, span, now=now)
    return WaitingPage(tuple(rows_of(page.rows)), page.newer, page.older)
