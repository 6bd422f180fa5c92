"""What the lobby shows: tables to join and to watch, one's own, and the form for a new one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from engine.registry import RULESETS
from games.ladders.reads.own import ratings_by_name
from games.models import Table
from games.playing.errors import PlayError
from games.playing.opening import TableOptions
from games.playing.reads import lists
from games.playing.reads.people import Person
from games.records.reads.titles import ruleset_title
from games.web.parameters import number_from, text_from
from games.web.play.labels import (
    FIRSTS,
    PACES,
    RATED,
    STATES,
    STRENGTHS,
    TIMES,
    VISIBILITIES,
    time_label,
    waiting_label,
)
from games.web.play.seats import SeatAtTable, seats_at

Ratings = Mapping[tuple[int, str], str]
"""Ratings by account and ruleset, as they are shown."""
_NAMES = 3
_PAIR = 2


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table in a list."""

    url: str
    title: str
    state: Any
    waiting: str
    """For how long the table has waited for players; empty once the game has begun."""
    opened_at: datetime
    time: str
    rated: bool
    seats: tuple[SeatAtTable, ...]
    free: int
    my_turn: bool
    invited: bool
    """Whether the reader is invited and has no seat yet."""
    plies: int


@dataclass(frozen=True, slots=True)
class RulesetChoice:
    """A game to play."""

    slug: str
    title: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """All that the lobby shows."""

    mine: tuple[TableRow, ...]
    open: tuple[TableRow, ...]
    playing: tuple[TableRow, ...]
    waiting: int
    """At how many tables it is the reader's turn."""
    version: str
    """The lists' version, as the stream of the lobby says it."""
    is_somebody: bool
    form: dict[str, Any]
    filter: dict[str, Any]


def lobby_page(viewer: Person, query: QueryDict, fields: QueryDict, refusal: str = "", *, now: datetime) -> LobbyPage:
    """Return all that the lobby shows.

    :param query: which tables the address asks for.
    :param fields: what the form holds, where it was sent and refused.
    """
    wanted = _wanted(query)
    version = lists.version()  # first: what changes while the lists are read is announced once more
    found = [list(lists.tables_of(viewer)), list(lists.open_tables(wanted)), list(lists.tables_to_watch(wanted))]
    ratings = _ratings([table for tables in found for table in tables])
    mine, to_join, to_watch = (tuple(_row(table, viewer, now, ratings) for table in tables) for tables in found)
    own = {row.url for row in mine}
    return LobbyPage(
        mine=mine,
        open=tuple(row for row in to_join if row.url not in own),
        playing=tuple(row for row in to_watch if row.url not in own),
        waiting=sum(row.my_turn for row in mine),
        version=version,
        is_somebody=viewer.is_somebody,
        form=_form(fields, refusal),
        filter={"used": bool(wanted), "rulesets": rulesets(), "paces": PACES, "rated": RATED, "chosen": query},
    )


def _wanted(query: QueryDict) -> lists.TableFilter:
    """Return the filter in an address; what there is not does not filter."""
    ruleset, pace, rated = (text_from(query, name) for name in ("ruleset", "pace", "rated"))
    return lists.TableFilter(
        ruleset=ruleset if any(ruleset == one.slug for one in RULESETS) else "",
        time_kind=pace if pace in PACES else "",
        rated=rated == "yes" if rated in RATED else None,
    )


def tables_of(person: Person, *, now: datetime) -> tuple[TableRow, ...]:
    """Return somebody's open and running tables and their invitations."""
    return tuple(_row(table, person, now) for table in lists.tables_of(person))


def tables_with(accounts: Collection[int], viewer: Person, most: int, *, now: datetime) -> tuple[TableRow, ...]:
    """Return open tables and games at which one of some accounts sits, some of the newest."""
    found = list(lists.tables_with(accounts, most))
    ratings = _ratings(found)
    return tuple(_row(table, viewer, now, ratings) for table in found)


def _ratings(tables: Sequence[Table]) -> Ratings:
    """Return the ratings of all who sit at some tables, in the games that they play there."""
    accounts = {seat.account_id for table in tables for seat in table.seats.all() if seat.account_id}
    found = ratings_by_name(accounts, {table.ruleset for table in tables}) if accounts else {}
    return {key: f"{row.rating}{'?' if row.provisional else ''}" for key, row in found.items()}


def _row(table: Table, viewer: Person, now: datetime, ratings: Ratings = MappingProxyType({})) -> TableRow:
    seats = list(table.seats.all())
    rated = {seat.name: ratings.get((seat.account_id, table.ruleset), "") for seat in seats if seat.account_id}
    return TableRow(
        url=reverse("table", args=[table.key]),
        title=ruleset_title(table.ruleset),
        state=STATES[Table.State(table.state)],
        waiting=waiting_label(now - table.opened_at) if table.state == Table.State.OPEN else "",
        opened_at=table.opened_at,
        time=time_label(table.time_kind, table.time_base, table.time_step),
        rated=table.rated,
        seats=tuple(replace(seat, rating=rated.get(seat.name, "")) for seat in seats_at(table, seats, viewer)),
        free=table.places - len(seats),
        my_turn=lists.is_turn_of(viewer, table),
        invited=lists.is_invited(viewer, table),
        plies=table.plies,
    )


def _form(fields: QueryDict, refusal: str) -> dict[str, Any]:
    chosen = text_from(fields, "ruleset") or RULESETS[0].slug
    return {
        "refusal": refusal,
        "rulesets": rulesets(),
        "ruleset": chosen,
        "times": [(key, time_label(*time)) for key, time in TIMES.items()],
        "time": text_from(fields, "time") or "none",
        "visibilities": list(VISIBILITIES.items()),
        "visibility": text_from(fields, "visibility") or "open",
        "firsts": list(FIRSTS.items()),
        "first": text_from(fields, "first"),
        "bots": list(STRENGTHS.items()),
        "against": text_from(fields, "against") or "people",
        "places": number_from(fields, "places") or _PAIR,
        "rated": text_from(fields, "rated") == "on",
        "names": text_from(fields, "names"),
    }


def rulesets() -> tuple[RulesetChoice, ...]:
    """Return the games that can be played."""
    return tuple(
        RulesetChoice(
            ruleset.slug, ruleset_title(ruleset.slug), tuple(sorted({len(line) for line in ruleset.seatings}))
        )
        for ruleset in RULESETS
    )


def options_from(fields: QueryDict) -> tuple[TableOptions, list[str]]:
    """Return what the form asks for, and the names of the accounts that are invited.

    :raises PlayError: when it asks for what there is not.
    """
    against, time = text_from(fields, "against") or "people", text_from(fields, "time") or "none"
    if time not in TIMES:
        raise PlayError("time", "The time must be none, days or minutes.")
    if against not in ("people", "screen") and against not in STRENGTHS:
        raise PlayError("bots", "There is no bot called {name}.", name=against)
    slug, places = text_from(fields, "ruleset"), number_from(fields, "places") or _PAIR
    of_game = next((choice.places for choice in rulesets() if choice.slug == slug), ())
    if len(of_game) == 1:
        (places,) = of_game  # a form without a script cannot hide what does not apply
    kind, base, step = TIMES[time]
    names = list(filter(None, map(str.strip, text_from(fields, "names").split(","))))
    visibility = text_from(fields, "visibility") or Table.Visibility.OPEN
    alone = against != "people"
    options = TableOptions(
        ruleset=slug,
        places=places,
        rated=text_from(fields, "rated") == "on" and not alone,
        hot_seat=against == "screen",
        time_kind=kind,
        time_base=base,
        time_step=step,
        visibility=Table.Visibility.LINK if alone else visibility,
        bots=[against] * (places - 1) if against in STRENGTHS else (),
    )
    return options, names[:_NAMES] if visibility == Table.Visibility.NAMES and not alone else []
