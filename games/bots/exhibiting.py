"""Games between bots, so that there is always a game to watch, and a ladder of bots."""

from datetime import datetime
from itertools import combinations
from secrets import choice

from django.db import transaction
from django.db.models import Exists

from engine.registry import RULESETS
from engine.searching import Strength
from games.bots.reads import people
from games.models import Table
from games.platform import locks
from games.playing.opening import BOTS_ADDITION, TableOptions, join, open_table
from games.playing.reads.people import Person


@transaction.atomic
def keep_going(count: int, *, now: datetime) -> int:
    """Open the missing tables, with the rulesets in turn. :returns: how many."""
    if not count or not locks.is_free("exhibitions"):
        return 0
    opened = Table.objects.filter(opened_by=None, opened_by_guest="").exclude(Exists(people()))
    going_on, ever = opened.filter(state=Table.State.PLAYING).count(), opened.count()
    for number in range(ever, ever + count - going_on):
        _open(RULESETS[number % len(RULESETS)].slug, now)
    return max(0, count - going_on)


def _open(ruleset: str, now: datetime) -> None:
    first, second = choice([*combinations(Strength, 2)])
    if choice((True, False)):
        first, second = second, first
    options = TableOptions(ruleset=ruleset, bots=(second,), rated=True)
    table = open_table(options, Person(bot=first), now=now)
    join(table.key, Person(bot=first), BOTS_ADDITION, now=now)
