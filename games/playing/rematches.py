"""A rematch: the next game of those who sat at a table, which each of them takes part in by one act."""

from datetime import datetime

from django.db import transaction

from games.models import Table, TableSeat
from games.playing import dealing, events, opening
from games.playing.errors import ConflictError, PlayError
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person
from games.playing.reads.seats import current_rematch, seats_of
from games.playing.rows import locked


@transaction.atomic
def rematch(key: str, person: Person, *, entropy: str = "", now: datetime) -> Table:
    """Ask for a rematch by sitting down at its table, or accept it by joining who asked; with bots it begins at once.

    The settings are the same, and the seats are turned: whoever was second begins. A rematch that was cancelled can be
    asked for again.

    :param entropy: what the player adds to the deal; drawn here if empty.
    :raises PlayError: when this one did not play there, or may not join, or the game is not over.
    """
    table = locked(key)
    seats = seats_of(table)
    own = next((seat for seat in seats if person.sits_in(seat)), None)
    if own is None and not (table.hot_seat and person.opened(table)):
        raise PlayError("not_seated", "You have no seat at this table.")
    if table.state not in (Table.State.FINISHED, Table.State.ABORTED):
        raise ConflictError("not_over", "The game is not over.")
    found = current_rematch(table) or _open(table, seats, person, now)
    if found.state == Table.State.OPEN and not any(person.sits_in(seat) for seat in seats_of(found)):
        opening.join(found.key, person, _addition(found, own, entropy), now=now)
        found.refresh_from_db()
    return found


def _open(table: Table, seats: list[TableSeat], person: Person, now: datetime) -> Table:
    table.rematches.update(rematch_of=None)  # what was cancelled is none any more
    others = [seat.account for seat in seats if seat.account and not person.sits_in(seat)]
    only_accounts = len(others) == table.places - 1
    options = TableOptions(
        ruleset=table.ruleset,
        places=table.places,
        first=Table.First.TURNED,
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
    name = next((seat.name for seat in seats if person.sits_in(seat)), "")
    events.append(table, "rematch", {"key": opened.key, "name": name}, now=now)
    table.save(update_fields=["last_event"])
    return opened


def _addition(found: Table, own: TableSeat | None, entropy: str) -> Addition:
    """Return what a player brings to the rematch: the same colour, where there is a choice and it is free."""
    has_choice = own is not None and not dealing.fixed_colours(found.ruleset, found.places)
    taken = {seat.letter for seat in seats_of(found)}
    letter = own.letter if own and has_choice and own.letter not in taken else ""
    return Addition(entropy or opening.fresh_entropy(), letter)
