"""Links to players, games, ladders and careers."""

from dataclasses import dataclass

from django.urls import reverse

from games.models import Club, Game, Ladder, Player


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


def career_url(player: int, ladder: Ladder, *, name: str = "career") -> str:
    """Return the address of a player's career on a ladder, as a page or in another form."""
    query = f"?club={ladder.club.slug}" if ladder.club else ""
    return f"{reverse(name, args=[player, ladder.ruleset])}{query}"
