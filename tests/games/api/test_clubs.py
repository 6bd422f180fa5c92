"""Clubs in the API."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.clubs import organising
from games.models import Club, Upload
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploading import take_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def nest(alice: User, now: datetime) -> Club:
    """A club of Alice's with two games."""
    nest = organising.found(slug="nest", name="The nest", about="Thursdays.", organiser=alice, now=now)
    take_in(b"\n".join(duels(2)), via=Upload.Via.WEB, now=now, uploader=alice, options=UploadOptions(club=nest))
    judge_all(now)
    rate_waiting(now=now)
    return nest


def test_all_clubs_are_listed_by_name(nest: Club, bob: User, client: Client, now: datetime) -> None:
    organising.found(slug="hill", name="Ant hill", about="", organiser=bob, now=now)
    told = client.get("/api/v1/clubs").json()
    assert [(club["name"], club["games"]) for club in told] == [("Ant hill", 0), ("The nest", 2)]
    assert told[1]["page"].endswith("/clubs/nest/")


def test_clubs_are_listed_a_hundred_per_page(client: Client, now: datetime, db: None) -> None:
    Club.objects.bulk_create(
        Club(slug=f"n{number}", name=f"{number:03}", created_at=now, listed_at=now) for number in range(101)
    )
    first = client.get("/api/v1/clubs")
    assert first["Link"] == '<http://testserver/api/v1/clubs?start=100>; rel="next"'
    last = client.get("/api/v1/clubs?start=100")
    assert (len(first.json()), [club["name"] for club in last.json()]) == (100, ["100"])
    assert "Link" not in last
    assert client.get("/api/v1/clubs?start=-1").status_code == 400


def test_club_shows_its_description_organisers_and_ladders(nest: Club, client: Client) -> None:
    address = client.get("/api/v1/clubs").json()[0]["url"]

    told = client.get(address).json()

    assert (told["slug"], told["about"], told["organisers"], told["games"]) == ("nest", "Thursdays.", ["alice"], 2)
    (ladder,) = told["ladders"]
    assert (ladder["ruleset"], ladder["title"], ladder["players"]) == (
        "atta-ants-online", "Atta Ants, online rules", 2,
    )  # fmt: skip
    assert client.get(ladder["url"]).json()["club"] == "nest"


def test_unknown_club_is_not_found(client: Client, browse: Callable[..., Client], db: None) -> None:
    assert client.get("/api/v1/clubs/none").json()["error"]["code"] == "not_found"
