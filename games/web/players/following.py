"""What pages show of following: a player's button, and the players whom an account follows."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from games.models import Player
from games.players.reads.following import Followed, is_following, latest_first, with_newest
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import Viewer
from games.web.ladders.career import CareerRow, career_row
from games.web.lists import Part, part_of


@dataclass(frozen=True, slots=True)
class FollowButton:
    """What a player's page offers its reader."""

    action: str
    """Where the form is sent; empty for the reader's own player."""
    follows: bool
    sign_in: str
    """Where readers without an account sign in first; empty for others."""


@dataclass(frozen=True, slots=True)
class FollowedRow:
    """A player who is followed, with the newest rated game."""

    name: str
    source: str
    url: str
    action: str
    is_bot: bool
    since: datetime
    newest: CareerRow | None
    ruleset: str


def follow_button(player: Player, viewer: Viewer) -> FollowButton:
    """Return what a player's page offers its reader."""
    if not viewer.is_authenticated:
        onward = urlencode({"next": player.get_absolute_url()})
        return FollowButton("", follows=False, sign_in=f"{reverse('account_login')}?{onward}")
    own = player.rated_account_id == viewer.pk
    return FollowButton("" if own else _action(player), follows=is_following(player, viewer), sign_in="")


def followed_players(account: Viewer, query: QueryDict) -> Part[FollowedRow]:
    """Return some of the players whom an account follows: first those whose newest game counted last."""
    found = part_of("players", latest_first(account), lambda follow: follow, query)
    return Part(found.name, tuple(map(_row, with_newest(found.rows))), found.previous, found.next)


def newest_followed(account: Viewer, count: int) -> tuple[FollowedRow, ...]:
    """Return the first of the players whom an account follows."""
    return tuple(map(_row, with_newest(latest_first(account)[:count])))


def _row(followed: Followed) -> FollowedRow:
    player, newest = followed.player, followed.newest
    return FollowedRow(
        name=player.name,
        source=player.source,
        url=player.get_absolute_url(),
        action=_action(player),
        is_bot=player.is_bot,
        since=followed.follow.since,
        newest=career_row(player, newest) if newest else None,
        ruleset=ruleset_title(newest.ladder.ruleset) if newest else "",
    )


def _action(player: Player) -> str:
    return reverse("player-follow", args=[player.pk])
