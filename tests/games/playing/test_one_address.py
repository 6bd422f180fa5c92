"""A whole club plays at many tables behind one address: what is counted while playing is counted for each seat."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from atta_site import work
from games.models import Table, Throttle
from games.playing.reads.position import position_of

pytestmark = pytest.mark.django_db
TABLES = 20
Json = dict[str, Any]


def limited(monkeypatch: pytest.MonkeyPatch, **rates: str) -> None:
    """Begin to count, with these limits alone."""
    Throttle.objects.all().delete()
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", dict.fromkeys(SimpleRateThrottle.THROTTLE_RATES) | rates)


def opened() -> tuple[Table, list[APIClient]]:
    """Return a table with two guests, each in a browser of their own, whose game has begun."""
    browsers = [APIClient(), APIClient()]
    made = browsers[0].post("/api/v1/tables", {"ruleset": "army-ants", "places": 2, "visibility": "link"})
    key = made.json()["key"]
    for number, browser in enumerate(browsers):
        browser.post(f"/api/v1/tables/{key}/join", {"entropy": f"entropy{number}"})
    return Table.objects.get(key=key), browsers


def act(table: Table, browsers: list[APIClient]) -> int:
    """Play an action, and look at the page of the table as its script does. :returns: the worst status."""
    table.refresh_from_db()
    token = position_of(table).legal(table.drawn)[0]
    body = {"ply": table.plies, "token": token}
    sent = [browser.post(f"/api/v1/tables/{table.key}/actions", body).status_code for browser in browsers]
    looked = [browser.get(f"/live/tables/{table.key}", {"parts": "", "after": "0"}).status_code for browser in browsers]
    return max(min(sent), *looked)


@pytest.mark.full
def test_a_club_plays_at_twenty_tables_from_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [opened() for _ in range(TABLES)]
    limited(monkeypatch, anon="30/minute", seat="30/minute")  # fewer than the tables need together

    assert {act(*table) for _ in range(2) for table in tables} == {200}


def test_what_tables_take_of_the_processor_is_counted_for_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [opened() for _ in range(3)]
    limited(monkeypatch, work="1/minute")
    monkeypatch.setattr(work, "LEAST", 0)

    # The first request of each seat is answered, and its second is too much, for this seat alone.
    for table, browsers in tables:
        page = f"/play/{table.key}/"
        assert [browser.get(page).status_code for browser in browsers] == [200, 200]
        assert [browser.get(page).status_code for browser in browsers] == [429, 429]


def test_a_seat_that_asks_too_often_waits_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    (table, (one, other)), address = opened(), "/api/v1/tables/"
    limited(monkeypatch, anon="1/minute", seat="2/minute")
    answers = [one.get(f"{address}{table.key}") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert other.get(f"{address}{table.key}").status_code == 200


def test_a_guest_without_a_seat_is_a_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = opened()
    limited(monkeypatch, anon="2/minute", seat="2/minute")
    strangers = [APIClient(headers={"Guest-Token": f"stranger {number}"}) for number in range(3)]

    assert [one.get(f"/api/v1/tables/{table.key}").status_code for one in strangers] == [200, 200, 429]
    assert Client().get("/play/").status_code == 200
