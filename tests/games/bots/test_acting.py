"""Bots act at tables as people do, using only what their seat sees, and nothing is lost if one is killed."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.searching import Strength
from games.bots import acting, exhibiting, reads
from games.bots.acting import act_in_exhibitions, act_waiting
from games.models import Table
from games.playing import calls, leaving, opening
from games.playing.acting import may_act
from games.playing.errors import PlayError
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person
from tests.games.playing.seating import RULESETS, fresh, guests, play
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db

Capture = Callable[..., AbstractContextManager[list[Any]]]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acting, "THINKING", 0.01)


def against(bots: tuple[str, ...], now: datetime, ruleset: str = "atta-ants-online", **options: object) -> Table:
    """Return a table where a guest plays against bots and the game has started."""
    (guest,) = guests(1)
    wanted = TableOptions(ruleset=ruleset, places=len(bots) + 1, bots=bots, **options)  # type: ignore[arg-type]
    table = opening.open_table(wanted, guest, now=now)
    opening.join(table.key, guest, Addition("mine"), now=now)
    return fresh(table)


def until_a_bot_is_to_act(table: Table, now: datetime) -> None:
    """Let the guest act as long as it is the guest's turn."""
    (guest,) = guests(1)
    while acting_for(fresh(table), guest):
        play(fresh(table), [guest], now, most=1)


def acting_for(table: Table, person: Person) -> bool:
    return bool(table.turn) and may_act(table, person, table.turn)


def bots_act(now: datetime) -> int:
    return act_waiting(now=lambda: now, has_time=lambda: True)


@pytest.mark.parametrize("strength", first_quick(list(Strength)))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_bot_plays_its_turn_and_then_waits(ruleset: str, strength: Strength, now: datetime) -> None:
    table = against((strength,), now, ruleset)
    bots_act(now)
    until_a_bot_is_to_act(table, now)
    before = fresh(table).plies

    assert bots_act(now) >= 1
    assert fresh(table).plies > before
    assert not reads.anything_waits()


@pytest.mark.full
def test_three_bots_finish_a_game_with_a_guest(now: datetime) -> None:
    table, (guest,) = against(("random", "greedy", "random"), now), guests(1)
    people = [guest, *(Person(bot=name) for name in ("random", "greedy"))]

    while fresh(table).state == Table.State.PLAYING:
        bots_act(now)
        play(fresh(table), people, now, most=1)

    assert fresh(table).placements


def test_a_bot_never_acts_for_a_guest(now: datetime) -> None:
    table = against(("greedy",), now)
    bots_act(now)

    assert bots_act(now) == 0
    assert fresh(table).seats.get(letter=fresh(table).turn).bot == ""


def test_bots_are_called_once_it_is_their_turn(
    now: datetime, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Capture
) -> None:
    table, called = against(("greedy",), now), list[str]()
    monkeypatch.setattr(calls, "_bots", lambda: called.append(fresh(table).turn))

    with django_capture_on_commit_callbacks(execute=True):
        until_a_bot_is_to_act(table, now)

    letter = fresh(table).turn
    assert letter in called
    assert fresh(table).seats.get(letter=letter).bot == "greedy"


def test_bot_can_lose_on_time(now: datetime) -> None:
    table = against(("greedy",), now, time_kind="minutes", time_base=60)
    until_a_bot_is_to_act(table, now)

    bots_act(now + timedelta(minutes=2))

    assert fresh(table).termination == "timed_out"


def test_failing_bot_does_not_block_other_tables(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (against(("greedy",), now, "army-ants") for _ in range(2))
    for table in (one, other):
        until_a_bot_is_to_act(table, now)
    plies, chosen = fresh(one).plies, acting._chosen
    monkeypatch.setattr(acting, "_chosen", lambda table, seat: 1 / 0 if table == one else chosen(table, seat))

    assert bots_act(now) == 1
    assert fresh(one).plies == plies
    assert [table.pk for table in reads.waiting()] == [one.pk]


def test_unknown_bot_name_is_rejected(now: datetime) -> None:
    with pytest.raises(PlayError, match=r"There is no bot deep-blue\. Bots: random, greedy, searching\."):
        against(("deep-blue",), now)


def test_exhibitions_are_started_and_played_one_action_at_a_time(now: datetime) -> None:
    assert exhibiting.keep_going(2, now=now) == 2
    assert exhibiting.keep_going(2, now=now) == 0
    tables = list(Table.objects.order_by("pk"))

    assert not reads.anything_waits()
    assert act_in_exhibitions(now=lambda: now, has_time=lambda: True) == 2
    assert [fresh(table).plies + bool(table.hand) for table in tables] == [1, 1]


def test_an_exhibition_that_is_over_is_followed_by_one_of_another_game(now: datetime) -> None:
    exhibiting.keep_going(1, now=now)
    table = Table.objects.get()
    leaving.resign(table.key, Person(bot=table.seats.get(letter=table.turn).bot), now=now)

    assert exhibiting.keep_going(1, now=now) == 1
    assert Table.objects.exclude(pk=table.pk).get().ruleset != table.ruleset
