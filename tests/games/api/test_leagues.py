"""Leagues in the API."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.leagues import organising
from games.models import League, Upload
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploading import take_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def nest(alice: User, now: datetime) -> League:
    """A league of Alice's with two games."""
    nest = organising.found(slug="nest", name="The nest", about="Thursdays.", organiser=alice, now=now)
    take_in(b"\n".join(duels(2)), via=Upload.Via.WEB, now=now, uploader=alice, options=UploadOptions(league=nest))
    judge_all(now)
    rate_waiting(now=now)
    return nest


def test_all_leagues_are_listed_by_name(nest: League, bob: User, client: Client, now: datetime) -> None:
    organising.found(slug="hill", name="Ant hill", about="", organiser=bob, now=now)
    told = client.get("/api/v1/leagues").json()
    assert [(league["name"], league["games"]) for league in told] == [("Ant hill", 0), ("The nest", 2)]
    assert told[1]["page"].endswith("/clubs/nest/")


def test_leagues_are_listed_a_hundred_per_page(client: Client, now: datetime, db: None) -> None:
    League.objects.bulk_create(League(slug=f"n{number}", name=f"{number:03}", created_at=now) for number in range(101))
    first = client.get("/api/v1/leagues")
    assert first["Link"] == '<http://testserver/api/v1/leagues?start=100>; rel="next"'
    last = client.get("/api/v1/leagues?start=100")
    assert (len(first.json()), [league["name"] for league in last.json()]) == (100, ["100"])
    assert "Link" not in last
    assert client.get("/api/v1/leagues?start=-1").status_code == 400


def test_league_shows_its_description_organisers_and_ladders(nest: League, client: Client) -> None:
    address = client.get("/api/v1/leagues").json()[0]["url"]

    told = client.get(address).json()

    assert (told["slug"], told["about"], told["organisers"], told["games"]) == ("nest", "Thursdays.", ["alice"], 2)
    (ladder,) = told["ladders"]
    assert (ladder["ruleset"], ladder["title"], ladder["players"]) == (
        "atta-ants-online", "Atta Ants, online rules", 2,
    )  # fmt: skip
    assert client.get(ladder["url"]).json()["league"] == "nest"


def test_unknown_league_is_not_found(client: Client, browse: Callable[..., Client], db: None) -> None:
    assert client.get("/api/v1/leagues/none").json()["error"]["code"] == "not_found"
