"""A rematch: another table of the same kind, to which those who sat there are invited."""

from datetime import datetime

from django.db import transaction

from games.models import Table
from games.playing import events, opening
from games.playing.errors import ConflictError, PlayError
from games.playing.opening import TableOptions
from games.playing.reads.people import Person
from games.playing.reads.seats import seats_of
from games.playing.rows import locked


@transaction.atomic
def rematch(key: str, person: Person, *, now: datetime) -> Table:
    """Open the rematch, or return the one that somebody of the table has opened.

    :raises PlayError: when this one did not play there, or the game is not over.
    """
    table = locked(key)
    seats = seats_of(table)
    if not (any(person.sits_in(seat) for seat in seats) or (table.hot_seat and person.opened(table))):
        raise PlayError("not_seated", "You have no seat at this table.")
    if table.state not in (Table.State.FINISHED, Table.State.ABORTED):
        raise ConflictError("not_over", "The game is not over.")
    if found := table.rematches.first():
        return found
    others = [seat.account for seat in seats if seat.account and not person.sits_in(seat)]
    only_accounts = len(others) == table.places - 1
    options = TableOptions(
        ruleset=table.ruleset,
        places=table.places,
        first=table.first,
        rated=table.rated,
        hot_seat=table.hot_seat,
        time_kind=table.time_kind,
        time_base=table.time_base,
        time_step=table.time_step,
        visibility=Table.Visibility.NAMES if only_accounts else Table.Visibility.LINK,
        invited=others if only_accounts else (),
        bots=table.bots,
    )
    opened = opening.open_table(options, person, now=now, rematch_of=table)
    events.append(table, "rematch", {"key": opened.key}, now=now)
    table.save(update_fields=["last_event"])
    return opened
