"""Playing at once, against a bot or with a friend: one press opens a table, and who pressed sits there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext

from engine.registry import RULESETS
from engine.ruleset import First, Ruleset
from games.models import Table
from games.playing.at_once import firsts_without_age, play_at_once
from games.playing.dealing import fixed_colours
from games.playing.opening import Addition, fresh_entropy
from games.playing.reads.people import Person
from games.records.reads.quick_guides import has_guide
from games.records.reads.rulebook import document_of
from games.records.reads.titles import ruleset_title
from games.web.boards import Drawn
from games.web.labels import COLOURS
from games.web.parameters import text_from
from games.web.play.labels import FIRSTS
from games.web.play.lobby import options_from
from games.web.rules.pictures import picture_called


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A game that can be played at once."""

    slug: str
    title: str
    picture: Drawn
    quick: str
    """Its rules in two minutes; empty without such a guide."""
    minutes: int
    editions: tuple[tuple[str, str], ...]
    """Slugs and titles, the usual one first."""
    places: tuple[int, ...]
    colours: tuple[tuple[str, Any], ...]
    """Colours to choose from; none where they follow from who begins."""
    firsts: tuple[tuple[str, Any], ...]
    """In which ways it may be settled who begins, where there is a choice."""
    lays: bool
    """Whether by an edition of it the first player lays the setup."""


def play_cards() -> tuple[PlayCard, ...]:
    """Return the games, each with its editions."""
    games = dict.fromkeys(ruleset.game for ruleset in RULESETS)
    return tuple(_card([ruleset for ruleset in RULESETS if ruleset.game == game]) for game in games)


def _card(editions: list[Ruleset[Any, Any]]) -> PlayCard:
    usual, slug = editions[0], document_of(editions[0])
    places = sorted({len(line) for line in usual.seatings})
    return PlayCard(
        slug=slug,
        title=gettext(usual.game),
        picture=picture_called(slug),
        quick=reverse("rules-quick", args=[slug]) if has_guide(slug) else "",
        minutes=usual.minutes,
        editions=tuple((edition.slug, ruleset_title(edition.slug)) for edition in editions),
        places=tuple(places),
        colours=() if fixed_colours(usual.slug, places[0]) else tuple(_colours(usual)),
        firsts=tuple((first.value, FIRSTS[Table.First(first.value)]) for first in _firsts(usual.slug, places[0])),
        lays=any(edition.dealer.lay for edition in editions),
    )


def _colours(ruleset: Ruleset[Any, Any]) -> Iterator[tuple[str, Any]]:
    return ((seat.letter, COLOURS[seat.colour]) for seat in ruleset.seats)


def _firsts(slug: str, places: int) -> tuple[First, ...]:
    ways = firsts_without_age(slug, places)
    return ways if len(ways) > 1 else ()


def play_now(fields: QueryDict, person: Person, *, network: str, now: datetime) -> Table:
    """Open the table that a card's form asks for, and sit down there.

    A deal needs a text of the player's: without a script it is the site's.

    :raises PlayError: when there is no such table.
    """
    options, _names = options_from(fields)
    ways, asked = firsts_without_age(options.ruleset, options.places), text_from(fields, "first")
    first = asked if asked in ways else next(iter(ways), "")
    options = replace(options, visibility=Table.Visibility.LINK, first=str(first))
    addition = Addition(text_from(fields, "entropy") or fresh_entropy(), text_from(fields, "letter")[:1])
    return play_at_once(options, person, addition, lays="lay" in fields, network=network, now=now)
