"""The page of a table, put together from what is stored while others go on playing."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Table
from games.playing import leaving, opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads.state import table_json
from games.web.play.table import table_page
from tests.games.playing.seating import accounts, fresh, guests, play, seated, whose_turn
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db


def test_actions_stored_while_a_page_is_put_together_are_left_to_the_next(now: datetime) -> None:
    people = guests(2)
    before = play(seated(people, now), people, now, most=3)
    play(fresh(before), people, now, most=2)
    page = table_page(before, people[0])
    assert sum(len(turn.tokens) for turn in page.moves) == page.ply == 3
    assert page.position
    assert page.position["ply"] == len(table_json(before, people[0])["tokens"]) == 3


def part(client: Client, table: Table) -> str:
    return words_of(client.get(f"/play/{table.key}/?parts").content.decode())


def test_who_won_stands_above_the_places_once_a_game_is_over(now: datetime, client: Client) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=3)
    leaving.resign(table.key, whose_turn(table, people), now=now)
    first, second = sorted(table_page(fresh(table), people[0]).seats, key=lambda seat: seat.place or 0)
    words = part(client, table)
    assert f"{first.name} won. {first.letter} {first.name} 1st {second.letter} {second.name} 2nd" in words


def test_only_who_can_complete_a_table_reads_that_it_is_ready_to_start(now: datetime, client: Client) -> None:
    (ada,) = accounts(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", places=2, rated=True), ada, now=now)
    opening.join(table.key, ada, Addition("entropy"), now=now)
    words = part(client, table)
    assert "Waiting for players" in words
    assert "Ready to start" not in words
    client.force_login(User.objects.create_user("Bruno"))
    assert "Ready to start" in part(client, table)


def test_a_rated_table_leads_guests_to_signing_in_and_back(now: datetime, client: Client) -> None:
    (ada,) = accounts(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", places=2, rated=True), ada, now=now)
    opening.join(table.key, ada, Addition("entropy"), now=now)
    html = client.get(f"/play/{table.key}/").content.decode()
    assert f'href="/account/login/?next=/play/{table.key}/">Sign in</a>' in html
    client.force_login(User.objects.create_user("Bruno"))
    assert "?next=/play/" not in client.get(f"/play/{table.key}/").content.decode()
