"""Reading which tables concern whom, and where it is somebody's turn; people are named as in streams."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.models import Table, TableSeat
from games.playing.reads.people import Person

_ACCOUNT, _GUEST = "account", "guest"
_AND = ","
_MOST = 100


def name_of(person: Person) -> str:
    """Return how a stream names somebody: an account is also the guest it was before."""
    if person.account is None:
        return f"{_GUEST}:{person.guest}"
    account = f"{_ACCOUNT}:{person.account.pk}"
    return f"{account}{_AND}{_GUEST}:{person.earlier}" if person.earlier else account


def person_named(name: str) -> Person:
    """Return whom a stream's name means. An account is known by its number alone."""
    by_kind = dict(one.split(":") for one in name.split(_AND))
    if _ACCOUNT not in by_kind:
        return Person(guest=by_kind[_GUEST])
    return Person(account=get_user_model()(pk=int(by_kind[_ACCOUNT])), earlier=by_kind.get(_GUEST, ""))


def seated_at(keys: Collection[str], people: Collection[str]) -> set[str]:
    """Return whom of these people any of the tables concerns, because they sit or are invited there."""
    seated = {_named(seat) for seat in _seats(people).filter(table__key__in=keys).only("account_id", "guest")}
    asked = {f"{_ACCOUNT}:{account}" for account, _ in _invitations(people).filter(table__key__in=keys)}
    called = _called(people)
    return {person for one in seated | asked for person in called[one]}


def invited(people: Collection[str]) -> Mapping[str, list[Table]]:
    """Return the tables to which people are invited and at which they have not sat down, the newest first."""
    found = defaultdict[str, list[Table]](list)
    asked = _invitations(people).filter(table__state=Table.State.OPEN)
    taken = TableSeat.objects.filter(table=OuterRef("table"), account=OuterRef("user"))
    pairs = list(asked.exclude(Exists(taken)).order_by("-table")[: _MOST * max(1, len(people))])
    tables = Table.objects.in_bulk({table for _, table in pairs})
    called = _called(people)
    sits = _with_seats_of_guests(called, tables)
    for account, table in pairs:
        for person in called[f"{_ACCOUNT}:{account}"]:
            if (person, table) not in sits:
                found[person].append(tables[table])
    return found


def _with_seats_of_guests(called: Mapping[str, list[str]], tables: Collection[int]) -> set[tuple[str, int]]:
    """Return who sits at which of some tables as the guest that they were before.

    :param called: the people by what each of them is.
    """
    seats = TableSeat.objects.filter(table__in=tables, guest__in=_by_kind(called)[_GUEST]).exclude(guest="")
    pairs = seats.values_list("guest", "table")
    return {(person, table) for guest, table in pairs for person in called[f"{_GUEST}:{guest}"]}


def to_act(people: Collection[str]) -> Mapping[str, list[TableSeat]]:
    """Return the seats at which it is somebody's turn, with their tables, who waits longest first."""
    found, called = defaultdict[str, list[TableSeat]](list), _called(people)
    seats = _seats(people).filter(table__state=Table.State.PLAYING, letter=F("table__turn"))
    for seat in seats.select_related("table").order_by("table__turn_since", "pk")[: _MOST * max(1, len(people))]:
        for person in called[_named(seat)]:
            found[person].append(seat)
    return found


def _invitations(people: Iterable[str]) -> Any:  # noqa: ANN401 (of a table without a model of its own)
    """Return who of some people is invited where, as pairs of an account and a table."""
    accounts = map(int, _by_kind(people)[_ACCOUNT])
    return Table.invited.through.objects.filter(user__in=accounts).values_list("user", "table")


def _called(people: Iterable[str]) -> Mapping[str, list[str]]:
    """Return the people by the account and by the guest that each of them is."""
    called = defaultdict[str, list[str]](list)
    for person in people:
        for one in person.split(_AND):
            called[one].append(person)
    return called


def _by_kind(people: Iterable[str]) -> Mapping[str, list[str]]:
    by_kind = defaultdict[str, list[str]](list)
    for name in _called(people):
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
