"""Reading the tables that wait for a bot."""

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Table, TableSeat


def waiting() -> QuerySet[Table]:
    """Return the tables at which people wait for a bot to act, the longest wait first."""
    return _bots_turn().filter(Exists(people())).order_by("turn_since", "pk")


def exhibitions() -> QuerySet[Table]:
    """Return the tables at which bots play each other, which go on slowly, one action a sweep."""
    return _bots_turn().exclude(Exists(people())).order_by("pk")


def anything_waits() -> bool:
    """Return whether a bot has to act for which people wait."""
    return waiting().exists()


def people() -> QuerySet[TableSeat]:
    """Return the seats of people at the table of an outer query."""
    return TableSeat.objects.filter(table=OuterRef("pk"), bot="")


def _bots_turn() -> QuerySet[Table]:
    to_act = TableSeat.objects.filter(table=OuterRef("pk"), letter=OuterRef("turn")).exclude(bot="")
    return Table.objects.filter(Exists(to_act), state=Table.State.PLAYING)


__all__ = ["anything_waits", "exhibitions", "people", "waiting"]
