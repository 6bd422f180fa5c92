"""Bots have their own ladders and are never rated on those of people."""

from datetime import datetime

import pytest

from games import run
from games.bots import exhibiting
from games.consent.reads.eligibility import consent_of
from games.models import Acceptance, Player, Standing, Table
from games.playing import leaving
from games.playing.reads.people import Person
from tests.games.judging import judge_all
from tests.games.playing.seating import accounts, fresh, seated, whose_turn

pytestmark = pytest.mark.django_db


def judged(table: Table, now: datetime) -> Table:
    """Return a table with a finished game that is verified and rated."""
    judge_all(now)
    run.rate_waiting(now=lambda: now)
    return fresh(table)


def test_game_between_bots_is_rated_only_on_the_bot_ladder(now: datetime) -> None:
    exhibiting.keep_going(1, now=now)
    table = Table.objects.get()
    leaving.resign(table.key, Person(bot=table.seats.get(letter=table.turn).bot), now=now)
    game = judged(table, now).game

    assert list(Acceptance.objects.filter(game=game).values_list("ladder__club__slug", "number")) == [("bots", 1)]
    assert Standing.objects.count() == 2
    assert all(Player.objects.values_list("is_bot", flat=True))


def test_game_with_a_player_marked_as_a_bot_is_not_rated(now: datetime) -> None:
    people = accounts(2)
    table = seated(people, now, "army-ants", rated=True)
    Player.objects.create(name="Ada", source="testserver", created_at=now)
    leaving.resign(table.key, whose_turn(table, people), now=now)
    judge_all(now)
    Player.objects.filter(name="Ada").update(is_bot=True)
    run.rate_waiting(now=lambda: now)

    game = fresh(table).game
    assert game
    assert consent_of(game, now=now).ineligible_reason == "bot"
    assert not Acceptance.objects.exists()


def test_rated_game_between_people_is_rated_on_the_main_ladder(now: datetime) -> None:
    people = accounts(2)
    table = seated(people, now, "army-ants", rated=True)
    leaving.resign(table.key, whose_turn(table, people), now=now)
    judged(table, now)

    assert [one.ladder.club for one in Acceptance.objects.all()] == [None]
