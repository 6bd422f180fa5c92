"""The version of the lists of tables: another one whenever they show something else."""

from datetime import datetime

import pytest

from games.models import Table
from games.playing import leaving, opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads import lists
from tests.games.playing.seating import fresh, guests, play, seated

pytestmark = pytest.mark.django_db


def test_each_change_of_the_lists_is_another_version(now: datetime) -> None:
    one, other = guests(2)
    versions = [lists.version()]
    table = opening.open_table(TableOptions(ruleset="army-ants", places=2), one, now=now)
    versions.append(lists.version())
    for number, person in enumerate((one, other)):
        opening.join(table.key, person, Addition(f"entropy-{number}"), now=now)
        versions.append(lists.version())
    leaving.abort(table.key, one, now=now)
    assert fresh(table).state == Table.State.ABORTED
    assert len({*versions, lists.version()}) == 4, "at the end it is empty, as at the beginning"
    assert lists.version() == versions[0]


def test_actions_leave_the_version_as_it_is(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "army-ants")
    version = lists.version()
    play(table, people, now, most=3)
    assert lists.version() == version
