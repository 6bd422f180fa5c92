"""What the pages of leagues show."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.http import QueryDict
from django.urls import reverse

from games.holds.reads.holds import open_holds
from games.leagues.reads import ladders_of, list_leagues, may_run, newest_games, organisers_of, organises, with_games
from games.models import Ladder, League
from games.platform.roles import is_moderator
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import Viewer
from games.web.lists import Part, part_of
from games.web.moderation.cases import FlagCase, part_of_flags
from games.web.records.export import ExportLinks, export_links
from games.web.rows import GameRow, rows_of

_NEWEST = 20
"""Games listed."""


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A league in the list of all."""

    name: str
    url: str
    about: str
    games: int


@dataclass(frozen=True, slots=True)
class LeagueLadder:
    """A ladder of a league."""

    ruleset: str
    title: str
    players: int
    games: int


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """All that a league's page shows."""

    slug: str
    name: str
    url: str
    about: str
    since: datetime
    organisers: tuple[str, ...]
    ladders: tuple[LeagueLadder, ...]
    games: tuple[GameRow, ...]
    all_games: str
    """Where all of them are listed."""
    export: ExportLinks
    organises: bool
    """Whether the reader accepts games for it."""
    may_run: bool
    """Whether the reader may change what it is."""
    holds: Part[FlagCase]
    """Games that wait for an organiser, the oldest first; for those alone who may say."""
    waiting: int
    """How many wait in all."""


def league_rows(query: QueryDict) -> Part[LeagueRow]:
    """Return some of all leagues, by name."""
    return part_of("leagues", list_leagues(), _row, query)


def mine_of(reader: Viewer) -> tuple[LeagueRow, ...]:
    """Return the clubs of which the reader is a member, and for moderators those that nobody has reviewed."""
    if not reader.is_authenticated:
        return ()
    wanted = Q(club__members__account=reader.pk)
    if is_moderator(reader):
        wanted |= Q(club__isnull=False, club__listed_at=None)
    clubs = League.objects.filter(pk__in=League.objects.filter(wanted).values("pk"))
    return tuple(map(_row, with_games(clubs).order_by("name", "pk")[:_NEWEST]))


def _row(league: League) -> LeagueRow:
    return LeagueRow(league.name, league.get_absolute_url(), league.about, getattr(league, "games", 0))


def league_page(league: League, reader: Viewer, query: QueryDict) -> LeaguePage:
    """Return all that a league's page shows to a reader.

    :param query: of its address, which says which of the games that wait are listed.
    """
    holds = open_holds(league) if may_run(reader, league) else open_holds(league).none()
    return LeaguePage(
        slug=league.slug,
        name=league.name,
        url=league.get_absolute_url(),
        about=league.about,
        since=league.created_at,
        organisers=tuple(account.get_username() for account in organisers_of(league)),
        ladders=tuple(map(_ladder, ladders_of(league))),
        games=tuple(rows_of(newest_games(league, _NEWEST))),
        all_games=f"{reverse('games')}?league={league.slug}",
        export=export_links(league=league.slug),
        organises=organises(reader, league),
        may_run=may_run(reader, league),
        holds=part_of_flags("holds", holds, query),
        waiting=holds.count(),
    )


def _ladder(ladder: Ladder) -> LeagueLadder:
    title = ruleset_title(ladder.ruleset)
    return LeagueLadder(ladder.ruleset, title, ladder.players, ladder.games)
