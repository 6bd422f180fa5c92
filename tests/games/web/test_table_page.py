"""The page of a table, put together from what is stored while others go on playing."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client

from games.models import Table
from games.playing import leaving, opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads.state import table_json
from games.web.play.labels import ending_label
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
    assert page.position["ply"] == len(table_json(before, people[0], now=now)["tokens"]) == 3


def test_what_happened_is_listed_from_the_readers_last_action_on(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=5)
    letters = list(table.actions.order_by("ply").values_list("letter", flat=True))
    for person, seat in zip(people, table.seats.order_by("joined"), strict=True):
        sentences = table_page(table, person).happened
        assert len(sentences) == 1 + letters[::-1].index(seat.letter), letters
        assert all(sentence.endswith(".") for sentence in sentences)


def test_spectators_see_the_last_turn_described(now: datetime) -> None:
    people = guests(3)
    table = play(seated(people[:2], now), people, now, most=9)
    letters = list(table.actions.order_by("ply").values_list("letter", flat=True))
    run = next((ply for ply, letter in enumerate(letters[::-1]) if letter != letters[-1]), len(letters))
    assert len(table_page(table, people[2]).happened) == run


def test_who_lost_reads_so_and_why_below_who_won(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "ant-trails-2020")
    leaving.resign(table.key, loser := whose_turn(table, people), now=now)
    winner = next(person for person in people if person is not loser)
    page = table_page(fresh(table), loser)
    assert (page.ended, table_page(fresh(table), winner).ended) == ("You lost", "You won")
    assert [(seat.place, seat.you) for seat in page.ranked] == [(1, False), (2, True)]
    assert page.position
    assert page.position["ended"]["reason"] in ("Black resigned.", "Red resigned.")
    assert table_page(fresh(table), guests(3)[2]).ended is None


def test_who_has_left_a_game_of_three_cannot_resign_again(now: datetime) -> None:
    people = guests(3)
    table = play(seated(people, now), people, now, most=1)
    other = next(person for person in people if person != whose_turn(table, people))
    leaving.resign(table.key, other, now=now)
    assert table_page(fresh(table), other).may == {"phrases"}


def test_on_one_screen_the_page_names_whose_turn_it_is(now: datetime) -> None:
    (person,) = guests(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", hot_seat=True), person, now=now)
    opening.join(table.key, person, Addition("entropy"), now=now)
    page = table_page(fresh(table), person)
    assert page.turn
    shown = render_to_string("games/play/part_now.html", {"page": page})
    assert f"<h2>It is {page.turn.name}’s turn</h2>" in shown


@pytest.mark.parametrize(("bots", "asks"), [((), True), (("random",), True), (("random", "greedy"), False)])
def test_age_is_asked_only_where_another_person_could_be_older(
    bots: tuple[str, ...], asks: bool, now: datetime
) -> None:
    (person,) = guests(1)
    table = opening.open_table(TableOptions(ruleset="atta-ants-2003", places=3, bots=bots), person, now=now)
    assert table_page(table, person).asks_age is asks


@pytest.mark.parametrize(
    ("places", "own", "said"),
    [([1, 1], 1, "A draw"), ([1, 1, 3], 1, "You share the first place"), ([1, 2, 3], 2, None), ([1, 2], 2, "You lost")],
)
def test_ending_is_said_where_the_place_alone_does_not(places: list[int], own: int, said: str | None) -> None:
    assert ending_label(places, own) == said


def part(client: Client, table: Table) -> str:
    return words_of(client.post(f"/play/{table.key}/?parts").content.decode())


def test_who_won_stands_above_the_places_once_a_game_is_over(now: datetime, client: Client) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=3)
    leaving.resign(table.key, whose_turn(table, people), now=now)
    first, second = sorted(table_page(fresh(table), people[0]).seats, key=lambda seat: seat.place or 0)
    words = part(client, table)
    assert f"{first.name} won. {first.letter} {first.name} 1st {second.letter} {second.name} 2nd" in words


def test_only_who_can_complete_a_table_reads_when_it_starts(now: datetime, client: Client) -> None:
    (ada,) = accounts(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", places=2, rated=True), ada, now=now)
    opening.join(table.key, ada, Addition("entropy"), now=now)
    words = part(client, table)
    assert "Waiting for players" in words
    assert "Starts when" not in words
    client.force_login(User.objects.create_user("Bruno"))
    assert "Starts when the last seat is taken" in (words := part(client, table))
    assert "1 free seat" in words


def test_a_table_for_one_screen_names_no_free_seats(now: datetime, client: Client) -> None:
    words = part(client, opening.open_table(TableOptions(ruleset="army-ants", hot_seat=True), guests(1)[0], now=now))
    assert "free seat" not in words


def test_a_rated_table_leads_guests_to_signing_in_and_back(now: datetime, client: Client) -> None:
    (ada,) = accounts(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", places=2, rated=True), ada, now=now)
    opening.join(table.key, ada, Addition("entropy"), now=now)
    html = client.get(f"/play/{table.key}/").content.decode()
    assert f'href="/account/login/?next=/play/{table.key}/">Sign in</a>' in html
    client.force_login(User.objects.create_user("Bruno"))
    assert "?next=/play/" not in client.get(f"/play/{table.key}/").content.decode()
