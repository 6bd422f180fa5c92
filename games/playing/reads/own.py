"""Reading which tables concern whom, and where it is somebody's turn; people are named as in streams."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.models import Table, TableSeat
from games.playing.reads.people import Person

_ACCOUNT, _GUEST = "account", "guest"
_MOST = 100


def name_of(person: Person) -> str:
    """Return how a stream names somebody."""
    return f"{_ACCOUNT}:{person.account.pk}" if person.account else f"{_GUEST}:{person.guest}"


def names_of(person: Person) -> list[str]:
    """Return all names of somebody: an account is also the guest it was before."""
    earlier = [f"{_GUEST}:{person.earlier}"] if person.earlier else []
    return [name_of(person), *earlier] if person.is_somebody else []


def seated_at(keys: Collection[str], people: Collection[str]) -> set[str]:
    """Return whom of these people any of the tables concerns, because they sit or are invited there."""
    seated = {_named(seat) for seat in _seats(people).filter(table__key__in=keys).only("account_id", "guest")}
    return seated | {f"{_ACCOUNT}:{account}" for account, _ in _invitations(people).filter(table__key__in=keys)}


def invited(people: Collection[str]) -> Mapping[str, list[Table]]:
    """Return the tables to which people are invited and at which they have not sat down, the newest first."""
    found = defaultdict[str, list[Table]](list)
    asked = _invitations(people).filter(table__state=Table.State.OPEN)
    taken = TableSeat.objects.filter(table=OuterRef("table"), account=OuterRef("user"))
    pairs = list(asked.exclude(Exists(taken)).order_by("-table")[: _MOST * max(1, len(people))])
    tables = Table.objects.in_bulk({table for _, table in pairs})
    for account, table in pairs:
        found[f"{_ACCOUNT}:{account}"].append(tables[table])
    return found


def to_act(people: Collection[str]) -> Mapping[str, list[TableSeat]]:
    """Return the seats at which it is somebody's turn, with their tables, who waits longest first."""
    found = defaultdict[str, list[TableSeat]](list)
    seats = _seats(people).filter(table__state=Table.State.PLAYING, letter=F("table__turn"))
    for seat in seats.select_related("table").order_by("table__turn_since", "pk")[: _MOST * max(1, len(people))]:
        found[_named(seat)].append(seat)
    return found


def _invitations(people: Iterable[str]) -> Any:  # noqa: ANN401 (of a table without a model of its own)
    """Return who of some people is invited where, as pairs of an account and a table."""
    accounts = map(int, _by_kind(people)[_ACCOUNT])
    return Table.invited.through.objects.filter(user__in=accounts).values_list("user", "table")


def _by_kind(people: Iterable[str]) -> Mapping[str, list[str]]:
    by_kind = defaultdict[str, list[str]](list)
    for name in people:
        kind, _, value = name.partition(":")
        by_kind[kind].append(value)
    return by_kind


def _seats(people: Iterable[str]) -> QuerySet[TableSeat]:
    """Return the seats of some people; those on one screen, whose turn it always is, are left out."""
    by_kind = _by_kind(people)
    theirs = Q(account__in=map(int, by_kind[_ACCOUNT])) | Q(guest__in=by_kind[_GUEST])
    return TableSeat.objects.filter(theirs, table__hot_seat=False).exclude(account=None, guest="")


def _named(seat: TableSeat) -> str:
    return f"{_GUEST}:{seat.guest}" if seat.guest else f"{_ACCOUNT}:{seat.account_id}"
