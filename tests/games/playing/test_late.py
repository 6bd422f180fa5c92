"""Requests that cross: time that runs out, draws, repeated setups, and seats that do not exist."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Table
from games.playing import acting, finishing, leaving, opening
from games.playing.errors import ConflictError, PlayError
from games.playing.opening import Addition, TableOptions
from tests.games.playing.seating import accounts, fresh, guests, play, seated, whose_turn

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def timed(now: datetime, ruleset: str = "army-ants") -> Table:
    """Return a game in which the seat to act has a minute left."""
    return seated(guests(2), now, ruleset, time_kind="minutes", time_base=60)


def test_no_draw_is_agreed_once_the_time_is_up(now: datetime) -> None:
    people = guests(2)
    table = play(timed(now), people, now, most=2)
    late = whose_turn(table, people)
    leaving.draw(table.key, next(one for one in people if one != late), now=now)
    with pytest.raises(ConflictError, match="The time of the seat to act is up"):
        leaving.draw(table.key, late, now=now + MINUTE)
    assert leaving.time_out_due(now=now + MINUTE) == 1
    assert fresh(table).termination == "timed_out"


def test_no_game_is_aborted_once_the_time_is_up(now: datetime) -> None:
    people, table = guests(2), timed(now)
    with pytest.raises(ConflictError, match="The time of the seat to act is up"):
        leaving.abort(table.key, people[0], now=now + MINUTE)


def test_seat_that_resigns_after_its_time_has_lost_on_time(now: datetime) -> None:
    people, table = guests(2), timed(now)
    assert leaving.resign(table.key, whose_turn(table, people), now=now + MINUTE).termination == "timed_out"


def test_laying_the_ring_takes_time_from_the_clock(now: datetime) -> None:
    people, table = guests(2), timed(now, "atta-ants-2003")
    setup, later = finishing.suggested_setup(table), now + timedelta(seconds=20)
    table = acting.act(table.key, whose_turn(table, people), ply=-1, token=setup, now=later).table
    assert table.seats.get(letter=table.turn).clock == 40_000
    assert table.deadline == later + timedelta(seconds=40)


def test_ring_that_is_laid_again_by_a_repeated_request_is_accepted_once(now: datetime) -> None:
    people, table = guests(2), timed(now, "atta-ants-2003")
    setup, first = finishing.suggested_setup(table), whose_turn(table, people)
    other = next(one for one in people if one != first)
    lay: dict[str, Any] = {"ply": -1, "token": setup, "request_key": "a", "now": now}
    assert not acting.act(table.key, first, **lay).again
    assert acting.act(table.key, first, **lay).again
    with pytest.raises(ConflictError):
        acting.act(table.key, other, **lay)
    assert table.events.filter(kind="setup").count() == 1


@pytest.mark.parametrize("act", [leaving.resign, leaving.draw])
def test_an_unknown_seat_on_a_shared_screen_is_refused(act: Callable[..., Table], now: datetime) -> None:
    [person] = guests(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", hot_seat=True), person, now=now)
    opening.join(table.key, person, Addition("x"), now=now)
    with pytest.raises(PlayError, match="You do not play at this table"):
        act(table.key, person, letter="Z", now=now)


@pytest.mark.parametrize("ply", ["--1", "-", "1.5", "²", "9" * 5000])
def test_a_form_for_a_ply_that_is_none_is_refused(client: Client, ply: str, now: datetime) -> None:
    table = seated(accounts(2), now, "army-ants")
    client.force_login(User.objects.get(username="Ada"))
    answer = client.post(table.get_absolute_url(), {"do": "action", "ply": ply, "token": "x"}, follow=True)
    assert (answer.status_code, fresh(table).plies) == (200, 0)


def test_conflict_at_a_table_is_said_in_the_readers_language(client: Client, now: datetime) -> None:
    table = seated(accounts(2), now, "army-ants")
    client.force_login(
        User.objects.get(username="Bruno" if table.turn == table.seats.get(name="Ada").letter else "Ada")
    )
    done = {"do": "action", "ply": "0", "token": "x"}
    answer = client.post(table.get_absolute_url(), done, follow=True, headers={"accept-language": "de"})
    assert "Jemand anderes ist am Zug." in answer.content.decode()
