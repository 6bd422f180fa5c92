"""What the list of games shows."""

from dataclasses import dataclass

from django.http import QueryDict

from games.models import Player
from games.selectors.games import GameFilter, list_games
from games.selectors.paging import Span
from games.selectors.players import find_player
from games.selectors.visibility import Viewer
from games.web.pages.rows import GameRow, rows_of

_MARKS = ("before", "after")


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of games."""

    rows: tuple[GameRow, ...]
    newer: str | None
    """The query that asks for the page with newer games."""
    older: str | None
    filtered: bool
    whose: str
    """The player whose games these are, when a number was asked for."""


def no_games() -> GamesPage:
    """Nothing, for questions that have no answer."""
    return GamesPage((), None, None, filtered=True, whose="")


def games_page(wanted: GameFilter, query: QueryDict, viewer: Viewer) -> GamesPage:
    """A page of games. :raises CursorError: when the query's mark is none."""
    page = list_games(wanted, Span(before=query.get("before", ""), after=query.get("after", "")), viewer)
    return GamesPage(
        rows=tuple(rows_of(page.rows)),
        newer=_query(query, after=page.newer) if page.newer else None,
        older=_query(query, before=page.older) if page.older else None,
        filtered=wanted != GameFilter(),
        whose=_whose(wanted.player, viewer),
    )


def _query(query: QueryDict, **marks: str) -> str:
    """The same question about another page."""
    other = query.copy()
    for name in (*_MARKS, *(name for name, values in query.lists() if not any(values))):
        other.pop(name, None)
    other.update(marks)
    return other.urlencode()


def _whose(player: str, viewer: Viewer) -> str:
    number = player.removeprefix("#")
    if number == player or not (number.isascii() and number.isdigit()):
        return ""
    try:
        return find_player(int(number), viewer).name
    except (Player.DoesNotExist, OverflowError):
        return ""
