"""Reading in the API: games and their parts, players, ladders."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from engine.registry import RULESETS
from games.models import Player, Upload
from tests.factories import BROKEN, duels, record
from tests.games.storing import stored
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(call: Callable[..., APIClient]) -> APIClient:
    return call()


def test_game_lists_its_seats_and_part_urls(client: APIClient, now: datetime) -> None:
    game = stored(record("NS@0,2 R1:N resign:R 2-1"), now)

    shown = client.get(f"/api/v1/games/{game.key}").json()

    assert (shown["verdict"], shown["result"], shown["ended"]) == ("verified", "2-1", "ATTA-LEAVE-1")
    assert (shown["termination"], shown["likeness"]) == ("resigned", game.likeness)
    assert [(seat["letter"], seat["name"], seat["place"]) for seat in shown["seats"]] == [
        ("R", "Ada", 2),
        ("Y", "Bruno", 1),
    ]
    assert [verdict["verdict"] for verdict in shown["verdicts"]] == ["verified"]
    for address in shown["parts"].values():
        assert client.get(address).status_code == 200


def test_log_is_returned_as_it_was_uploaded(client: APIClient, now: datetime) -> None:
    sent = record("NS@0,2  { a  comment }  resign:R 2-1")
    game = stored(sent, now)

    answer = client.get(f"/api/v1/games/{game.key}/log")

    assert answer.content == sent.removesuffix(b"\n")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{game.key}.agn"'


def test_every_upload_of_a_game_gives_back_its_own_bytes(client: APIClient, now: datetime) -> None:
    stored(record("NS@0,2 resign:R 2-1"), now)
    again = upload_file(record("NS@0,2 resign:R 2-1", names=("Eve", "Bruno")), via=Upload.Via.API, now=now)

    answer = client.get(f"/api/v1/uploads/{again.pk}/logs/1")

    assert b'[Red "Eve"]' in answer.content
    assert client.get(f"/api/v1/uploads/{again.pk}/logs/2").status_code == 404


def test_the_canonical_text_is_tidy(client: APIClient, now: datetime) -> None:
    game = stored(record("NS@0,2  { a  comment }  resign:R 2-1"), now)

    text = client.get(f"/api/v1/games/{game.key}/canonical").content.decode()

    assert text.endswith('\n[Result "2-1"]\n\n1. NS@0,2 {a comment} resign:R\n2-1\n')


def test_states_are_returned_page_by_page(client: APIClient, now: datetime) -> None:
    rounds = " ".join(f"{move} / /" for move in ["NS@0,2 R1:N R2:E / Y1:S Y2:W"])
    game = stored(record(rounds.replace("/ /", "/") + " *"), now)

    page = client.get(f"/api/v1/games/{game.key}/states").json()

    assert [row["token"] for row in page["states"]] == [None, "NS@0,2", "R1:N", "R2:E", "/", "Y1:S", "Y2:W", "/"]
    assert page["states"][2]["state"]["ants"]["R1"] == {"at": "0,1", "leaf": False, "moved": True, "new": False}
    assert page["next"] is None
    later = client.get(f"/api/v1/games/{game.key}/states?start=5").json()
    assert [row["ply"] for row in later["states"]] == [5, 6, 7]


def test_a_rejected_game_has_its_legal_prefix_and_no_canonical_text(client: APIClient, now: datetime) -> None:
    game = stored(BROKEN, now)

    assert len(client.get(f"/api/v1/games/{game.key}/states").json()["states"]) == 4
    assert client.get(f"/api/v1/games/{game.key}/canonical").status_code == 404
    assert client.get(f"/api/v1/games/{game.key}").json()["verdicts"][0]["rule"] == "ATTA-MOVE-1"


def test_games_are_listed_newest_first_page_by_page(client: APIClient, now: datetime) -> None:
    stored(b"\n".join(duels(60)), now)

    with CaptureQueriesContext(connection) as asked:
        first = client.get("/api/v1/games").json()
    assert len([query for query in asked.captured_queries if '"games_' in query["sql"]]) == 3
    second = client.get(f"/api/v1/games?before={first['older']}").json()
    back = client.get(f"/api/v1/games?after={second['newer']}").json()

    keys = [game["key"] for game in first["games"] + second["games"]]
    assert (len(keys), len(set(keys)), second["older"], first["newer"]) == (60, 60, None, None)
    assert [game["key"] for game in back["games"]] == keys[:50]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("player=ada", 3),
        ("player=eve", 0),
        ("edition=2003", 1),
        ("game=Atta Ants", 4),
        ("game=Chess", 0),
        ("verdict=rejected", 1),
        ("verdict=verified&edition=online", 1),
        ("since=2026-03-01", 1),
        ("until=2026-02-28", 0),
    ],
)
def test_games_are_filtered(client: APIClient, now: datetime, query: str, found: int) -> None:
    stored(record(Date="2026.03.01"), now)
    stored(record(rules="2003"), now)
    stored(record("NS@0,2 *"), now)
    stored(BROKEN, now)

    assert len(client.get(f"/api/v1/games?{query}").json()["games"]) == found


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("verdict=perhaps", "verdict"),
        ("since=yesterday", "since"),
        ("player=%00", "player"),
        ("before=x", "before, after"),
        (f"before={'9' * 400}-1", "before"),
        ("after=1-", "before, after"),
    ],
)
def test_invalid_query_names_its_parameter(client: APIClient, query: str, parameter: str) -> None:
    answer = client.get(f"/api/v1/games?{query}")

    assert (answer.status_code, answer.json()["error"]["place"]) == (400, {"parameter": parameter})


@pytest.mark.parametrize(
    "path",
    [
        "games/22222222",
        "games/22222222/states",
        "games/%D9%A3",
        "players/0",
        "players/999999999999999999",
        "leaderboards/chess",
    ],
)
def test_unknown_resources_are_not_found(client: APIClient, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("start", ["-1", "x", "1e9", "99999999999999999999", "%00"])
def test_a_bad_start_is_refused(client: APIClient, now: datetime, start: str) -> None:
    game = stored(record(), now)

    assert client.get(f"/api/v1/games/{game.key}/states?start={start}").status_code == 400


def test_player_includes_standings_and_rating_history(client: APIClient, now: datetime) -> None:
    stored(record(), now)
    bruno = Player.objects.get(name="Bruno")

    player = client.get(f"/api/v1/players/{bruno.pk}").json()

    assert [(row["rank"], row["wins"], row["places"]) for row in player["standings"]] == [(1, 1, [1, 0, 0, 0])]
    assert [event["number"] for event in player["histories"][0]["events"]] == [1]


def test_every_ladder_is_listed_empty_or_not(client: APIClient) -> None:
    listed = client.get("/api/v1/leaderboards").json()

    assert [row["ruleset"] for row in listed] == [ruleset.slug for ruleset in RULESETS]
    assert client.get(listed[0]["url"]).json()["rows"] == []
