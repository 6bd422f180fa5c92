"""A ladder's rows and links, as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from engine.registry import RULESETS
from engine.ruleset import Ruleset
from games.ladders.reads.ladders import PROVISIONAL_SIGMA, LeaderboardRow, Missing, find_ladder, top_of
from games.models import By, Club
from games.web.labels import ORDERS, Label
from games.web.links import leaderboard_url
from games.web.persons import person

_MARKED = 3
"""So many first ranks are marked."""


@dataclass(frozen=True, slots=True)
class RowShown:
    """A player's line."""

    rank: int
    marked: bool
    player: int
    picture: SafeString
    name: str
    source: str
    url: str
    rating: int
    uncertainty: int
    provisional: str
    """What it takes for the rating to be provisional no longer; empty where it is not."""
    games: int
    wins: int
    draws: int
    losses: int
    places: tuple[int, ...]
    """How often in each place that there is in this game."""
    share: int
    """The mean share of rivals beaten, in percent."""
    is_bot: bool


@dataclass(frozen=True, slots=True)
class Control:
    """A link to another view of the same."""

    word: Label
    query: str
    here: bool


@dataclass(frozen=True, slots=True)
class LadderLink:
    """A leaderboard as others name it."""

    slug: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class LadderTop:
    """A leaderboard's first lines."""

    here: LadderLink
    size: int
    rows: tuple[RowShown, ...]


def orders(by: By, query: str) -> tuple[Control, ...]:
    """Return the links to the same page by both orders of games.

    :param query: what its address needs besides.
    """
    said = {By.ACCEPTED: query, By.PLAYED: "&".join(["by=played", *([query] if query else [])])}
    return tuple(Control(word, said[one], one == by) for one, word in ORDERS.items())


def tops(count: int, club: Club | None = None) -> list[LadderTop]:
    """Return the first lines of every leaderboard: of the whole site's, or of those of a club."""
    return [_top(ruleset, count, club) for ruleset in RULESETS]


def _top(ruleset: Ruleset[Any, Any], count: int, club: Club | None) -> LadderTop:
    ladder = find_ladder(ruleset.slug, club)
    rows = shown_rows(ruleset, top_of(ladder, count)) if ladder else ()
    return LadderTop(link_to(ruleset, club), ladder.players if ladder else 0, rows)


def link_to(ruleset: Ruleset[Any, Any], club: Club | None = None) -> LadderLink:
    """Return the leaderboard of a ruleset, on the whole site or in a club."""
    return LadderLink(ruleset.slug, gettext(ruleset.title), leaderboard_url(ruleset.slug, club))


def places_of(ruleset: Ruleset[Any, Any]) -> int:
    """Return how many places there are at a game's largest table."""
    return max(map(len, ruleset.seatings))


def shown_rows(ruleset: Ruleset[Any, Any], found: Sequence[LeaderboardRow]) -> tuple[RowShown, ...]:
    """Return the lines of players."""
    return tuple(shown_row(ruleset, one) for one in found)


def shown_row(ruleset: Ruleset[Any, Any], found: LeaderboardRow) -> RowShown:
    """Return a player's line."""
    standing, player = found.standing, found.standing.player
    return RowShown(
        rank=found.rank,
        marked=found.rank <= _MARKED,
        player=player.pk,
        picture=person(player.pk, player.name),
        name=player.name,
        source=player.source,
        url=player.get_absolute_url(),
        rating=found.rating,
        uncertainty=round(standing.sigma),
        provisional=_missing(found.provisional),
        games=standing.games,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
        places=(standing.first, standing.second, standing.third, standing.fourth)[: places_of(ruleset)],
        share=round(found.share * 100),
        is_bot=player.is_bot,
    )


def _missing(missing: Missing | None) -> str:
    """Return what it takes for a rating to be provisional no longer."""
    if missing is None:
        return ""
    games = ngettext("{games} more game", "{games} more games", missing.games).format(games=missing.games)
    sigma = gettext("uncertainty {sigma}, at most {most}").format(
        sigma=round(missing.sigma or 0), most=round(PROVISIONAL_SIGMA)
    )
    return ", ".join([games] * bool(missing.games) + [sigma] * bool(missing.sigma))
