"""Links to players, games, ladders and careers."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from games.models import By, Club, Game, Ladder, Player
from games.players.reads.players import find_player
from games.records.reads.visibility import Viewer


@dataclass(frozen=True, slots=True)
class Link:
    """Something with a name and an address."""

    name: str
    url: str


def link_to_player(player: Player) -> Link:
    """Return a player's page."""
    return Link(player.name, player.get_absolute_url())


def link_to_game(game: Game) -> Link:
    """Return a game's page."""
    return Link(game.key, game.get_absolute_url())


def leaderboard_url(ruleset: str, club: Club | None) -> str:
    """Return the leaderboard of a ruleset, on the whole site or in a club."""
    if club:
        return reverse("club-leaderboard", args=[club.slug, ruleset])
    return reverse("leaderboard", args=[ruleset])


def career_url(player: int, ladder: Ladder, by: By = By.ACCEPTED, *, name: str = "career") -> str:
    """Return the address of a player's career on a ladder, as a page or in another form."""
    said = {"club": ladder.club.slug} if ladder.club else {}
    query = urlencode(said | ({"by": by.value} if by == By.PLAYED else {}))
    return reverse(name, args=[player, ladder.ruleset]) + (f"?{query}" if query else "")


def pair_url(player: int, opponent: int, *, name: str = "pair") -> str:
    """Return the address of the games of two players, as the first of them has their score."""
    return reverse(name, args=[player, opponent])


def name_asked_for(player: str, viewer: Viewer) -> str:
    """Return the name of the player that a filter names by number, as `#12`; an empty text for other filters."""
    number = player.removeprefix("#")
    if number == player or not (number.isascii() and number.isdigit()):
        return ""
    try:
        return find_player(int(number), viewer).name
    except (Player.DoesNotExist, OverflowError):
        return ""
