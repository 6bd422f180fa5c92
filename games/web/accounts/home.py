"""What an account's home shows: what waits for it, its ratings and games, and whom it follows."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse

from engine.agn.names import name_key
from engine.registry import ruleset_by_slug
from games.clubs.reads.clubs import clubs_of, organised_by, with_next_days
from games.consent.reads.eligibility import players_of
from games.holds.reads.holds import open_holds
from games.ladders.reads.careers import rivals
from games.ladders.reads.own import OwnRating, own_ratings
from games.models import Claim, Player, Upload
from games.moderation.reads.pending import Pending, pending_for
from games.platform.roles import is_moderator
from games.players.reads.claims import claims_of, may_claim
from games.playing.reads.people import Person
from games.records.reads.games import games_of_players
from games.web.boards import Drawn
from games.web.consent.waiting import ToSettle, WaitingPage, first_to_settle, first_waiting
from games.web.invitations.pages import MadeRow, unanswered
from games.web.invitations.panel import asks_who
from games.web.labels import Change
from games.web.ladders.lines import LadderLink, RowShown, link_to, shown_row
from games.web.ladders.small_chart import small_chart
from games.web.links import Link, link_to_player
from games.web.play.lobby import TableRow, tables_of
from games.web.players.claims import ClaimShown, asked_claims
from games.web.players.following import FollowedRow, newest_followed
from games.web.rows import GameRow, rows_of

_APPROVED_LATER = Q(state=Claim.State.OPEN, approved_from__isnull=False, contested_at=None)
_COURSE, _LATELY = timedelta(days=365), timedelta(days=30)
_GAMES, _FOLLOWED, _MET, _NAMESAKES = 6, 6, 3, 3


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for the account, or for others because of it."""

    counts: Pending
    games: WaitingPage
    """Some of the games that the account can confirm."""
    to_settle: ToSettle
    """Games of which the account is asked who played them."""
    claims: tuple[ClaimShown, ...]
    """The claims that it has to decide, or may contest, some of them."""
    clubs: tuple[Link, ...]
    """The clubs in which games wait for it."""
    invited: tuple[MadeRow, ...]
    """Its newest invitations that nobody has used yet: those for whose answer its games wait."""
    turns: tuple[TableRow, ...]
    """The tables at which it is the account's turn, or to which it is invited."""
    unsaid: str
    """The newest upload, if it asks which of its names is the account's; empty if not."""
    moderates: bool

    @property
    def is_nothing(self) -> bool:
        """Return whether nothing waits for the account itself."""
        asked = self.games.rows or self.to_settle.rows or self.claims or self.clubs or self.turns
        return not (asked or self.unsaid or self.counts.moderation)


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating of the account's, and how it came about."""

    ladder: LadderLink
    row: RowShown
    chart: Drawn | None
    """None without a game within a year."""
    change: Change
    """Of the strength, within thirty days."""


@dataclass(frozen=True, slots=True)
class ClubShown:
    """A club of the account's, and when it meets next."""

    name: str
    url: str
    next_day: date | None


@dataclass(frozen=True, slots=True)
class HomePage:
    """All that the page shows."""

    name: str
    since: datetime
    waiting: Waiting
    ratings: tuple[RatingShown, ...]
    games: tuple[GameRow, ...]
    all_games: str
    """Where the rest of the games is listed; empty without a player of one's own."""
    followed: tuple[FollowedRow, ...]
    met: tuple[Link, ...]
    """Players whom the account has met most often, while it follows nobody."""
    clubs: tuple[ClubShown, ...]
    claimed: Claim | None
    """While no game is listed: the newest claim of the account that is approved unless somebody contests it."""
    namesake: Link | None
    """A player of the account's own name, claimed neither by it before nor by others, while it has no games."""


def home_page(user: User, person: Person, *, now: datetime) -> HomePage:
    """Return all that an account's home shows.

    :param person: the account as who sits at tables, which may be as the guest that it was before.
    """
    ratings, players = own_ratings(user.pk, since=now - _COURSE), players_of(user.pk)
    games = games_of_players(players, user, _GAMES)
    followed = newest_followed(user, _FOLLOWED)
    return HomePage(
        name=user.username,
        since=user.date_joined,
        waiting=_waiting(user, person, now),
        ratings=tuple(_rating(one, now) for one in ratings),
        games=tuple(rows_of(games)),
        all_games=f"{reverse('games')}?player=%23{players[0]}" if len(players) == 1 else "",
        followed=followed,
        met=() if followed else _met(ratings),
        clubs=_clubs(user, now),
        claimed=None if games else claims_of(user).filter(_APPROVED_LATER).first(),
        namesake=None if games else _namesake(user),
    )


def _clubs(user: User, now: datetime) -> tuple[ClubShown, ...]:
    clubs: Any = with_next_days(clubs_of(user), now=now)
    return tuple(ClubShown(club.name, club.get_absolute_url(), club.next_day) for club in clubs)


def _namesake(user: User) -> Link | None:
    named = Player.objects.filter(name=name_key(user.username), account=None, merged_into=None).exclude(
        claims__account=user
    )
    return next((link_to_player(one) for one in named.order_by("pk")[:_NAMESAKES] if may_claim(one, user)), None)


def _waiting(user: User, person: Person, now: datetime) -> Waiting:
    held = organised_by(user).filter(Exists(open_holds(OuterRef("pk"))))
    return Waiting(
        counts=pending_for(user, now=now),
        games=first_waiting(user.pk, now=now),
        to_settle=first_to_settle(user.pk),
        claims=asked_claims(user),
        clubs=tuple(Link(club.name, club.get_absolute_url()) for club in held),
        invited=unanswered(user, now=now),
        turns=tuple(row for row in tables_of(person, now=now) if row.my_turn or row.invited),
        unsaid=_unsaid(user),
        moderates=is_moderator(user),
    )


def _unsaid(user: User) -> str:
    newest = Upload.objects.filter(uploader=user, dry_run=False).order_by("-received_at", "-pk").first()
    return newest.get_absolute_url() if newest and asks_who(newest, user) else ""


def _rating(own: OwnRating, now: datetime) -> RatingShown:
    ruleset = ruleset_by_slug(own.row.standing.ladder.ruleset)
    course = [(event.acceptance.accepted_at or event.at, round(event.mu)) for event in own.events]
    lately = [event for event, (at, _) in zip(own.events, course, strict=True) if at >= now - _LATELY]
    since = now - _COURSE
    return RatingShown(
        ladder=link_to(ruleset),
        row=shown_row(ruleset, own.row),
        chart=small_chart(course, round(own.events[0].mu_before), since, now) if own.events else None,
        change=Change(lately[-1].mu - lately[0].mu_before if lately else 0),
    )


def _met(ratings: list[OwnRating]) -> tuple[Link, ...]:
    """Return whom the account has met most often where it plays most."""
    if not ratings:
        return ()
    line = ratings[0].row.standing
    return tuple(link_to_player(one.player) for one in rivals(line.player, line.ladder)[:_MET])
