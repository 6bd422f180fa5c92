"""Reading who sits at a table, and its rematch."""

from games.models import Table, TableSeat
from games.playing.reads.people import Person


def seats_of(table: Table) -> list[TableSeat]:
    """Return the seats of a table in the order of joining."""
    return sorted(table.seats.all(), key=lambda seat: seat.joined)


def seat_with(table: Table, letter: str) -> TableSeat:
    """Return the seat of a colour.

    :raises TableSeat.DoesNotExist: when nobody has it.
    """
    return table.seats.get(letter=letter)


def seat_of(key: str, person: Person) -> int | None:
    """Return the number of the seat that somebody has at a table where a game is open or goes on; none without one."""
    if not person.is_somebody:
        return None
    seats = TableSeat.objects.filter(table__key=key, table__state__in=(Table.State.OPEN, Table.State.PLAYING), bot="")
    return next((seat.pk for seat in seats if person.sits_in(seat)), None)


def current_rematch(table: Table) -> Table | None:
    """Return the rematch of a table, unless it was cancelled."""
    return table.rematches.exclude(state=Table.State.CANCELLED).first()
