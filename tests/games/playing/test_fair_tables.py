"""Nobody chooses deals by aborting, or fills the list of open tables."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.models import Table, TableSeat
from games.playing import acting, leaving, opening
from games.playing.errors import ConflictError
from games.playing.opening import Addition, TableOptions
from games.playing.reads import lists
from games.playing.reads.people import Person
from games.playing.reads.state import table_json
from tests.games.playing.seating import RULESETS, accounts, fresh, guests, seated

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def rated(people: list[Person], now: datetime, ruleset: str = "army-ants") -> Table:
    return seated(people, now, ruleset, rated=True)


def abort(people: list[Person], by: Person, now: datetime, ruleset: str = "army-ants") -> Table:
    """Begin a rated game and abort it; return the table as it is then."""
    return fresh(leaving.abort(rated(people, now, ruleset).key, by, now=now))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_third_of_ten_rated_games_that_is_aborted_is_lost(ruleset: str, now: datetime) -> None:
    people = accounts(2)
    aborter, other = people
    assert [abort(people, aborter, now, ruleset).state for _ in range(2)] == [Table.State.ABORTED] * 2
    table = rated(people, now, ruleset)
    assert "abort" not in table_json(table, aborter, now=now)["may"]
    assert "abort" in table_json(table, other, now=now)["may"]
    table = leaving.abort(table.key, aborter, now=now)
    assert (table.state, table.termination) == (Table.State.FINISHED, "resigned")
    lost = table.seats.get(account__username="Ada")
    assert table.placements
    assert table.placements[table.seats_line.split(" ").index(lost.letter)] == 2


def test_who_aborts_three_of_ten_plays_unrated_for_a_day(now: datetime) -> None:
    people = accounts(3)[:2]
    for _ in range(3):
        abort(people, people[0], now)
    again = TableOptions(ruleset="army-ants", places=2, rated=True)
    with pytest.raises(ConflictError, match="You aborted 3 of your last 10 rated games, so you play training games"):
        opening.open_table(again, people[0], now=now + DAY - timedelta(minutes=1))
    table = opening.open_table(again, people[1], now=now)
    opening.join(table.key, people[1], Addition("one"), now=now)
    with pytest.raises(ConflictError, match="until 2026-03-15 15:09 UTC"):
        opening.join(table.key, people[0], Addition("two"), now=now)
    assert seated(people, now, "army-ants").state == Table.State.PLAYING, "training games go on"
    opening.join(table.key, people[0], Addition("two"), now=now + DAY)
    assert fresh(table).state == Table.State.PLAYING


def test_an_abort_counts_for_who_asked_first_and_only_in_rated_games(now: datetime) -> None:
    people = accounts(2)
    for _ in range(2):
        abort(people, people[0], now)
    for _ in range(5):
        leaving.abort(seated(people, now, "army-ants").key, people[1], now=now)
    table = abort(people, people[1], now)
    assert table.state == Table.State.ABORTED, "training games do not count"
    assert [seat.aborted_at is None for seat in table.seats.order_by("joined")] == [True, False]
    assert abort(people, people[0], now).state == Table.State.FINISHED


def test_who_waits_long_for_the_first_move_may_abort_as_often_as_they_like(now: datetime) -> None:
    people = accounts(2)
    for _ in range(4):
        table = rated(people, now)
        waiting = next(one for one in people if not acting.may_act(table, one, table.turn))
        assert "abort" in table_json(table, waiting, now=now + timedelta(minutes=5))["may"]
        leaving.abort(table.key, waiting, now=now + timedelta(minutes=5))
        assert fresh(table).state == Table.State.ABORTED
    assert not TableSeat.objects.exclude(aborted_at=None).exists()


def test_aborts_before_the_last_ten_rated_games_count_no_more(now: datetime) -> None:
    people = accounts(2)
    for _ in range(2):
        abort(people, people[0], now)
    for number in range(10):
        table = rated(people, now + timedelta(hours=1 + number))
        leaving.resign(table.key, people[number % 2], now=now + timedelta(hours=1 + number))
    assert abort(people, people[0], now + DAY).state == Table.State.ABORTED


@pytest.mark.usefixtures("unthrottled")
def test_the_page_and_the_api_say_until_when_who_aborts_plays_unrated(client: Client) -> None:
    people, now = accounts(2), timezone.now()
    client.force_login(User.objects.get(username="Ada"))
    for number in range(3):
        answer = client.post(f"/api/v1/tables/{rated(people, now).key}/abort")
        assert answer.status_code == 200, number
    body = {"ruleset": "army-ants", "places": 2, "rated": True}
    refused = client.post("/api/v1/tables", body, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "aborted_often")
    page = client.post("/play/", {"ruleset": "army-ants", "places": "2", "rated": "on"})
    assert page.status_code == 422
    assert "aborted 3 of your last 10 rated games" in page.content.decode()


# The list of open tables


def listed(person: Person, now: datetime, *, network: str = "") -> Table:
    """Open a table and sit down there, so that it is listed."""
    table = opening.open_table(TableOptions(ruleset="army-ants", places=2), person, network=network, now=now)
    opening.join(table.key, person, Addition("entropy"), now=now)
    return table


def test_nobody_fills_the_list_of_open_tables(client: Client, now: datetime) -> None:
    ada, bruno = accounts(2)
    oldest = listed(ada, now - DAY)
    mine = [listed(bruno, now) for _ in range(10)]
    theirs = [listed(guest, now, network="192.0.2.1") for guest in guests(100)]
    apart = listed(Person(guest="g" * 64), now - DAY, network="192.0.2.2")
    keys = [table.key for table in lists.open_tables()]
    assert {oldest.key, apart.key} < {*keys}
    assert keys == [
        *(one.key for one in theirs[:-4:-1]), *(one.key for one in mine[:-4:-1]), apart.key, oldest.key
    ]  # fmt: skip
    assert [one["key"] for one in client.get("/api/v1/tables").json()] == keys
    page = client.get("/play/").content.decode()
    assert [key in page for key in (oldest.key, apart.key)] == [True, True]


def test_the_network_of_a_guest_is_kept_only_while_the_table_is_open(now: datetime) -> None:
    one, other = guests(2)
    table, closed = (listed(one, now, network="192.0.2.1") for _ in range(2))
    assert len(fresh(table).opened_from) == 32
    assert "192.0.2.1" not in fresh(table).opened_from
    opening.join(table.key, other, Addition("entropy"), now=now)
    opening.cancel(closed.key, one, now=now)
    assert [fresh(table).opened_from, fresh(closed).opened_from] == ["", ""]
    assert listed(accounts(1)[0], now, network="192.0.2.1").opened_from == ""
