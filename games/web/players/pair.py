"""What the page of two players shows: their score, by seat, and their games."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.registry import ruleset_by_slug
from games.models import Game, Player
from games.platform.paging import Page, Span
from games.players.reads.together import Pair, RulesetScore, Score, asked_of_both, score_of_both
from games.records.reads.sorting import NEWEST
from games.records.reads.visibility import Viewer
from games.search.reads.listing import games_found
from games.search.reads.positions import games_of
from games.web.labels import COLOURS, TURNS, Label
from games.web.links import pair_url
from games.web.persons import person
from games.web.records.export import ExportLinks, export_links
from games.web.records.filter_form import PairFilterForm
from games.web.records.sequences import SequenceShown, sequence_shown, without_sort
from games.web.rows import GameRow, rows_of


@dataclass(frozen=True, slots=True)
class SideShown:
    """One of the two."""

    name: str
    picture: SafeString
    url: str


@dataclass(frozen=True, slots=True)
class SeatShown:
    """How often the first finished ahead, level and behind at one seat."""

    label: Label
    score: Score


@dataclass(frozen=True, slots=True)
class RulesetShown:
    """The games of one ruleset."""

    title: str
    score: Score
    seats: tuple[SeatShown, ...]
    """By when the first acts, and by colour."""


@dataclass(frozen=True, slots=True)
class PairPage:
    """All that the page shows."""

    first: SideShown
    second: SideShown
    turned: str
    """The same page as the second has the score."""
    score: Score
    rulesets: tuple[RulesetShown, ...]
    sequence: SequenceShown
    rows: tuple[GameRow, ...]
    newer: str | None
    older: str | None
    filtered: bool
    here: str
    more: str
    """The same games in the list of all games, with its other filters."""
    export: ExportLinks | None


_NO_SCORE = Pair(Score(0, 0, 0), ())
_NO_GAMES: Page[Game] = Page([], None, None)


def pair_page(player: Player, opponent: Player, form: PairFilterForm, query: QueryDict, viewer: Viewer) -> PairPage:
    """Return all that the page of two players shows; without games where the form has errors.

    :raises CursorError: when the page mark in the query is invalid.
    :raises OpeningError: when there cannot be an opening like the one asked for.
    :raises PositionError: when the position that the games should have reached does not exist.
    :raises TooSlowError: when the games are not found in time.
    """
    both, said = asked_of_both(player, opponent), form.said
    pair, games = _NO_SCORE, _NO_GAMES
    if not form.errors:
        wanted = games_of({**form.cleaned_data, **both}, viewer)
        pair = score_of_both(player, opponent, wanted, viewer)
        games = games_found(wanted, Span(before=query.get("before", ""), after=query.get("after", "")), viewer)
    return PairPage(
        first=_side(player),
        second=_side(opponent),
        turned=_with(pair_url(opponent.pk, player.pk), said),
        score=pair.score,
        rulesets=tuple(map(_ruleset, pair.rulesets)),
        sequence=sequence_shown(said, form.cleaned_data.get("sort") or NEWEST),
        rows=tuple(rows_of(games.rows)),
        newer=urlencode({**said, "after": games.newer}) if games.newer else None,
        older=urlencode({**said, "before": games.older}) if games.older else None,
        filtered=bool(said),
        here=pair_url(player.pk, opponent.pk),
        more=_with(reverse("games"), both | said),
        export=export_links(**both, **without_sort(said)) if games.rows else None,
    )


def _side(player: Player) -> SideShown:
    return SideShown(player.spelled, person(player.pk, player.spelled, "large"), player.get_absolute_url())


def _with(address: str, query: dict[str, str]) -> str:
    return f"{address}?{urlencode(query)}" if query else address


def _ruleset(found: RulesetScore) -> RulesetShown:
    ruleset = ruleset_by_slug(found.ruleset)
    turns = [SeatShown(TURNS[int(seat)], score) for seat, score in found.by_turn]
    colours = [SeatShown(COLOURS.get(ruleset.seat(seat).colour, seat), score) for seat, score in found.by_seat]
    return RulesetShown(gettext(ruleset.title), found.score, (*turns, *colours))
