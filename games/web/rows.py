"""Games as lists show them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext

from engine.agn.dates import Days
from engine.registry import ruleset_by_slug
from games.models import Game, Verdict
from games.models.records import VerdictKind
from games.records.reads.begun import played
from games.records.reads.games import faults_of, names_in_record
from games.web.labels import COLOURS, PLACES, STAMPS, Label, Stamp


@dataclass(frozen=True, slots=True)
class SeatShown:
    """Who sat where."""

    letter: str
    colour: str
    """Names the colour, as a class: `red`; empty when the seat's game is not known."""
    colour_word: Label
    name: str
    url: str | None
    """The player's page; none for who is only named in a rejected record."""
    place: int | None
    place_word: Label
    is_bot: bool
    """Whether a program plays under this name."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One line in a list of games."""

    key: str
    url: str
    stamp: Stamp
    seats: tuple[SeatShown, ...]
    ruleset: str
    """The ruleset's title; empty when the record names none rightly."""
    plies: int
    played: Days | datetime | None
    """A moment where it began at a table here, else the days of its record."""
    received_at: datetime
    rule: str
    """The rule that a rejected record breaks."""
    sentence: str
    """What is wrong with it."""
    private: bool
    """Whether others do not see it."""
    measure: int | None
    """What the list is sorted by, unless the newest come first."""
    thumbnail: str
    """The address of a small picture of the last position; empty for a game that is not verified."""


def rows_of(games: Sequence[Game]) -> list[GameRow]:
    """Return games, with their seatings and logs fetched before, as lines of a list."""
    faults = faults_of(games)
    return [row_of(game, faults.get(game.pk)) for game in games]


def row_of(game: Game, fault: Verdict | None = None) -> GameRow:
    """Return a game as a line of a list, with the verdict that rejected it."""
    return GameRow(
        key=game.key,
        url=game.get_absolute_url(),
        stamp=STAMPS[game.verdict],
        seats=tuple(seats_of(game)),
        ruleset=gettext(ruleset_by_slug(game.ruleset).title) if game.ruleset else "",
        plies=game.plies,
        played=played(game),
        received_at=game.received_at,
        rule=fault.rule if fault else "",
        sentence=fault.sentence if fault else "",
        private=game.private,
        measure=getattr(game, "measure", None),
        thumbnail=reverse("game-thumbnail", args=[game.key]) if game.verdict == VerdictKind.VERIFIED else "",
    )


def seats_of(game: Game) -> list[SeatShown]:
    """Return the seats in turn order; of a rejected record, which seats nobody, the names in it."""
    seatings = list(game.seatings.all())
    if seatings:
        return [
            replace(
                _seat(game, seating.letter, seating.player.name, seating.place),
                url=seating.player.get_absolute_url(),
                is_bot=seating.player.is_bot,
            )
            for seating in seatings
        ]
    return named(game, names_in_record(game))


def without_places(seats: Sequence[SeatShown]) -> tuple[SeatShown, ...]:
    """Return seats that do not show how the game ended."""
    return tuple(replace(seat, place=None) for seat in seats)


def named(game: Game, names: dict[str, str], places: Sequence[int] | None = None) -> list[SeatShown]:
    """Return seats with the names in a log, which may be unknown, and with the places that they took."""
    return [
        _seat(game, letter, name, places[at] if places else None) for at, (letter, name) in enumerate(names.items())
    ]


def _seat(game: Game, letter: str, name: str, place: int | None) -> SeatShown:
    colour = ruleset_by_slug(game.ruleset).seat(letter).colour if game.ruleset else ""
    return SeatShown(
        letter=letter,
        colour=colour,
        colour_word=COLOURS.get(colour, letter),
        name=name,
        url=None,
        place=place,
        place_word=PLACES[place] if place else "",
        is_bot=False,
    )
