"""What the page of a table shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from engine.registry import ruleset_by_slug
from games.models import Table, TableEvent
from games.platform.without_account import shown_name
from games.playing.dealing import fixed_colours
from games.playing.phrases import PHRASES
from games.playing.reads.alarms import has_alarm
from games.playing.reads.board import board_json
from games.playing.reads.people import Person
from games.playing.reads.position import Position, numbers_of, tokens_of
from games.playing.reads.seats import current_rematch, seats_of
from games.playing.reads.state import position_seen, table_json
from games.records.reads.rulebook import document_of
from games.records.reads.titles import ruleset_title
from games.sentences import translated
from games.web.game.card import won
from games.web.labels import COLOURS
from games.web.laying import laying_texts
from games.web.play.happened import happened
from games.web.play.labels import FIRSTS, STATES, STRENGTHS, ending_label, time_label
from games.web.play.seats import SeatAtTable, seats_at

Json = dict[str, Any]
_SAID = 30
"""Phrases that are shown, the newest."""


@dataclass(frozen=True, slots=True)
class TurnShown:
    """The actions of a seat in a row."""

    number: int
    letter: str
    colour: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A part of the round: a seat's turn, or a part with a text of its own."""

    at: str
    seat: SeatAtTable | None
    label: str


@dataclass(frozen=True, slots=True)
class RoundShown:
    """How far the round has come, or what the game has in its place."""

    label: str
    parts: tuple[RoundPart, ...]


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
    bots: tuple[Any, ...]
    """The bots that sit down together with the first player, as they are called in the lobby."""
    ranked: tuple[SeatAtTable, ...]
    """Once the game is over, the seats by their places."""
    winner: str
    """Who won, in a sentence; empty before the end."""
    free: int
    turn: SeatAtTable | None
    ply: int
    round: RoundShown | None
    cards_left: int | None
    drawn: str
    hand: str
    suggested: str
    """A setup that the first player can lay with the cards dealt, where it is to be laid."""
    ring: Json | None
    """How the first player lays the setup by hand, where it is to be laid: for the script."""
    deadline: str
    draw_offer: SeatAtTable | None
    my_offer: bool
    your_turn: bool
    sits: bool
    is_at_head: bool
    """Whether the reader's own side is at the head of the board."""
    may: frozenset[str]
    colours: tuple[tuple[str, Any], ...]
    """The colours that are free, where there is a choice."""
    asks_age: bool
    begins_at_once: bool
    """Whether the game begins as soon as the reader sits down."""
    moves: tuple[TurnShown, ...]
    happened: tuple[str, ...]
    """What happened since the reader last acted."""
    ended: str | None
    """How it ended for the reader, where their place does not say it."""
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
    """The address of the rematch, once somebody has asked for it."""
    asks_rematch: str
    """Who asks for a rematch, while the reader may accept it."""
    invite: str
    legal: tuple[str, ...]
    position: dict[str, Any] | None
    event: int
    broken: bool


def table_page(table: Table, viewer: Person, known: tuple[str, ...] = ()) -> TablePage:
    """Return all that the page of a table shows.

    :param known: the drawings that the page has already.
    """
    seen, tokens = table_json(table, viewer, now=timezone.now()), tokens_of(table)
    position = position_seen(table, tokens)
    seats = seats_at(table, seats_of(table), viewer, position)
    return TablePage(
        **_about(table),
        **_sitting(table, seats),
        **_acting(table, seen),
        **_board(table, position, {seat.letter: seat for seat in seats}),
        **_ending(table, seats),
        **_talk(table),
        **_deal(table, seen),
        **_afterwards(table, viewer),
        position=board_json(table, tokens, acting=seen["your_turn"], known=known),
        event=table.last_event,
        broken=position is None and bool(table.setup and table.seats_line),
    )


def _about(table: Table) -> Json:
    return {
        "key": table.key,
        "title": ruleset_title(table.ruleset),
        "state_word": STATES[Table.State(table.state)],
        "rules": reverse("rules", args=[document_of(ruleset_by_slug(table.ruleset))]),
        "state": table.state,
        "time": time_label(table.time_kind, table.time_base, table.time_step),
        "first": FIRSTS[Table.First(table.first)],
        "rated": table.rated,
        "hot_seat": table.hot_seat,
    }


def _sitting(table: Table, seats: tuple[SeatAtTable, ...]) -> Json:
    by_letter = {seat.letter: seat for seat in seats}
    offers = by_letter.get(table.draw_offered)
    ranked = sorted((seat for seat in seats if seat.place), key=lambda seat: seat.place or 0)
    return {
        "seats": seats,
        "ranked": tuple(ranked),
        "winner": won([seat.name for seat in ranked if seat.place == 1], len(seats)) if ranked else "",
        "bots": (bots := () if seats else tuple(STRENGTHS[name] for name in table.bots)),
        "free": table.places - len(seats) - len(bots),
        "turn": by_letter.get(table.turn),
        "draw_offer": offers,
        "my_offer": bool(offers and offers.you),
        "sits": any(seat.you for seat in seats),
        "is_at_head": not table.hot_seat and _is_at_head(table, {seat.letter for seat in seats if seat.you}),
        "colours": _colours(table, seats),
        "begins_at_once": table.hot_seat or len(seats) + 1 + len(bots) == table.places,
        "asks_age": table.first == Table.First.OLDEST and not table.hot_seat and table.places > len(table.bots) + 1,
    }


def _is_at_head(table: Table, readers: set[str]) -> bool:
    return any(seat.is_at_head for seat in ruleset_by_slug(table.ruleset).seats if seat.letter in readers)


def _acting(table: Table, seen: Json) -> Json:
    return {
        "ply": seen["ply"],
        "your_turn": seen["your_turn"],
        "may": frozenset(seen["may"]),
        "legal": tuple(seen["legal"]),
        "deadline": table.deadline.isoformat() if table.deadline else "",
        "drawn": table.drawn,
        "hand": table.hand,
        "suggested": (suggested := _suggested(table) if seen["your_turn"] and not table.setup else ""),
        "ring": _ring(table, suggested) if suggested else None,
    }


def _board(table: Table, position: Position | None, seats: Mapping[str, SeatAtTable]) -> Json:
    return {
        "round": _round(position, seats) if table.state == Table.State.PLAYING else None,
        "cards_left": _cards_left(position),
        **_actions(table, position, {letter for letter, seat in seats.items() if seat.you}),
    }


def _actions(table: Table, position: Position | None, readers: set[str]) -> Json:
    if position is None:
        return {"moves": (), "happened": ()}
    rows = table.actions.filter(ply__lt=len(position.tokens)).order_by("ply")
    letters = tuple(rows.values_list("letter", flat=True))
    return {"moves": _moves(position, letters), "happened": happened(table, position, letters, readers)}


def _ending(table: Table, seats: tuple[SeatAtTable, ...]) -> Json:
    own = [seat for seat in seats if seat.you and not table.hot_seat]
    ended = ending_label([seat.place or 0 for seat in seats], own[0].place or 0) if table.placements and own else None
    return {"ended": ended}


def _talk(table: Table) -> Json:
    return {
        "said": _phrases_said(table),
        "phrases": tuple((key, translated(template)) for key, template in PHRASES.items()),
    }


def _deal(table: Table, seen: Json) -> Json:
    return {"commitment": table.commitment, "secret": seen["secret"] or "", "setup": table.setup}


def _afterwards(table: Table, viewer: Person) -> Json:
    rematch = current_rematch(table)
    joined = seats_of(rematch) if rematch and rematch.state == Table.State.OPEN else []
    waits = any(viewer.sits_in(seat) for seat in seats_of(table)) and not any(viewer.sits_in(seat) for seat in joined)
    return {
        "asks_rematch": joined[0].name if joined and waits else "",
        "game": reverse("game", args=[table.game.key]) if table.game else "",
        "unverified": bool(table.upload_id and not table.game_id) and has_alarm(table),
        "rematch": reverse("table", args=[rematch.key]) if rematch else "",
        "invite": f"{settings.SITE_URL}{reverse('table', args=[table.key])}",
    }


def _round(position: Position | None, seats: Mapping[str, SeatAtTable]) -> RoundShown | None:
    if position is None:
        return None
    found = position.ruleset.round(position.state)
    parts = (
        RoundPart(part.at, seats.get(part.seat or ""), part.label.render(translated) if part.label else "")
        for part in found.parts
    )
    return RoundShown(found.label.render(translated), tuple(parts))


def _suggested(table: Table) -> str:
    lay = ruleset_by_slug(table.ruleset).dealer.lay
    return lay(table.hand) if lay else ""


def _ring(table: Table, suggested: str) -> Json | None:
    """Return what a script needs to lay the setup card by card; none for a game that is not laid out so."""
    layout = ruleset_by_slug(table.ruleset).shown.touching.laying
    if layout is None:
        return None
    laid = dict(zip((spot.key for spot in layout.spots), suggested.split(" "), strict=False))
    return {
        "slug": table.ruleset,
        "setups": reverse("api-setup", args=[table.ruleset]),
        "hand": table.hand.split(" "),
        "seats": table.seats_line.split(" "),
        "suggested": laid if layout.setup(laid) == suggested else {},
        "texts": laying_texts(),
    }


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


def _moves(position: Position, letters: Sequence[str]) -> tuple[TurnShown, ...]:
    """Return the actions in turns: the number of the round, or pair of turns, who acted, and the tokens."""
    rows = zip(numbers_of(position), letters, position.tokens, strict=True)
    return tuple(
        TurnShown(number, letter, position.ruleset.seat(letter).colour, tuple(token for _, _, token in found))
        for (number, letter), found in groupby(rows, key=lambda row: row[:2])
    )


def _phrases_said(table: Table) -> tuple[PhraseShown, ...]:
    rows = TableEvent.objects.filter(table=table, kind="phrase").order_by("-number").values_list("body", flat=True)
    return tuple(
        PhraseShown(shown_name(body["name"]), translated(PHRASES[body["phrase"]])) for body in reversed(rows[:_SAID])
    )
