"""Reading lists of tables: to join, to watch, and one's own."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, Concat, RowNumber

from games.models import Table, TableSeat
from games.playing.reads.people import Person

MOST = 100
"""Tables in one list."""
MOST_EACH = 3
"""Open tables of one account, or of the guests of one network, in a list: nobody fills it alone."""
_OPENER = Case(
    When(opened_by__isnull=False, then=Concat(Value("account "), Cast("opened_by", CharField()))),
    When(~Q(opened_from=""), then=F("opened_from")),
    default=F("opened_by_guest"),
    output_field=CharField(),
)
_NUMBER = Window(RowNumber(), partition_by=_OPENER, order_by=[F("opened_at").desc(), F("pk").desc()])
_SEATS = Prefetch("seats", TableSeat.objects.order_by("joined"))
_LATELY = timedelta(minutes=10)
_LOOKED_AT = 20
_ONGOING = (Table.State.OPEN, Table.State.PLAYING)


@dataclass(frozen=True, slots=True)
class TableFilter:
    """Which tables are wanted; empty fields do not filter."""

    ruleset: str = ""
    time_kind: str = ""
    rated: bool | None = None

    def __bool__(self) -> bool:
        return self != TableFilter()

    def of(self, tables: "QuerySet[Table]") -> "QuerySet[Table]":
        """Return those of some tables that are wanted."""
        values = {"ruleset": self.ruleset, "time_kind": self.time_kind, "rated": self.rated}
        return tables.filter(**{name: value for name, value in values.items() if value not in ("", None)})


ANY = TableFilter()


def open_tables(wanted: TableFilter = ANY) -> "QuerySet[Table]":
    """Return the tables that anybody may join and whose opener sits there, newest first."""
    tables = Table.objects.filter(state=Table.State.OPEN, visibility=Table.Visibility.OPEN, seats__joined=0)
    tables = wanted.of(tables).annotate(number_of_opener=_NUMBER).filter(number_of_opener__lte=MOST_EACH)
    return tables.order_by("-opened_at", "-pk").prefetch_related(_SEATS)[:MOST]


def tables_to_watch(wanted: TableFilter = ANY) -> "QuerySet[Table]":
    """Return the tables at which a game goes on, the newest first."""
    tables = wanted.of(Table.objects.filter(state=Table.State.PLAYING))
    return tables.order_by("-begun_at", "-pk").prefetch_related(_SEATS)[:MOST]


def tables_with(accounts: Collection[int], most: int) -> "QuerySet[Table]":
    """Return the open tables and games, visible to anybody, at which one of some accounts sits, the newest first."""
    seats = TableSeat.objects.filter(table=OuterRef("pk"), account__in=accounts)
    tables = Table.objects.filter(Exists(seats), state__in=_ONGOING, visibility=Table.Visibility.OPEN, hot_seat=False)
    return tables.order_by("-opened_at", "-pk").prefetch_related(_SEATS)[:most]


def version() -> str:
    """Return a text that changes whenever a table is opened, taken, left, begun or over."""
    ongoing = Table.objects.filter(state__in=_ONGOING)
    tables = ongoing.values_list("state").annotate(Count("pk"), Sum("pk")).order_by("state")
    seats = TableSeat.objects.filter(table__state=Table.State.OPEN).aggregate(Count("pk"), Sum("pk"))
    return sha256(repr([*tables, *seats.values()]).encode()).hexdigest()[:16]


def table_on_show(*, now: datetime) -> Table | None:
    """Return a table of an open game that moved lately, for everybody to watch: one of people, if there is any."""
    going_on = Table.objects.filter(state=Table.State.PLAYING, visibility=Table.Visibility.OPEN, hot_seat=False)
    moved = going_on.filter(plies__gt=0, turn_since__gte=now - _LATELY).order_by("-turn_since", "pk")
    tables = list(moved.prefetch_related(_SEATS)[:_LOOKED_AT])
    return min(tables, key=lambda table: any(seat.bot for seat in table.seats.all()), default=None)


def tables_of(person: Person) -> "QuerySet[Table]":
    """Return somebody's open and running tables and their invitations, those to act at first."""
    if not person.is_somebody:
        return Table.objects.none()
    mine = _seats(person) | _opened(person)
    return (
        Table.objects.filter(mine, state__in=_ONGOING)
        .distinct()
        .order_by("-begun_at", "-opened_at", "-pk")
        .prefetch_related(_SEATS)[:MOST]
    )


def is_turn_of(person: Person, table: Table) -> bool:
    """Return whether somebody is to act at a table, whose seats were read with it."""
    if not table.turn or (table.hot_seat and person.opened(table)):
        return bool(table.turn)
    return any(seat.letter == table.turn and person.sits_in(seat) for seat in table.seats.all())


def is_invited(person: Person, table: Table) -> bool:
    """Return whether somebody can still sit down at one of their tables that others opened."""
    open_to_them = table.state == Table.State.OPEN and not person.opened(table)
    return open_to_them and not any(person.sits_in(seat) for seat in table.seats.all())


def count_as_guest(guest: str) -> int:
    """Return at how many tables that are not over a guest sits."""
    if not guest:
        return 0
    return TableSeat.objects.filter(guest=guest, table__state__in=(Table.State.OPEN, Table.State.PLAYING)).count()


def _seats(person: Person) -> Q:
    if person.account:
        account = person.account.pk
        theirs = Q(seats__account=account) | Q(invited=account, state=Table.State.OPEN)
        return theirs | Q(seats__guest=person.earlier) if person.earlier else theirs
    return Q(seats__guest=person.guest)


def _opened(person: Person) -> Q:
    if person.account is None:
        return Q(opened_by_guest=person.guest)
    theirs = Q(opened_by=person.account.pk)
    return theirs | Q(opened_by_guest=person.earlier) if person.earlier else theirs
