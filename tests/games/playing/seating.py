"""Custom-made tables with players."""

from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.contrib.auth.models import User

from games.models import Table
from games.playing import acting, finishing, opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person, guest_of
from games.playing.reads.position import position_of

RULESETS = ("atta-ants-online", "atta-ants-2003", "ant-trails-2020", "army-ants")


def guests(count: int) -> list[Person]:
    """Return guests."""
    return [Person(guest=guest_of(f"token {number}")) for number in range(count)]


def accounts(count: int) -> list[Person]:
    """Return accounts."""
    names = ("Ada", "Bruno", "Cleo", "Dora")[:count]
    return [Person(account=User.objects.create_user(name)) for name in names]


def seated(people: Sequence[Person], now: datetime, ruleset: str = "atta-ants-online", **options: Any) -> Table:
    """Return a table with players whose game has started."""
    table = opening.open_table(TableOptions(ruleset=ruleset, places=len(people), **options), people[0], now=now)
    for number, person in enumerate(people):
        opening.join(table.key, person, Addition(f"entropy-{number}"), now=now)
    return fresh(table)


def fresh(table: Table) -> Table:
    """Return the current table."""
    return Table.objects.get(pk=table.pk)


def whose_turn(table: Table, people: Sequence[Person]) -> Person:
    """Return the player to act."""
    return next(person for person in people if acting.may_act(table, person, table.turn))


def lay_setup(table: Table, people: Sequence[Person], now: datetime) -> Table:
    """Let the first player lay the setup, if the rules say so."""
    if not table.setup:
        setup = finishing.suggested_setup(table)
        acting.act(table.key, whose_turn(table, people), ply=-1, token=setup, now=now)
    return fresh(table)


def play(table: Table, people: Sequence[Person], now: datetime, *, most: int = 2000, chance: int = 1) -> Table:
    """Play at random until the game is over or this many actions were played."""
    numbers, table = Random(chance), lay_setup(table, people, now)
    for _ in range(most):
        if table.state != Table.State.PLAYING:
            break
        token = numbers.choice(position_of(table).legal(table.drawn))
        table = acting.act(table.key, whose_turn(table, people), ply=table.plies, token=token, now=now).table
    return table
