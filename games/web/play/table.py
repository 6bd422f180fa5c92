"""What the page of a table shows."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.conf import settings
from django.urls import reverse

from engine.registry import ruleset_by_slug
from games.models import Table, TableEvent
from games.playing.dealing import fixed_colours
from games.playing.phrases import PHRASES
from games.playing.reads.alarms import has_alarm
from games.playing.reads.board import board_json
from games.playing.reads.people import Person
from games.playing.reads.position import Position, position_of, tokens_of
from games.playing.reads.seats import seats_of
from games.playing.reads.state import position_seen, table_json
from games.records.reads.rulebook import document_of
from games.records.reads.titles import ruleset_title
from games.sentences import translated
from games.web.labels import COLOURS
from games.web.play.labels import FIRSTS, STATES, time_label
from games.web.play.seats import SeatAtTable, seats_at

_SAID = 30
"""Phrases that are shown, the newest."""


@dataclass(frozen=True, slots=True)
class Spell:
    """The actions of a seat in a row."""

    number: int
    letter: str
    colour: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhraseShown:
    """A phrase that somebody said."""

    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """All that the page of a table shows."""

    key: str
    title: str
    rules: str
    state: str
    state_word: Any
    time: str
    first: Any
    rated: bool
    hot_seat: bool
    seats: tuple[SeatAtTable, ...]
    free: int
    turn: SeatAtTable | None
    ply: int
    number: int | None
    cards_left: int | None
    drawn: str
    hand: str
    suggested: str
    """A setup that the first player can lay with the cards dealt, where it is to be laid."""
    deadline: str
    draw_offer: SeatAtTable | None
    my_offer: bool
    your_turn: bool
    sits: bool
    may: frozenset[str]
    colours: tuple[tuple[str, Any], ...]
    """The colours that are free, where there is a choice."""
    asks_age: bool
    begins_at_once: bool
    """Whether the game begins as soon as the reader sits down."""
    moves: tuple[Spell, ...]
    said: tuple[PhraseShown, ...]
    phrases: tuple[tuple[str, str], ...]
    commitment: str
    secret: str
    setup: str
    game: str
    """The address of the game once its record was verified."""
    unverified: bool
    """Whether verification set its record aside."""
    rematch: str
    invite: str
    legal: tuple[str, ...]
    position: dict[str, Any] | None
    event: int
    broken: bool


def table_page(table: Table, viewer: Person, known: tuple[str, ...] = ()) -> TablePage:
    """Return all that the page of a table shows.

    :param known: the drawings that the page has already.
    """
    seen, tokens, rows = table_json(table, viewer), tokens_of(table), seats_of(table)
    position = position_seen(table, tokens)
    seats = seats_at(table, rows, viewer, position)
    by_letter = {seat.letter: seat for seat in seats}
    rematch = table.rematches.first()
    return TablePage(
        key=table.key,
        title=ruleset_title(table.ruleset),
        rules=reverse("rules", args=[document_of(ruleset_by_slug(table.ruleset))]),
        state=table.state,
        state_word=STATES[Table.State(table.state)],
        time=time_label(table.time_kind, table.time_base, table.time_step),
        first=FIRSTS[Table.First(table.first)],
        rated=table.rated,
        hot_seat=table.hot_seat,
        seats=seats,
        free=table.places - len(seats),
        turn=by_letter.get(table.turn),
        ply=seen["ply"],
        number=position.ruleset.number(position.state) if position else None,
        cards_left=_cards_left(position),
        drawn=table.drawn,
        hand=table.hand,
        suggested=_suggested(table) if seen["your_turn"] and not table.setup else "",
        deadline=table.deadline.isoformat() if table.deadline else "",
        draw_offer=by_letter.get(table.draw_offered),
        my_offer=bool(table.draw_offered) and by_letter[table.draw_offered].you,
        your_turn=seen["your_turn"],
        sits=any(seat.you for seat in seats),
        may=frozenset(seen["may"]),
        colours=_colours(table, seats),
        begins_at_once=table.hot_seat or len(seats) + 1 + (0 if seats else len(table.bots)) == table.places,
        asks_age=table.first == Table.First.OLDEST,
        moves=_moves(table, position),
        said=_phrases_said(table),
        phrases=tuple((key, translated(template)) for key, template in PHRASES.items()),
        commitment=table.commitment,
        secret=seen["secret"] or "",
        setup=table.setup,
        game=reverse("game", args=[table.game.key]) if table.game else "",
        unverified=bool(table.upload_id and not table.game_id) and has_alarm(table),
        rematch=reverse("table", args=[rematch.key]) if rematch else "",
        invite=f"{settings.SITE_URL}{reverse('table', args=[table.key])}",
        legal=tuple(seen["legal"]),
        position=board_json(table, tokens, acting=seen["your_turn"], known=known),
        event=table.last_event,
        broken=position is None and bool(table.setup and table.seats_line),
    )


def _suggested(table: Table) -> str:
    lay = ruleset_by_slug(table.ruleset).dealer.lay
    return lay(table.hand) if lay else ""


def _cards_left(position: Position | None) -> int | None:
    if position is None or not position.ruleset.dealer.has_deck:
        return None
    return int(position.state.deck)


def _colours(table: Table, seats: tuple[SeatAtTable, ...]) -> tuple[tuple[str, Any], ...]:
    if fixed_colours(table.ruleset, table.places):
        return ()
    taken = {seat.letter for seat in seats}
    known = ruleset_by_slug(table.ruleset).seats
    return tuple((seat.letter, COLOURS[seat.colour]) for seat in known if seat.letter not in taken)


def _moves(table: Table, position: Position | None) -> tuple[Spell, ...]:
    """Return the actions in turns: the number of the round, or pair of turns, who acted, and the tokens."""
    if position is None:
        return ()
    ruleset, found = position.ruleset, list[tuple[int, str, str]]()
    actions = table.actions.order_by("ply").values_list("letter", "token")
    for ply, (letter, token) in enumerate(actions):
        found.append((ruleset.number(position_of(table, position.tokens[:ply]).state), letter, token))
    return tuple(
        Spell(number, letter, ruleset.seat(letter).colour, tuple(token for _, _, token in rows))
        for (number, letter), rows in groupby(found, key=lambda row: row[:2])
    )


def _phrases_said(table: Table) -> tuple[PhraseShown, ...]:
    rows = TableEvent.objects.filter(table=table, kind="phrase").order_by("-number").values_list("body", flat=True)
    return tuple(PhraseShown(body["name"], translated(PHRASES[body["phrase"]])) for body in reversed(rows[:_SAID]))
