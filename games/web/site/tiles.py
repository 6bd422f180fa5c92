"""The games side by side: what they look like, for how many, how long, and who leads their ladder."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from engine.registry import RULESETS
from engine.ruleset import Ruleset
from games.records.reads.quick_guides import find_guide, has_guide
from games.records.reads.rulebook import document_of
from games.records.reads.showcase import showcase_called
from games.web.boards import Drawn
from games.web.ladders.lines import LadderTop
from games.web.rules.pictures import picture_called
from games.web.rules.rulebook import render


@dataclass(frozen=True, slots=True)
class Tile:
    """A game among the games."""

    slug: str
    """Of its rules."""
    title: str
    picture: Drawn
    """Empty for a game that has none."""
    players: str
    minutes: int
    words: SafeString
    """What the game is, in a sentence or two."""
    watch: str
    """Where to watch one; empty where there is none."""
    play: str
    quick: str
    """Its rules, in two minutes if there is such a guide."""
    ladder: LadderTop


def tiles_of(ladders: Iterable[LadderTop]) -> tuple[Tile, ...]:
    """Return a tile for each game, with the ladder of its first edition."""
    by_slug = {ladder.here.slug: ladder for ladder in ladders}
    return tuple(_tile(ruleset, by_slug[ruleset.slug]) for ruleset in _first_editions())


def _first_editions() -> Iterator[Ruleset[Any, Any]]:
    yield from {ruleset.game: ruleset for ruleset in reversed(RULESETS)}.values().__reversed__()


def _tile(ruleset: Ruleset[Any, Any], ladder: LadderTop) -> Tile:
    slug = document_of(ruleset)
    showcase, quick = showcase_called(slug), has_guide(slug)
    lede = render(find_guide(slug).lede) if quick else ""
    return Tile(
        slug=slug,
        title=gettext(ruleset.game),
        picture=picture_called(slug),
        players=_players(ruleset),
        minutes=ruleset.minutes,
        words=mark_safe(lede),  # noqa: S308 - the renderer escapes, and HTML is not read
        watch=f"{reverse('home')}?{urlencode({'game': slug, 'ply': 0})}" if showcase else "",
        play=f"{reverse('play')}#now-{slug}",
        quick=reverse("rules-quick" if quick else "rules", args=[slug]),
        ladder=ladder,
    )


def _players(ruleset: Ruleset[Any, Any]) -> str:
    sizes = {len(line) for line in ruleset.seatings}
    fewest, most = min(sizes), max(sizes)
    if fewest == most:
        return ngettext("{count} player", "{count} players", most).format(count=most)
    span = ngettext("{fewest}–{most} player", "{fewest}–{most} players", most)
    return span.format(fewest=fewest, most=most)
