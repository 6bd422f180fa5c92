"""What the directory of players shows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.registry import RULESETS
from games.clubs.reads.clubs import list_clubs
from games.ladders.reads.ladders import LeaderboardRow
from games.players.reads.directory import DirectoryQuery, DirectoryRow, directory
from games.records.reads.visibility import Viewer
from games.web.ladders.form import PlaceShown, form_of
from games.web.ladders.lines import LadderLink, link_to
from games.web.parameters import number_from, text_from
from games.web.persons import person

_DAYS = (30, 365)
"""The choices of days within which a player has played."""
_LONGEST = 64
_DIGITS = 16
"""Of a player's number: those of private players are long."""


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating in one ruleset; none is shown as a dash."""

    title: str
    """Of the ruleset."""
    rating: int
    rank: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player's line."""

    name: str
    picture: SafeString
    source: str
    url: str
    is_bot: bool
    claimed: bool
    ratings: tuple[RatingShown | None, ...]
    """In the order of the rulesets."""
    games: int
    """That count, on the site's ladders."""
    form: tuple[PlaceShown, ...]
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a list to choose from."""

    value: str
    title: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class DirectoryPage:
    """All that the directory shows."""

    beginning: str
    ladders: tuple[LadderLink, ...]
    rulesets: tuple[Choice, ...]
    clubs: tuple[Choice, ...]
    active: tuple[Choice, ...]
    rows: tuple[PlayerRow, ...]
    filtered: bool
    first: str
    """The query of the first page; empty on that."""
    next: str


def directory_page(query: QueryDict, viewer: Viewer, *, now: datetime) -> DirectoryPage:
    """Return all that the directory shows."""
    said = {name: text_from(query, name)[:_LONGEST] for name in ("q", "ruleset", "club", "active")}
    beginning, ruleset, club, active = said.values()
    days = int(active) if active in map(str, _DAYS) else 0
    after = number_from(query, "after", digits=_DIGITS)
    since = now - timedelta(days=days) if days else None
    found = directory(DirectoryQuery(beginning.strip(), ruleset, club, since, after), viewer)
    kept = {name: value for name, value in said.items() if value}
    ladders = tuple(link_to(one) for one in RULESETS)
    return DirectoryPage(
        beginning=beginning,
        ladders=ladders,
        rulesets=tuple(Choice(one.slug, one.title, one.slug == ruleset) for one in ladders),
        clubs=tuple(Choice(one.slug, one.name, one.slug == club) for one in list_clubs()),
        active=tuple(Choice(str(one), str(one), one == days) for one in _DAYS),
        rows=tuple(map(_row, found.rows)),
        filtered=bool(kept),
        first=urlencode(kept) or "q=" if after else "",
        next=urlencode({**kept, "after": found.following}) if found.following else "",
    )


def _row(found: DirectoryRow) -> PlayerRow:
    player, standings = found.player, found.standings
    return PlayerRow(
        name=player.name,
        picture=person(player.pk, player.name),
        source=player.source,
        url=player.get_absolute_url(),
        is_bot=player.is_bot,
        claimed=player.account_id is not None,
        ratings=tuple(_rating(gettext(one.title), standings.get(one.slug)) for one in RULESETS),
        games=sum(row.standing.games for row in standings.values()),
        form=form_of(found.results),
        last=found.results[-1].at if found.results else None,
    )


def _rating(title: str, row: LeaderboardRow | None) -> RatingShown | None:
    return RatingShown(title, row.rating, row.rank, row.provisional is not None) if row else None
