"""Answers to invitations."""

from datetime import datetime

from django.db import transaction

from games.models import Table
from games.playing import events
from games.playing.errors import ConflictError, PlayError
from games.playing.reads.people import Person
from games.playing.rows import locked


@transaction.atomic
def decline(key: str, person: Person, *, now: datetime) -> Table:
    """Decline an invitation, so that the account that opened the table knows.

    :raises Table.DoesNotExist: when there is no such table.
    :raises PlayError: when this one is not invited there, or the game has begun.
    """
    table = locked(key)
    if table.state != Table.State.OPEN:
        raise ConflictError("not_open", "This table takes no more players.")
    if not (person.account and table.invited.filter(pk=person.account.pk).exists()):
        raise PlayError("not_invited", "This table is for invited players.")
    table.invited.remove(person.account.pk)
    events.append(table, "declined", {"name": person.account.get_username()}, now=now)
    table.save(update_fields=["last_event"])
    return table
