"""Leaving a game: resignation, draw, time, and aborting a game in which nobody has moved."""

from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import transaction

from games.models import Table, TableSeat
from games.playing import acting, clocks, events, finishing
from games.playing.errors import ConflictError, PlayError
from games.playing.reads import aborted
from games.playing.reads.people import Person
from games.playing.reads.position import BrokenGameError, position_of, tokens_of
from games.playing.reads.seats import seat_with, seats_of
from games.playing.reads.state import DUEL
from games.playing.rows import locked

_DRAW = "draw"
BATCH = 50
"""Tables whose time is up, taken in one call."""


@transaction.atomic
def resign(key: str, person: Person, *, letter: str = "", now: datetime) -> Table:
    """Give up, whoever's turn it is (AGN-ADMIN-1). If the time of the seat to act is up, that ends first.

    :param letter: which seat, on one screen; the one to act if empty.
    :raises PlayError: when this one does not play there.
    """
    table, seat = _playing(key, person, letter)
    if seat.left_at:
        raise ConflictError("resigned", "This seat has resigned.")
    if clocks.is_overdue(table, now):
        acting.leave_game(table, "timeout", table.turn, now=now)
    if table.state == Table.State.PLAYING and not seat_with(table, seat.letter).left_at:
        acting.leave_game(table, "resign", seat.letter, now=now)
    return table


@transaction.atomic
def draw(key: str, person: Person, *, letter: str = "", accept: bool = True, now: datetime) -> Table:
    """Offer a draw, or accept the one that the other seat offers; or decline it, or withdraw one's own.

    :raises PlayError: when this one does not play there, or more than two do.
    """
    table, seat = _playing(key, person, letter)
    _check_in_time(table, now)
    if table.places != DUEL:
        raise PlayError("no_draw", "A draw can be agreed only in a game between two players.")
    if not table.setup:
        raise ConflictError("no_setup", "The setup is still to be laid.")
    offered_by_other = table.draw_offered not in ("", seat.letter) or (table.hot_seat and accept)
    if not accept:
        if not table.draw_offered:
            raise ConflictError("no_offer", "No draw is offered.")
        _say(table, "draw-withdrawn" if table.draw_offered == seat.letter else "draw-declined", seat, "", now)
    elif offered_by_other:
        _agree(table, now)
    elif table.draw_offered:
        raise ConflictError("offered", "You have already offered a draw.")
    else:
        _say(table, "draw-offered", seat, seat.letter, now)
    return table


def _say(table: Table, kind: str, seat: TableSeat, offered: str, now: datetime) -> None:
    table.draw_offered = offered
    events.append(table, kind, {"seat": seat.letter}, now=now)
    table.save(update_fields=["draw_offered", "last_event"])


def _agree(table: Table, now: datetime) -> None:
    try:
        acting.write(table, position_of(table, (*tokens_of(table), _DRAW)), _DRAW, now=now)
    except BrokenGameError as error:
        finishing.break_off(table, str(error), now=now)


@transaction.atomic
def abort(key: str, person: Person, *, now: datetime) -> Table:
    """Abort a game in which nobody has moved; its secret is published.

    The third of an account's last ten rated games counts: it resigns, so that the other has the win.

    :raises PlayError: when this one does not play there, or somebody has moved.
    """
    table, seat = _playing(key, person, "")
    _check_in_time(table, now)
    if table.plies:
        raise ConflictError("moved", "Somebody has moved: resign instead.")
    if aborted.counts(table, seat, now=now):
        get_user_model().objects.select_for_update(no_key=True).get(pk=seat.account_id or 0)  # not twice at once
        is_lost = aborted.is_too_many(seat)
        seat.aborted_at = now
        seat.save(update_fields=["aborted_at"])
        if is_lost:
            return resign(key, person, now=now)
    finishing.abort(table, by=seat.letter, now=now)
    return table


def _playing(key: str, person: Person, letter: str) -> tuple[Table, TableSeat]:
    """Return a table, locked, with the seat of the person who acts."""
    table = locked(key)
    if table.state != Table.State.PLAYING:
        raise ConflictError("not_playing", "No game is being played at this table.")
    seats = seats_of(table)
    if table.hot_seat and person.opened(table):
        own = next((seat for seat in seats if seat.letter == (letter or table.turn)), None)
    else:
        own = next((seat for seat in seats if person.sits_in(seat) and letter in ("", seat.letter)), None)
    if own is None:
        raise PlayError("not_seated", "You do not play at this table.")
    return table, own


def _check_in_time(table: Table, now: datetime) -> None:
    """Refuse a draw or an abort once the clock has run out: then the worker ends the game on time."""
    if clocks.is_overdue(table, now):
        raise ConflictError("time_out", "The time of the seat to act is up.")


def time_out_due(*, now: datetime) -> int:
    """End the games of seats whose time is up, even if nobody watches; the worker calls it. :returns: how many."""
    due = Table.objects.filter(state=Table.State.PLAYING, deadline__lte=now).order_by("deadline")
    count = 0
    for key in list(due.values_list("key", flat=True)[:BATCH]):
        count += _time_out(key, now)
    return count


@transaction.atomic
def _time_out(key: str, now: datetime) -> bool:
    table = locked(key)
    if not clocks.is_overdue(table, now):
        return False  # somebody acted meanwhile
    acting.leave_game(table, "timeout", table.turn, now=now)
    return True
