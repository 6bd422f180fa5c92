"""Reading who sits at a table, and its rematch."""

from games.models import Table, TableSeat


def seats_of(table: Table) -> list[TableSeat]:
    """Return the seats of a table in the order of joining."""
    return list(table.seats.order_by("joined"))


def seat_with(table: Table, letter: str) -> TableSeat:
    """Return the seat of a colour.

    :raises TableSeat.DoesNotExist: when nobody has it.
    """
    return table.seats.get(letter=letter)


def current_rematch(table: Table) -> Table | None:
    """Return the rematch of a table, unless it was cancelled."""
    return table.rematches.exclude(state=Table.State.CANCELLED).first()
