"""Clocks: how much time a seat has left, when its time is up, and what a turn costs."""

from datetime import datetime, timedelta

from games.models import Table, TableSeat

_SECOND = 1000


def wind(table: Table, seats: list[TableSeat]) -> None:
    """Give every seat the time with which a game begins."""
    for seat in seats:
        seat.clock = table.time_base * _SECOND if table.time_kind == Table.Time.MINUTES else None


def charge(table: Table, seat: TableSeat, *, passes: bool, now: datetime) -> None:
    """Take the time since its clock began from a seat, and add the increment when its turn is over."""
    if seat.clock is not None and table.turn_since is not None:
        spent = round((now - table.turn_since).total_seconds() * _SECOND)
        seat.clock = max(0, seat.clock - max(0, spent)) + (table.time_step * _SECOND if passes else 0)


def start(table: Table, seat: TableSeat, *, anew: bool, now: datetime) -> None:
    """Start the clock of the seat to act.

    :param anew: whether its turn begins; days are counted from then.
    """
    if anew or table.time_kind == Table.Time.MINUTES or table.turn_since is None:
        table.turn_since = now
    table.turn = seat.letter
    if table.time_kind == Table.Time.NONE:
        table.deadline = None
    elif table.time_kind == Table.Time.DAYS:
        table.deadline = table.turn_since + timedelta(seconds=table.time_base)
    else:
        table.deadline = now + timedelta(milliseconds=seat.clock or 0)


def stop(table: Table) -> None:
    """Stop all clocks: the game is over."""
    table.turn, table.turn_since, table.deadline = "", None, None


def is_overdue(table: Table, now: datetime) -> bool:
    """Return whether the seat to act has no time left."""
    return table.state == Table.State.PLAYING and table.deadline is not None and table.deadline <= now
