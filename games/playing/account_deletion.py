"""Deletion of an account: what happens to its tables."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import QuerySet

from games.models import Table, TableEvent, TableSeat
from games.playing import leaving, opening
from games.playing.errors import PlayError
from games.playing.reads.people import Person


def leave_tables(account: AbstractBaseUser, *, now: datetime) -> None:
    """Cancel an account's open tables, give up its seats at others', and resign its games."""
    person = Person(account=account)
    for key in _keys(Table.objects.filter(opened_by=account.pk, state=Table.State.OPEN)):
        opening.cancel(key, person, now=now)
    for key in _keys(Table.objects.filter(seats__account=account.pk, state=Table.State.OPEN)):
        opening.leave(key, person, now=now)
    for key in _keys(Table.objects.filter(seats__account=account.pk, state=Table.State.PLAYING)):
        with suppress(PlayError):  # it has resigned already
            leaving.resign(key, person, now=now)


def _keys(tables: "QuerySet[Table]") -> list[str]:
    return list(tables.order_by("pk").values_list("key", flat=True))


def rename(account: AbstractBaseUser, becomes: str) -> None:
    """Replace an account's name at its tables and in their events."""
    for seat in TableSeat.objects.filter(account=account.pk).order_by("pk"):
        was, seat.name = seat.name, becomes
        seat.save(update_fields=["name"])
        for event in TableEvent.objects.filter(table=seat.table_id, kind__in=("joined", "left", "begun", "phrase")):
            event.body = _renamed(event.body, was, becomes)
            event.save(update_fields=["body"])


def _renamed(body: dict[str, Any], was: str, becomes: str) -> dict[str, Any]:
    joined = [one | {"name": becomes} if one["name"] == was else one for one in body.get("joined", [])]
    more = {"joined": joined} if joined else {}
    return body | more | ({"name": becomes} if body.get("name") == was else {})
