"""A rematch is asked for and accepted by one act each; the settings stay and the seats are turned."""

from datetime import datetime

import pytest
from django.test import Client

from games.models import Table
from games.playing import leaving, opening, rematches
from games.playing.errors import ConflictError, PlayError
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person
from games.playing.reads.seats import seats_of
from tests.games.playing.seating import RULESETS, accounts, fresh, guests, play, seated

pytestmark = pytest.mark.django_db


def line(table: Table, people: list[Person]) -> list[int]:
    """Return the numbers of the players in turn order."""
    by_letter = {seat.letter: seat for seat in seats_of(table)}
    turns = [by_letter[letter] for letter in table.seats_line.split(" ")]
    return [next(at for at, person in enumerate(people) if person.sits_in(seat)) for seat in turns]


def ended(people: list[Person], now: datetime, ruleset: str = "army-ants", **options: object) -> Table:
    """Return a table whose game is over."""
    table = play(seated(people, now, ruleset, **options), people, now, most=2)
    for person in people[1:]:
        leaving.resign(table.key, person, now=now)
    return fresh(table)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_one_asks_and_the_other_accepts_and_plays_first_in_turn(ruleset: str, now: datetime) -> None:
    people = accounts(2)
    table = ended(people, now, ruleset, rated=True, time_kind="minutes", time_base=300, time_step=5)
    for asks, accepts in (people, people[::-1], people):
        before = line(table, people)
        waiting = rematches.rematch(table.key, asks, now=now)
        assert (waiting.state, waiting.seats.count()) == ("open", 1)
        assert rematches.rematch(table.key, asks, now=now) == waiting, "to ask again changes nothing"
        again = rematches.rematch(table.key, accepts, now=now)
        assert (again, again.state) == (waiting, "playing")
        assert line(again, people) == before[::-1]
        assert (again.rated, again.time_base, again.time_step) == (True, 300, 5)
        leaving.resign(again.key, people[0], now=now)
        table = fresh(again)


def test_colours_stay_where_there_is_a_choice(now: datetime) -> None:
    people = guests(3)
    table = opening.open_table(TableOptions(ruleset="atta-ants-online", places=3), people[0], now=now)
    for person, letter in zip(people, "BOR", strict=True):
        opening.join(table.key, person, Addition("x", letter), now=now)
    table = fresh(table)
    for person in people[1:]:
        leaving.resign(table.key, person, now=now)
    before = line(table, people)
    again = [rematches.rematch(table.key, person, now=now) for person in people][-1]
    assert [seat.letter for seat in seats_of(again)] == ["B", "O", "R"]
    assert line(again, people)[0] == before[1]


@pytest.mark.parametrize("options", [{"bots": ["random"], "places": 2}, {"hot_seat": True}])
def test_against_bots_and_on_one_screen_it_begins_at_once(options: dict[str, object], now: datetime) -> None:
    (person,) = guests(1)
    table = opening.open_table(TableOptions(ruleset="ant-trails-2020", **options), person, now=now)  # type: ignore[arg-type]
    opening.join(table.key, person, Addition("x"), now=now)
    leaving.resign(table.key, person, now=now)
    before = [
        seat.joined
        for letter in fresh(table).seats_line.split(" ")
        for seat in seats_of(table)
        if seat.letter == letter
    ]
    again = rematches.rematch(table.key, person, now=now)
    after = [seat.joined for letter in again.seats_line.split(" ") for seat in seats_of(again) if seat.letter == letter]
    assert again.state == "playing"
    assert after == before[::-1]


def test_a_rematch_that_was_cancelled_can_be_asked_for_again(now: datetime) -> None:
    people = guests(2)
    table = ended(people, now)
    first = rematches.rematch(table.key, people[0], now=now)
    opening.cancel(first.key, people[0], now=now)
    second = rematches.rematch(table.key, people[1], now=now)
    assert second != first
    assert rematches.rematch(table.key, people[0], now=now).state == "playing"


def test_only_who_sat_there_takes_part_and_only_after_the_game(now: datetime) -> None:
    people = guests(3)
    table = seated(people[:2], now, "army-ants")
    with pytest.raises(ConflictError, match="not over"):
        rematches.rematch(table.key, people[0], now=now)
    leaving.resign(table.key, people[0], now=now)
    with pytest.raises(PlayError, match="no seat"):
        rematches.rematch(table.key, people[2], now=now)


def test_nobody_else_can_choose_that_the_seats_are_turned(now: datetime) -> None:
    with pytest.raises(PlayError, match="chosen in another way"):
        opening.open_table(TableOptions(ruleset="army-ants", first="turned"), guests(1)[0], now=now)


def test_the_page_asks_the_other_and_takes_them_to_the_board(now: datetime) -> None:
    people = accounts(2)
    table = ended(people, now)
    asker, other = Client(), Client()
    asker.force_login(people[0].account)  # type: ignore[arg-type]
    other.force_login(people[1].account)  # type: ignore[arg-type]
    address = f"/play/{table.key}/"
    assert "Accept rematch" not in other.get(address).content.decode()
    asked = asker.post(address, {"do": "rematch", "entropy": "mine"})
    page = other.get(address).content.decode()
    assert "Ada asks for a rematch" in page
    assert "Accept rematch" in page
    assert "Accept rematch" not in asker.get(address).content.decode()
    accepted = other.post(address, {"do": "rematch"})
    assert accepted.url == asked.url  # type: ignore[attr-defined]
    again = Table.objects.get(rematch_of=table)
    assert again.state == "playing"
    assert seats_of(again)[0].entropy == "mine"
