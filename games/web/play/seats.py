"""Seats at a table, as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.registry import ruleset_by_slug
from engine.scene import tray_svg
from games.models import Table, TableSeat
from games.platform.without_account import shown_name
from games.playing.reads.people import Person
from games.playing.reads.position import Position
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.labels import COLOURS, PLACES, Label
from games.web.play.labels import clock_label


@dataclass(frozen=True, slots=True)
class SeatAtTable:
    """Who sits where. The first six are what the parts for seats of games show, too."""

    letter: str
    colour: str
    colour_word: Label
    name: str
    is_bot: bool
    place: int | None
    place_word: Label
    you: bool
    to_act: bool
    clock: str
    milliseconds: int | None
    """What its clock shows, and what it had left when the clock last stopped."""
    left: bool
    entropy: str
    """Empty until the table is full."""
    counts: tuple[tuple[str, int], ...]
    """What its score sheet counts, with the words for it."""
    tray: Drawn
    """What lies before it, drawn with the board's drawings; empty where that is nothing."""
    rating: str = ""
    """In lists of tables, with a question mark while it is provisional; empty where there is none."""


def seats_at(
    table: Table, seats: Sequence[TableSeat], viewer: Person, position: Position | None = None
) -> tuple[SeatAtTable, ...]:
    """Return the seats of a table in turn order, before the game in the order of joining."""
    line = table.seats_line.split(" ") if table.seats_line else []
    ordered = sorted(seats, key=lambda seat: line.index(seat.letter)) if line else seats
    return tuple(_seat(table, seat, viewer, line, position) for seat in ordered)


def _seat(table: Table, seat: TableSeat, viewer: Person, line: list[str], position: Position | None) -> SeatAtTable:
    place = table.placements[line.index(seat.letter)] if table.placements else None
    colour = ruleset_by_slug(table.ruleset).seat(seat.letter).colour if seat.letter else ""
    mine = viewer.sits_in(seat) or (table.hot_seat and viewer.opened(table) and not seat.bot)
    return SeatAtTable(
        letter=seat.letter or "?",
        colour=colour,
        colour_word=COLOURS[colour] if colour else "",
        name=shown_name(seat.name),
        is_bot=bool(seat.bot),
        place=place,
        place_word=PLACES[place] if place else "",
        you=mine,
        to_act=bool(seat.letter) and seat.letter == table.turn,
        clock=clock_label(seat.clock),
        milliseconds=seat.clock,
        left=seat.left_at is not None,
        entropy=seat.entropy if table.begun_at else "",
        counts=_counts(seat.letter, line, position),
        tray=_tray(seat.letter, position),
    )


def _tray(letter: str, position: Position | None) -> Drawn:
    trays = position.ruleset.shown.scene(position.state).trays if position else ()
    return next((drawn(tray_svg(tray)) for tray in trays if tray.seat == letter and tray.pieces), drawn(""))


def _counts(letter: str, line: list[str], position: Position | None) -> tuple[tuple[str, int], ...]:
    if position is None or letter not in line:
        return ()
    sheet = position.ruleset.shown.sheets(position.state)[line.index(letter)]
    return tuple((count.label.render(translated), count.value) for count in sheet)
