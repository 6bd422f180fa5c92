"""What a player's page shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.registry import ruleset_by_slug
from games.clubs.reads.clubs import clubs_visible_to
from games.ladders.reads.careers import AnyEvent, Rival, best_rank, ladders_of, rivals
from games.ladders.reads.ladders import LeaderboardRow
from games.models import BestRank, By, DayLedger, DayRating, Ladder, Player
from games.platform.paging import Span
from games.platform.roles import is_moderator
from games.players.reads.directory import results_by_day, results_of
from games.players.reads.players import History, histories_of, namesakes, standings_of
from games.ratings.by_day import up_to_date
from games.records.reads.games import GameFilter, list_games
from games.records.reads.titles import ladder_title
from games.records.reads.visibility import Viewer
from games.web.boards import Drawn
from games.web.dates import plain_day
from games.web.ladders.chart import Estimate, along, chart, course
from games.web.ladders.form import PlaceShown, form_of
from games.web.ladders.lines import Control, LadderLink, RowShown, link_to, orders, shown_row
from games.web.links import Link, career_url, link_to_player, pair_url
from games.web.lists import Part, part_of
from games.web.persons import person
from games.web.players.claims import ClaimPanel, claim_panel
from games.web.players.following import FollowButton, follow_button
from games.web.players.playing import invitation_address
from games.web.players.together import TogetherShown, together_shown
from games.web.records.export import ExportLinks, export_links
from games.web.rows import GameRow, rows_of

_NEWEST = 10
"""Games listed."""
_FORM, _RIVALS = 10, 7
"""Games that say how somebody plays lately, and opponents listed."""
_HISTORY = 500
"""Games that the chart of a rating shows."""


@dataclass(frozen=True, slots=True)
class RecordShown:
    """A player's results in one ruleset."""

    ladder: LadderLink
    row: RowShown
    chart: Drawn | None
    """The course of the rating; none of a single game."""
    best: BestRank | None
    career: str
    """The page with all of it."""
    openings: str
    """How the player's games begin; empty for a game without openings."""
    by_day: DayLedger | None
    """What the ledger by day played is, where the chart is of it."""


@dataclass(frozen=True, slots=True)
class RivalShown:
    """A frequent opponent, and how often each finished ahead."""

    name: str
    picture: SafeString
    url: str
    both: str
    """The page of the two players."""
    games: int
    ahead: int
    level: int
    behind: int


@dataclass(frozen=True, slots=True)
class Opponents:
    """How somebody plays lately, and against whom, on the ladder where they play most."""

    form: tuple[PlaceShown, ...]
    ladder: str
    rivals: tuple[RivalShown, ...]


@dataclass(frozen=True, slots=True)
class Namesake:
    """A player of the same name from another source."""

    source: str
    url: str


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """All that the page shows."""

    name: str
    picture: SafeString
    source: str
    claimed: bool
    merged_into: Link | None
    """Whom the player was found to be, and as whose the games count."""
    by: By
    """By which order charts and form are shown."""
    orders: tuple[Control, ...]
    records: tuple[RecordShown, ...]
    opponents: Opponents
    together: TogetherShown | None
    """The games of the player and the reader."""
    clubs: tuple[Link, ...]
    """Ladders of clubs on which the player is ranked."""
    games: tuple[GameRow, ...]
    all_games: str | None
    """Where the rest of the games is listed, if there are more."""
    export: ExportLinks | None
    """Where all of them can be had."""
    namesakes: Part[Namesake]
    moderation: str | None
    """Where a moderator decides about the player; none for others."""
    panel: ClaimPanel
    """What the page offers its reader."""
    follow: FollowButton
    invitation: str
    """Where the reader opens a table for the player; empty for most."""


def player_page(player: Player, by: By, viewer: Viewer, query: QueryDict, *, now: datetime) -> PlayerPage:
    """Return all that a player's page shows, with charts and form by one of the orders."""
    standings = sorted(standings_of(player), key=lambda found: -found.standing.games)
    ladders = [found.standing.ladder for found in standings]
    ledgers = {ladder.pk: up_to_date(ladder, now=now) for ladder in ladders} if by == By.PLAYED else {}
    histories = {history.ruleset: history for history in histories_of(player, by, size=_HISTORY)}
    newest = list_games(GameFilter(player=f"#{player.pk}"), Span(size=_NEWEST), viewer)
    return PlayerPage(
        name=player.spelled,
        picture=person(player.pk, player.spelled, "large"),
        source=player.source,
        claimed=player.rated_account_id is not None,
        merged_into=link_to_player(player.merged_into) if player.merged_into else None,
        by=by,
        orders=orders(by, "result" if "result" in query else ""),
        records=tuple(_record(found, histories, by, ledgers.get(found.standing.ladder.pk)) for found in standings),
        opponents=_opponents(player, standings[0] if standings else None, by),
        together=together_shown(player, viewer),
        clubs=_clubs(player, viewer),
        games=tuple(rows_of(newest.rows)),
        all_games=f"{reverse('games')}?player=%23{player.pk}" if newest.older else None,
        export=export_links(player=f"#{player.pk}") if newest.rows else None,
        namesakes=part_of("namesakes", namesakes(player, viewer), _namesake, query),
        moderation=reverse("moderation-player", args=[player.pk]) if is_moderator(viewer) else None,
        panel=claim_panel(player, viewer),
        follow=follow_button(player, viewer),
        invitation=invitation_address(player, viewer),
    )


def _opponents(player: Player, most: LeaderboardRow | None, by: By) -> Opponents:
    newest = results_of([player], _FORM).get(player.pk, ()) if by == By.ACCEPTED else results_by_day(player, _FORM)
    form = form_of(newest)
    if most is None:
        return Opponents(form, "", ())
    ladder = most.standing.ladder
    found = rivals(player, ladder)[:_RIVALS]
    return Opponents(form, gettext(ruleset_by_slug(ladder.ruleset).title), tuple(_rival(player, one) for one in found))


def _rival(player: Player, found: Rival) -> RivalShown:
    met = found.player
    return RivalShown(
        name=met.name,
        picture=person(met.pk, met.name),
        url=met.get_absolute_url(),
        both=pair_url(player.pk, met.pk),
        games=found.games,
        ahead=found.before,
        level=found.level,
        behind=found.behind,
    )


def _namesake(other: Player) -> Namesake:
    return Namesake(other.source, other.get_absolute_url())


def _record(found: LeaderboardRow, histories: Mapping[str, History], by: By, by_day: DayLedger | None) -> RecordShown:
    ruleset = ruleset_by_slug(found.standing.ladder.ruleset)
    line, history = shown_row(ruleset, found), histories.get(ruleset.slug)
    ladder, standing = link_to(ruleset), found.standing
    title = gettext("Strength of {player}: {ruleset}, game by game").format(player=line.name, ruleset=ladder.title)
    events = history.events if history else []
    drawing = _chart(events, title) if len(events) > 1 else None
    career = career_url(standing.player_id, standing.ladder, by)
    openings = f"{reverse('opening', args=[ruleset.slug])}?player=%23{standing.player_id}" if ruleset.openings else ""
    return RecordShown(ladder, line, drawing, best_rank(standing.player, standing.ladder), career, openings, by_day)


def _chart(events: Sequence[AnyEvent], title: str) -> Drawn:
    """Draw strength, game by game, or along the days on which they were played."""
    line = [Estimate(event.mu, event.sigma) for event in events]
    days = [event.day for event in events if isinstance(event, DayRating)]
    if not days:
        return chart(line, title)
    return course(line, along([day.toordinal() for day in days]), title, ends=[plain_day(days[0]), plain_day(days[-1])])


def _clubs(player: Player, viewer: Viewer) -> tuple[Link, ...]:
    ladders = [ladder for ladder in ladders_of(player) if ladder.club_id]
    seen = set(
        clubs_visible_to(viewer).filter(pk__in=[ladder.club_id for ladder in ladders]).values_list("pk", flat=True)
    )
    return tuple(_club(player, ladder) for ladder in ladders if ladder.club_id in seen)


def _club(player: Player, ladder: Ladder) -> Link:
    return Link(ladder_title(ladder), career_url(player.pk, ladder))
