"""Verification is called as soon as a game is over, however it ends."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

import pytest

from games.models import Table, Upload
from games.playing import calls, leaving
from games.playing.reads.people import Person
from tests.games.playing.seating import fresh, guests, play, seated, whose_turn
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db

Capture = Callable[..., AbstractContextManager[list[Any]]]


def _agree_on_a_draw(table: Table, people: list[Person], now: datetime) -> None:
    for person in people:
        leaving.draw(table.key, person, now=now)


ENDINGS: dict[str, Callable[[Table, list[Person], datetime], object]] = {
    "played": play,
    "resigned": lambda table, people, now: leaving.resign(table.key, whose_turn(table, people), now=now),
    "agreed": _agree_on_a_draw,
    "aborted": lambda table, people, now: leaving.abort(table.key, people[0], now=now),
    "timed out": lambda _table, _people, now: leaving.time_out_due(now=now + timedelta(minutes=2)),
}


@pytest.mark.parametrize("ending", first_quick(sorted(ENDINGS), len(ENDINGS) - 2))
def test_finished_game_calls_verification_after_its_record_is_stored(
    ending: str, now: datetime, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Capture
) -> None:
    people = guests(2)
    table = seated(people, now, time_kind="minutes", time_base=60)
    found = list[int]()
    monkeypatch.setattr(calls, "_verification", lambda: found.append(Upload.objects.filter(table=table).count()))

    with django_capture_on_commit_callbacks(execute=True):
        ENDINGS[ending](table, people, now)

    assert fresh(table).ended_at
    assert found == [1]
