"""Games to confirm are found through the account's own seats, however many games there are."""

import re
from datetime import datetime
from random import Random

import pytest
from django.contrib.auth.models import User
from django.db import connection

from games.consent.reads.eligibility import games_waiting
from games.models import Acceptance, Player
from games.platform.paging import Span
from tests.games.fabricated import evenings, fabricate
from tests.plans import plans, plans_of

GAMES, PLAYERS = 4000, 3000


@pytest.mark.full
@pytest.mark.django_db
def test_games_to_confirm_are_found_through_the_seat_index(alice: User, now: datetime) -> None:
    people = fabricate(evenings(GAMES, PLAYERS, Random(1)), PLAYERS)
    Acceptance.objects.filter(pk__in=Acceptance.objects.values("pk")[:10]).delete()
    Player.objects.filter(pk=people[0]).update(account=alice)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")

    assert plans_of(lambda: games_waiting(alice.pk, Span(), now=now)) == []
    (plan,) = (plan for plan in plans(lambda: games_waiting(alice.pk, Span(), now=now)) if "LIMIT" in plan.sql)
    assert re.search(r"Index .*on games_seating", plan.text)
    assert "game_newest" not in plan.text
