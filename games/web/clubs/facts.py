"""What the pages of a club show about the club: ladders, games, and what waits."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.urls import reverse

from engine.words import render
from games.clubs.reads.accepted import ladders_of, newest_games
from games.clubs.reads.clubs import (
    clubs_of,
    clubs_to_review,
    list_clubs,
    may_run,
    organisers_of,
    organises,
    with_games,
)
from games.clubs.reads.news import attempts_of, webhook_of
from games.holds.reads.holds import open_holds
from games.models import Club, Ladder
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.web.lists import Part, part_of
from games.web.moderation.cases import FlagCase, part_of_flags
from games.web.records.export import ExportLinks, export_links
from games.web.rows import GameRow, rows_of

_NEWEST = 20
"""Games listed."""


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club in the list of all."""

    name: str
    url: str
    about: str
    meets: str
    members: int
    games: int


@dataclass(frozen=True, slots=True)
class ClubLadder:
    """A ladder of a club."""

    ruleset: str
    title: str
    players: int
    games: int


@dataclass(frozen=True, slots=True)
class ClubFacts:
    """What a club is, with its ladders and newest games."""

    slug: str
    name: str
    url: str
    about: str
    since: datetime
    organisers: tuple[str, ...]
    ladders: tuple[ClubLadder, ...]
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


def club_rows(query: QueryDict) -> Part[ClubRow]:
    """Return a page of the listed clubs, by name."""
    return part_of("clubs", list_clubs(), _row, query)


def mine_of(reader: Viewer) -> tuple[ClubRow, ...]:
    """Return the clubs of which the reader is a member."""
    return tuple(map(_row, with_games(clubs_of(reader))[:_NEWEST])) if reader.is_authenticated else ()


def to_review(reader: Viewer, query: QueryDict) -> Part[ClubRow]:
    """Return a page of the clubs that wait for review; none for readers who are not moderators."""
    return part_of("review", with_games(clubs_to_review(reader)), _row, query)


@dataclass(frozen=True, slots=True)
class AttemptShown:
    """An attempt to send news."""

    at: datetime
    status: int | None
    sentence: str


@dataclass(frozen=True, slots=True)
class WebhookShown:
    """Where a club's news is sent."""

    url: str
    form: str
    attempts: tuple[AttemptShown, ...]


def webhook_shown(club: Club) -> WebhookShown | None:
    """Return where a club's news is sent, and the latest attempts."""
    webhook = webhook_of(club)
    if webhook is None:
        return None
    tried = (
        AttemptShown(one.at, one.status, render(one.template, one.params, translated)) for one in attempts_of(webhook)
    )
    return WebhookShown(webhook.url, webhook.form, tuple(tried))


def _row(club: Club) -> ClubRow:
    counted = {"members": getattr(club, "people", 0), "games": getattr(club, "games", 0)}
    return ClubRow(name=club.name, url=club.get_absolute_url(), about=club.about, meets=club.meets, **counted)


def club_facts(club: Club, reader: Viewer, query: QueryDict) -> ClubFacts:
    """Return what a club's page shows a reader about the club.

    :param query: the query of the page's address; it selects which waiting games are listed.
    """
    holds = open_holds(club) if may_run(reader, club) else open_holds(club).none()
    return ClubFacts(
        slug=club.slug,
        name=club.name,
        url=club.get_absolute_url(),
        about=club.about,
        since=club.created_at,
        organisers=tuple(account.get_username() for account in organisers_of(club)),
        ladders=tuple(map(_ladder, ladders_of(club))),
        games=tuple(rows_of(newest_games(club, _NEWEST))),
        all_games=f"{reverse('games')}?club={club.slug}",
        export=export_links(club=club.slug),
        organises=organises(reader, club),
        may_run=may_run(reader, club),
        holds=part_of_flags("holds", holds, query),
        waiting=holds.count(),
    )


def _ladder(ladder: Ladder) -> ClubLadder:
    title = ruleset_title(ladder.ruleset)
    return ClubLadder(ladder.ruleset, title, ladder.players, ladder.games)
