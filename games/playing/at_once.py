"""Playing at once: a table is opened, and its opener sits down there, in one act."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from engine.registry import RULESETS
from engine.ruleset import First
from games.models import Table
from games.playing import acting, dealing, finishing, opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person


@transaction.atomic
def play_at_once(
    options: TableOptions, person: Person, addition: Addition, *, lays: bool, network: str, now: datetime
) -> Table:
    """Open a table and sit down there. With bots the game begins.

    :param lays: whether the player wants to lay the setup where the first player does; else it is laid.
    :raises PlayError: as `opening.open_table` and `opening.join`; there is no table then.
    """
    table = opening.open_table(options, person, network=network, now=now)
    if dealing.fixed_colours(table.ruleset, table.places):
        addition = replace(addition, letter="")  # of these rules there is none to choose: another edition has colours
    opening.join(table.key, person, addition, now=now)
    table.refresh_from_db()
    waits = table.state == Table.State.PLAYING and not table.setup
    if waits and not lays and acting.may_act(table, person, table.turn):
        acting.act(table.key, person, ply=-1, token=finishing.suggested_setup(table), now=now)
        table.refresh_from_db()
    return table


def firsts_without_age(slug: str, places: int) -> tuple[First, ...]:
    """Return in which ways it may be settled who begins if nobody is asked for their age; none of an unknown game."""
    ways = (ruleset.dealer.first(places) for ruleset in RULESETS if ruleset.slug == slug)
    return tuple(first for first in next(ways, ()) if first != First.OLDEST)
