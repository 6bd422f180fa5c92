"""A leaderboard, line by line."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from engine.registry import RULESETS
from engine.ruleset import Ruleset
from games.selectors.ladders import Rung, ladder, ladder_size
from games.selectors.rules import document_of

SIZE = 100
"""Players on a page."""
_MARKED = 3
"""So many first ranks are marked."""


@dataclass(frozen=True, slots=True)
class RungShown:
    """A player's line."""

    rank: int
    marked: bool
    name: str
    source: str
    url: str
    rating: int
    uncertainty: int
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
class LadderLink:
    """A leaderboard as others name it."""

    slug: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class LadderPage:
    """A part of a leaderboard."""

    here: LadderLink
    others: tuple[LadderLink, ...]
    rules: str
    places: range
    """The places that there are in this game."""
    size: int
    rungs: tuple[RungShown, ...]
    first: int
    previous: int | None
    next: int | None

    @property
    def last(self) -> int:
        """The number of the last line shown."""
        return self.first + len(self.rungs) - 1


@dataclass(frozen=True, slots=True)
class LadderTop:
    """A leaderboard's first lines."""

    here: LadderLink
    size: int
    rungs: tuple[RungShown, ...]


def tops(count: int) -> list[LadderTop]:
    """The first lines of every leaderboard."""
    return [
        LadderTop(link_to(ruleset), ladder_size(ruleset.slug), _rungs(ruleset, ladder(ruleset.slug, size=count)))
        for ruleset in RULESETS
    ]


def link_to(ruleset: Ruleset[Any, Any]) -> LadderLink:
    """The leaderboard of a ruleset."""
    return LadderLink(ruleset.slug, gettext(ruleset.title), reverse("leaderboard", args=[ruleset.slug]))


def ladder_page(ruleset: Ruleset[Any, Any], *, start: int) -> LadderPage:
    """A leaderboard from one line on."""
    size = ladder_size(ruleset.slug)
    rungs = _rungs(ruleset, ladder(ruleset.slug, start=start, size=SIZE))
    return LadderPage(
        here=link_to(ruleset),
        others=tuple(link_to(other) for other in RULESETS if other.slug != ruleset.slug),
        rules=reverse("rules", args=[document_of(ruleset)]),
        places=range(1, _places(ruleset) + 1),
        size=size,
        rungs=rungs,
        first=start,
        previous=max(1, start - SIZE) if start > 1 else None,
        next=start + SIZE if start + SIZE <= size else None,
    )


def _places(ruleset: Ruleset[Any, Any]) -> int:
    """How many places there are at a game's largest table."""
    return max(map(len, ruleset.seatings))


def _rungs(ruleset: Ruleset[Any, Any], found: list[Rung]) -> tuple[RungShown, ...]:
    return tuple(rung(ruleset, one) for one in found)


def rung(ruleset: Ruleset[Any, Any], found: Rung) -> RungShown:
    """A player's line."""
    standing, places = found.standing, _places(ruleset)
    return RungShown(
        rank=found.rank,
        marked=found.rank <= _MARKED,
        name=standing.player.name,
        source=standing.player.source,
        url=standing.player.get_absolute_url(),
        rating=found.rating,
        uncertainty=round(standing.sigma),
        games=standing.games,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
        places=(standing.first, standing.second, standing.third, standing.fourth)[:places],
        share=round(found.share * 100),
        is_bot=standing.player.is_bot,
    )
