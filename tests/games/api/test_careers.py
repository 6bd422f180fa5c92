"""A player's career on one ladder, in the API."""

from datetime import datetime

import pytest
from rest_framework.test import APIClient

from engine.rating import Rating, rate
from games.models import Player, Upload
from tests.factories import duels, record
from tests.games.judging import count_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(now: datetime) -> str:
    """Bruno's career: three duels won against Ada, one drawn with Cleo."""
    games = [*duels(3), record("draw 1-1", names=("Bruno", "Cleo"))]
    upload_file(b"\n".join(games), via=Upload.Via.API, now=now)
    count_all(now)
    return f"/api/v1/players/{Player.objects.get(name='Bruno').pk}"


def test_career_lists_results_rivals_and_streaks(client: APIClient, address: str) -> None:
    career = client.get(f"{address}/ladders/atta-ants-online").json()
    assert [(one["name"], one["games"], one["wins"], one["draws"]) for one in career["by_seat"]] == [
        ("R", 1, 0, 1),
        ("Y", 3, 3, 0),
    ]
    assert [(one["player"]["name"], one["ahead"], one["tied"]) for one in career["rivals"]] == [
        ("Ada", 3, 0),
        ("Cleo", 0, 1),
    ]
    assert career["runs"] == {"winning": 0, "longest": 3, "unbeaten": 4}
    assert (career["standing"]["rank"], career["best_rank"]["rank"], career["next"]) == (1, 1, None)


def test_career_entries_can_be_paged_with_before(client: APIClient, address: str) -> None:
    career = client.get(f"{address}/ladders/atta-ants-online?before=3").json()
    assert [event["number"] for event in career["events"]] == [2, 1]


def test_rating_change_can_be_recomputed_from_its_explanation(client: APIClient, address: str) -> None:
    explained = client.get(f"{address}/games/1").json()
    before = [Rating(seat["mu_before"], seat["sigma_before"]) for seat in explained["seats"]]
    after = rate(before, [seat["place"] for seat in explained["seats"]])
    assert [(seat["mu"], seat["sigma"]) for seat in explained["seats"]] == [(one.mu, one.sigma) for one in after]
    assert [term["chance"] for term in explained["seats"][1]["terms"]] == [0.5]
    assert [(entry["correction"], entry["counts"]) for entry in explained["entries"]] == [(None, True)]


@pytest.mark.parametrize("rest", ["ladders/nothing", "ladders/atta-ants-online?club=none", "games/9"])
def test_unknown_career_address_returns_a_json_404(client: APIClient, address: str, rest: str) -> None:
    answer = client.get(f"{address}/{rest}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
