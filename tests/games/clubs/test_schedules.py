"""Which tables of a schedule were played, counted by the database."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.clubs import running
from games.clubs.reads.points import games_at
from games.models import Player
from tests.games.evenings import play

pytestmark = pytest.mark.django_db


def test_a_table_was_played_as_often_as_exactly_its_members_met(alice: User, bob: User, now: datetime) -> None:
    club = running.found(slug="formica", name="Formica", meets="", main_ruleset="", by=alice, now=now)
    owner, ada = club.members.get(), running.add_by_name(club, "Ada", by=alice, now=now)
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=alice)
    pair, three = [(["Xenia", "Ada"], [1, 2])], [(["Xenia", "Ada", "Guest"], [1, 2, 3])]
    play(pair * 2 + three, now, club=club)
    Player.objects.filter(name="Xenia").update(account=alice)
    tables = [(owner.pk, ada.pk), (ada.pk,)]
    assert games_at(club, season, tables) == {frozenset(tables[0]): 2}
    Player.objects.filter(name="Ada").update(account=bob)  # who is no member: the name added by the organiser counts
    assert games_at(club, season, tables) == {frozenset(tables[0]): 2}
