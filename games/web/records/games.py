"""What the list of games shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext

from games.clubs.reads.clubs import find_club
from games.models import Club
from games.models.records import VerdictKind
from games.platform.paging import Span
from games.records.reads.games import GameFilter
from games.records.reads.visibility import Viewer
from games.search.reads.listing import games_found
from games.search.reads.openings import named_opening
from games.search.reads.positions import games_of
from games.search.reads.progress import progress_of
from games.sentences import translated
from games.web.links import Link, name_asked_for
from games.web.records.export import ExportLinks, export_links
from games.web.records.filter_form import GameFilterForm
from games.web.records.sequences import SequenceShown, sequence_shown, without_sort
from games.web.rows import GameRow, rows_of


@dataclass(frozen=True, slots=True)
class PositionLink:
    """A position of a game."""

    key: str
    ply: str
    url: str


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of games."""

    rows: tuple[GameRow, ...]
    newer: str | None
    """The query that asks for the page with newer games."""
    older: str | None
    filtered: bool
    whose: str
    """The player whose games these are, when a number was asked for, or the club that accepted them."""
    export: ExportLinks | None
    """Where they can be had; none where there are none."""
    sequence: SequenceShown | None = None
    """How they are sorted; none where there are none."""
    position: PositionLink | None = None
    """The position that they reached, if one was asked for."""
    opening: Link | None = None
    """The opening with which they began, if one was asked for."""
    progress: int | None = None
    """How much of the index is built, in percent; none where all of them are found."""


def no_games() -> GamesPage:
    """Return an empty page, for a filter that cannot match."""
    return GamesPage((), None, None, filtered=True, whose="", export=None)


def games_page(asked: Mapping[str, Any], query: QueryDict, viewer: Viewer) -> GamesPage:
    """Return a page of games.

    :param asked: the validated form.
    :raises CursorError: when the page mark in the query is invalid.
    :raises OpeningError: when there cannot be an opening like the one asked for.
    :raises PositionError: when the position that the games should have reached does not exist.
    :raises TooSlowError: when the games are not found in time.
    """
    wanted, said = games_of(asked, viewer), _said(query)
    page = games_found(wanted, Span(before=query.get("before", ""), after=query.get("after", "")), viewer)
    return GamesPage(
        rows=tuple(rows_of(page.rows)),
        newer=_query(query, after=page.newer) if page.newer else None,
        older=_query(query, before=page.older) if page.older else None,
        filtered=wanted != GameFilter(),
        sequence=sequence_shown(said, wanted.sort),
        position=_position(asked.get("position", "")),
        opening=_opening(asked.get("opening", "")),
        progress=progress_of(asked),
        whose=_club(wanted.club) or name_asked_for(wanted.player, viewer),
        export=export_links(**without_sort(said)) if page.rows and wanted.verdict != VerdictKind.REJECTED else None,
    )


def _position(written: str) -> PositionLink | None:
    key, _, ply = written.partition(":")
    return PositionLink(key, ply, f"{reverse('game', args=[key])}?ply={ply}&closer") if written else None


def _opening(named: str) -> Link | None:
    if not named:
        return None
    opening = named_opening(named)
    url = f"{reverse('opening', args=[opening.ruleset.slug])}?{urlencode({'opening': opening.written})}"
    return Link(f"{gettext(opening.ruleset.title)}: {opening.steps[-1].sentence.render(translated)}", url)


def _query(query: QueryDict, **marks: str) -> str:
    """Return the query for another page of the same filter."""
    return urlencode(_said(query) | marks)


def _said(query: QueryDict) -> dict[str, str]:
    """Return the filter's parameters, without empty ones and without what does not filter."""
    return {name: query[name] for name in query if query.get(name) and name in GameFilterForm.base_fields}  # type: ignore[misc] # words


def _club(slug: str) -> str:
    try:
        return find_club(slug).name if slug else ""
    except Club.DoesNotExist:
        return ""
