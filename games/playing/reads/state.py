"""Reading a table as a viewer sees it. All see the same: what is hidden is shown to nobody before its time."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from engine.registry import ruleset_by_slug
from games.models import Table, TableSeat
from games.playing.reads import aborted
from games.playing.reads.people import Person
from games.playing.reads.position import BrokenGameError, Position, position_of, tokens_of
from games.playing.reads.seats import seats_of
from games.playing.reads.secrets import published_secret

Json = dict[str, Any]
DUEL = 2
"""Only two can agree on a draw."""


def table_json(table: Table, viewer: Person, *, now: datetime) -> Json:
    """Return everything of a table, with the legal actions where it is the viewer's turn.

    :param table: as it is stored; the rest is read here.
    """
    seats = seats_of(table)
    tokens = tokens_of(table)
    return {
        **_options(table),
        "seats": [_seat(table, seat, viewer) for seat in seats],
        "ply": table.plies if table.setup else -1,
        "turn": table.turn or None,
        "your_turn": acts(table, seats, viewer),
        "drawn": table.drawn or None,
        "draw_offered": table.draw_offered or None,
        "time_running_since": table.turn_since,
        "deadline": table.deadline,
        "tokens": list(tokens),
        "legal": _legal(table, tokens) if acts(table, seats, viewer) else [],
        "result": _result(table),
        "may": _may(table, seats, viewer, now),
        "event": table.last_event,
        "opened_at": table.opened_at,
        "begun_at": table.begun_at,
        "ended_at": table.ended_at,
    }


def acts(table: Table, seats: list[TableSeat], viewer: Person) -> bool:
    """Return whether a viewer is to act. On one screen the opener of the table acts for all."""
    if not table.turn:
        return False
    if table.hot_seat and viewer.opened(table):
        return True
    return any(seat.letter == table.turn and viewer.sits_in(seat) for seat in seats)


def position_seen(table: Table, tokens: tuple[str, ...]) -> Position | None:
    """Return the position that everybody sees; none before the setup lies, and of a game that was altered."""
    if not (table.setup and table.seats_line):
        return None
    try:
        return position_of(table, tokens)
    except BrokenGameError:
        return None


def _options(table: Table) -> Json:
    ruleset = ruleset_by_slug(table.ruleset)
    return {
        "key": table.key,
        "ruleset": table.ruleset,
        "title": gettext(ruleset.title),
        "state": table.state,
        "rated": table.rated,
        "hot_seat": table.hot_seat,
        "visibility": table.visibility,
        "places": table.places,
        "first": table.first,
        "time": {"kind": table.time_kind, "base": table.time_base, "step": table.time_step},
        "commitment": table.commitment,
        "secret": published_secret(table),
        "deck": table.deck_tag or None,
        "seats_line": table.seats_line or None,
        "setup": table.setup or None,
        "hand": table.hand or None,
    }


def _seat(table: Table, seat: TableSeat, viewer: Person) -> Json:
    begun = table.begun_at is not None
    mine = viewer.sits_in(seat) or (table.hot_seat and viewer.opened(table))
    return {
        "letter": seat.letter or None,
        "name": seat.name,
        "bot": seat.bot or None,
        "guest": seat.account_id is None and not seat.bot,
        "you": mine,
        "entropy": seat.entropy if begun else None,
        "clock": seat.clock,
        "left_at": seat.left_at,
    }


def _legal(table: Table, tokens: tuple[str, ...]) -> list[str]:
    lay = ruleset_by_slug(table.ruleset).dealer.lay
    if lay and not table.setup:
        return [lay(table.hand)]  # of all that can be laid, one
    position = position_seen(table, tokens)
    return position.legal(table.drawn) if position else []


def _result(table: Table) -> Json | None:
    if table.placements is None:
        return None
    return {"placements": table.placements, "rule": table.ended, "termination": table.termination}


def _may(table: Table, seats: list[TableSeat], viewer: Person, now: datetime) -> list[str]:
    """Return what a viewer can do at a table now, by the names of the addresses below it."""
    sits = any(viewer.sits_in(seat) for seat in seats)
    if table.state == Table.State.OPEN:
        return _may_before(table, seats, viewer, sits=sits)
    if not sits and not (table.hot_seat and viewer.opened(table)):
        return []
    if table.state != Table.State.PLAYING:
        return ["phrases", "rematch"] if table.state != Table.State.CANCELLED else []
    may = ["actions"] if acts(table, seats, viewer) else []
    has_left = any(seat.left_at for seat in seats if viewer.sits_in(seat))
    may += ["phrases"] if has_left else ["resign", "phrases", *(["draw"] if table.places == DUEL else [])]
    if table.plies:
        return may
    mine = [seat for seat in seats if viewer.sits_in(seat)]
    is_lost = any(aborted.counts(table, seat, now=now) and aborted.is_too_many(seat) for seat in mine)
    return may if is_lost else [*may, "abort"]


def _may_before(table: Table, seats: list[TableSeat], viewer: Person, *, sits: bool) -> list[str]:
    may = ["cancel"] if viewer.opened(table) else ["leave"] if sits else []
    return ["join", *may] if may_join(table, seats, viewer) else may


def may_join(table: Table, seats: list[TableSeat], viewer: Person) -> bool:
    """Return whether a viewer may sit down at a table that waits for players."""
    opened = viewer.opened(table)
    if any(viewer.sits_in(seat) for seat in seats) or (not seats and not opened):
        return False
    if table.rated and viewer.account is None:
        return False
    return table.visibility != Table.Visibility.NAMES or opened or _is_invited(table, viewer)


def _is_invited(table: Table, viewer: Person) -> bool:
    return viewer.account is not None and table.invited.filter(pk=viewer.account.pk).exists()
