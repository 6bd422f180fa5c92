"""Atom feeds: the newest games of everybody, of a player, and of a leaderboard."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.scene import xml_text
from games.ladders.reads.ladders import find_ladder_of
from games.lookup import club_or_site, player_or_404, ruleset_or_404
from games.models import Acceptance, Game, Ladder, Player
from games.platform.paging import Span
from games.records.reads.embedding import title_of
from games.records.reads.games import GameFilter, list_games, with_seats
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import NOBODY
from games.web.filters import only
from games.web.links import leaderboard_url
from games.web.rows import GameRow, row_of

if TYPE_CHECKING:
    _Feed = Feed[Game, Any]
else:
    _Feed = Feed  # it takes no types when it runs

_MOST = 30
"""Games in a feed."""


class GamesFeed(_Feed):
    """The newest games of everybody. A feed shows everybody what strangers may see."""

    feed_type = Atom1Feed

    def title(self, _of: object) -> str:
        """Return the feed's title."""
        return gettext("New games on Atta")

    def link(self, _of: object) -> str:
        """Return the page with the same games."""
        return settings.SITE_URL + reverse("games")

    def feed_url(self, _of: object) -> str:
        """Return the feed's own address, which no request's host changes."""
        return settings.SITE_URL + reverse("games-feed")

    def items(self, _of: object) -> Iterable[Game]:
        """Return the games."""
        return list_games(GameFilter(), Span(size=_MOST), NOBODY).rows

    def item_title(self, item: Game) -> str:
        """Return who played."""
        return xml_text(title_of(item))

    def item_description(self, item: Game) -> str:
        """Return which game it was, its verdict and the places."""
        return xml_text(_said(row_of(item)))

    def item_link(self, item: Game) -> str:
        """Return the game's page."""
        return settings.SITE_URL + item.get_absolute_url()

    def item_guid(self, item: Game) -> str:
        """Return what stays the same of a game."""
        return settings.SITE_URL + item.get_absolute_url()

    def item_pubdate(self, item: Game) -> datetime:
        """Return when it was uploaded."""
        return item.received_at

    item_updateddate = item_pubdate


class PlayerFeed(GamesFeed):
    """The newest games of a player."""

    def get_object(self, request: HttpRequest, pk: int) -> Player:
        """Return the player."""
        return player_or_404(request, pk)

    def title(self, of: object) -> str:
        """Return the feed's title."""
        assert isinstance(of, Player)  # noqa: S101 - for the types
        return gettext("Games of {player}").format(player=xml_text(of.name))

    def link(self, of: object) -> str:
        """Return the player's page."""
        assert isinstance(of, Player)  # noqa: S101 - for the types
        return settings.SITE_URL + of.get_absolute_url()

    def feed_url(self, of: object) -> str:
        """Return the feed's own address."""
        return f"{self.link(of)}games.atom"

    def items(self, of: object) -> Iterable[Game]:
        """Return the games."""
        assert isinstance(of, Player)  # noqa: S101 - for the types
        return list_games(GameFilter(player=f"#{of.pk}"), Span(size=_MOST), NOBODY).rows


class LeaderboardFeed(GamesFeed):
    """The newest games that count for a leaderboard, of the whole site or of a club."""

    def get_object(self, _request: HttpRequest, slug: str, club: str = "") -> tuple[str, str, Ladder | None]:
        """Return the leaderboard: its title, its page, and its ladder, if anything has counted yet."""
        ruleset, of = ruleset_or_404(slug), club_or_site(club)
        title = ruleset_title(ruleset.slug)
        title = f"{of.name}: {title}" if of else title
        return title, leaderboard_url(ruleset.slug, of), find_ladder_of(ruleset.slug, club)

    def title(self, of: object) -> str:
        """Return the feed's title."""
        assert isinstance(of, tuple)  # noqa: S101 - for the types
        return gettext("Rated games: {leaderboard}").format(leaderboard=xml_text(of[0]))

    def link(self, of: object) -> str:
        """Return the leaderboard."""
        assert isinstance(of, tuple)  # noqa: S101 - for the types
        return f"{settings.SITE_URL}{of[1]}"

    def feed_url(self, of: object) -> str:
        """Return the feed's own address."""
        return f"{self.link(of)}games.atom"

    def items(self, of: object) -> Iterable[Game]:
        """Return the games, those that were rated last first."""
        assert isinstance(of, tuple)  # noqa: S101 - for the types
        rated = Acceptance.objects.filter(ladder=of[2], number__isnull=False, game__private=False)
        numbers = list(rated.order_by("-number").values_list("game", flat=True)[:_MOST]) if of[2] else []
        games = {game.pk: game for game in with_seats(Game.objects.filter(pk__in=numbers))}
        return [games[number] for number in numbers]


def _said(row: GameRow) -> str:
    """Return a game in a line: the ruleset, the verdict, and who took which place."""
    places = ", ".join(f"{seat.place_word} {seat.name}" for seat in row.seats if seat.place)
    return " · ".join(filter(None, (row.ruleset, str(row.stamp.word), places)))


games_feed, player_feed, leaderboard_feed = (
    require_safe(only()(feed.__call__)) for feed in (GamesFeed(), PlayerFeed(), LeaderboardFeed())
)
