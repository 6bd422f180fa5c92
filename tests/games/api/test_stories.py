"""The story of a game and positions looked at closer, for programs."""

from datetime import datetime

import pytest
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from tests.factories import BROKEN, record
from tests.games.storing import stored
from tests.strategies import FIXTURES

pytestmark = pytest.mark.django_db
GAME = record("1. NS@0,2 R1:N R2:E / Y1:S Y2:W / *")


def test_a_story_has_events_figures_and_a_summary_with_the_players_names(client: APIClient, now: datetime) -> None:
    game = stored(record("NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2", names=("Ada", "Bruno")), now)

    story = client.get(f"/api/v1/games/{game.key}/story").json()

    assert story["summary"] == "Ada led from round 1 on."
    assert (story["last"], story["seats"], story["winners"]) == (6, ["R", "Y"], ["R"])
    assert story["figures"]["Y"]["in-play"] == [[0, 2], [6, 0]]
    assert story["quiet"] == [4]


def test_a_story_is_translated_into_german(client: APIClient, now: datetime) -> None:
    game = stored(GAME, now)

    story = client.get(f"/api/v1/games/{game.key}/story", headers={"accept-language": "de"}).json()

    assert story["counts"]["in-play"] == "im Spiel"
    assert story["kinds"][0]["label"] == "gefressen"


def test_a_position_looked_at_closer_has_its_actions_and_what_follows_from_the_rules(
    client: APIClient, now: datetime
) -> None:
    game = stored((FIXTURES / "army_ants/games/at-random.agn").read_bytes(), now)

    found = client.get(f"/api/v1/games/{game.key}/position?ply=31").json()

    assert (found["position"]["ply"], found["position"]["turn"], found["played"]) == (31, "B", [])
    assert [insight["label"] for insight in found["insights"]] == ["Black can take", "Red threatens to take"]
    assert found["text"].endswith("\n*\n")


def test_other_actions_are_played_from_a_position_of_a_game(client: APIClient, now: datetime) -> None:
    game = stored(GAME, now)

    found = client.get(f"/api/v1/games/{game.key}/position?ply=1&play=R1:E&play=R2:N&drawings=new").json()

    assert [step["sentence"] for step in found["played"]] == ["R1 walks east.", "R2 walks north."]
    assert found["position"]["ply"] == 3
    assert "nest" not in found["position"]["symbols"]


def test_an_illegal_action_of_a_branch_is_refused_with_its_place_and_rule(client: APIClient, now: datetime) -> None:
    game = stored(GAME, now)

    answer = client.get(f"/api/v1/games/{game.key}/position?ply=1&play=R1:E&play=R1:W")

    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["message"] == "Ant R1 has already moved this turn."
    assert error["place"] == {"ply": 2, "rule": "ATTA-MOVE-1", "token": "R1:W"}


def test_a_position_behind_the_last_is_not_found(client: APIClient, now: datetime) -> None:
    game = stored(BROKEN, now)

    assert client.get(f"/api/v1/games/{game.key}/position?ply=3").status_code == 200
    assert client.get(f"/api/v1/games/{game.key}/position?ply=4").status_code == 404
    assert client.get(f"/api/v1/games/{game.key}/position?ply=-1").status_code == 400


@pytest.mark.usefixtures("uncounted")
def test_positions_with_all_drawings_count_among_all_requests(
    client: APIClient, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {"anon": "1/hour", "user": "1/hour", "position": "5/hour"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    path = f"/api/v1/games/{stored(GAME, now).key}/position?ply=1"
    asked = (path, f"{path}&drawings=new", path, f"{path}&drawings=all", f"{path}&drawings=new", path)
    assert [client.get(one).status_code for one in asked] == [200, 200, 429, 429, 200, 429]
