"""Tables in the API: from opening one to the end of its game, as an account and as a guest."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from games.models import Table

pytestmark = pytest.mark.django_db

Call = Callable[[User | None], APIClient]


def opened(client: APIClient, **options: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/tables", {"ruleset": "army-ants", **options}, format="json")
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def joined(client: APIClient, key: str, **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/v1/tables/{key}/join", {"entropy": "abc", **more}, format="json")
    assert answer.status_code == 200, answer.json()
    return dict(answer.json())


@pytest.fixture
def two(call: Call) -> tuple[str, APIClient, APIClient]:
    """A table where two guests have started a game; the first one is to act."""
    one, other = call(None), call(None)
    key = opened(one)["key"]
    joined(one, key)
    begun = joined(other, key)
    return (key, other, one) if begun["your_turn"] else (key, one, other)


def act(client: APIClient, key: str, ply: int, token: str, **headers: str) -> Any:
    return client.post(f"/api/v1/tables/{key}/actions", {"ply": ply, "token": token}, format="json", headers=headers)


def test_guest_token_works_in_a_header(call: Call) -> None:
    made = opened(call(None))
    headers = {"Guest-Token": made["guest_token"]}
    answer = call(None).post(f"/api/v1/tables/{made['key']}/join", {"entropy": "x"}, format="json", headers=headers)
    assert [seat["you"] for seat in answer.json()["seats"]] == [True]


def test_who_signs_in_goes_on_with_the_games_begun_as_a_guest(client: Client, alice: User) -> None:
    client.post("/play/", {"ruleset": "army-ants", "against": "screen"})
    table = Table.objects.get()
    client.post(table.get_absolute_url(), {"do": "join"})
    client.force_login(alice)
    seen = client.get(f"/api/v1/tables/{table.key}").json()
    assert {"actions", "resign"} <= set(seen["may"])
    assert [row["key"] for row in client.get("/api/v1/tables", {"which": "mine"}).json()] == [table.key]
    elsewhere = Client()
    elsewhere.force_login(alice)
    assert elsewhere.get(f"/api/v1/tables/{table.key}").json()["may"] == []


def test_only_the_player_to_act_gets_the_legal_actions(
    two: tuple[str, APIClient, APIClient],
) -> None:
    key, mover, other = two
    mine, theirs = (client.get(f"/api/v1/tables/{key}").json() for client in (mover, other))
    assert mine["legal"]
    assert mine["position"]["tree"]
    assert theirs["legal"] == theirs["position"]["tree"] == []
    assert mine["position"]["frame"] == theirs["position"]["frame"]


def test_late_action_gets_a_conflict_with_the_current_table(two: tuple[str, APIClient, APIClient]) -> None:
    key, mover, _ = two
    token = mover.get(f"/api/v1/tables/{key}").json()["legal"][0]
    assert act(mover, key, 0, token).json()["tokens"] == [token]
    late = act(mover, key, 0, token)
    assert (late.status_code, late.json()["error"]["code"]) == (409, "not_your_turn")
    assert late.json()["table"]["ply"] == 1


def test_action_repeated_with_its_key_is_played_once(two: tuple[str, APIClient, APIClient]) -> None:
    key, mover, _ = two
    token = mover.get(f"/api/v1/tables/{key}").json()["legal"][0]
    answers = [act(mover, key, 0, token, **{"Idempotency-Key": "k1"}) for _ in range(2)]
    assert [(answer.status_code, answer.json()["ply"]) for answer in answers] == [(200, 1), (200, 1)]


def test_illegal_action_names_the_broken_rule(two: tuple[str, APIClient, APIClient]) -> None:
    key, mover, _ = two
    refused = act(mover, key, 0, "a1>a9")
    assert refused.status_code == 422
    assert refused.json()["error"]["place"] == {"rule": "ARMY-BOARD-1"}


def test_the_secret_is_shown_only_when_the_game_is_over(two: tuple[str, APIClient, APIClient]) -> None:
    key, mover, other = two
    assert other.get(f"/api/v1/tables/{key}").json()["secret"] is None
    over = mover.post(f"/api/v1/tables/{key}/resign", format="json").json()
    assert len(over["secret"]) == 64
    assert sorted(over["result"]["placements"]) == [1, 2]
    assert over["may"] == ["phrases", "rematch"]


def test_tables_of_one_address_are_limited_however_many_guests_open_them(
    call: Call, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the interface and by the page together: a visitor without a cookie is a new guest each time."""
    rates = {"table": "2/hour"} | dict.fromkeys(("anon", "user"))
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    opened(call(None))
    assert client.post("/play/", {"ruleset": "army-ants"}).status_code == 303
    client.cookies.clear()
    assert "Too many tables at once" in (shown := client.post("/play/", {"ruleset": "army-ants"})).content.decode()
    refused = call(None).post("/api/v1/tables", {"ruleset": "army-ants"}, format="json")
    assert (shown.status_code, refused.status_code, Table.objects.count()) == (422, 429, 2)
    assert call(None).get("/api/v1/tables", {"which": "open"}).status_code == 200


def test_rated_table_requires_accounts(call: Call, alice: User) -> None:
    key = opened(call(alice), rated=True)["key"]
    joined(call(alice), key)
    answer = call(None).post(f"/api/v1/tables/{key}/join", {"entropy": "x"}, format="json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "rated_needs_account")


def test_lists_show_open_playing_and_own_tables(call: Call, alice: User) -> None:
    key = opened(call(alice))["key"]
    assert call(None).get("/api/v1/tables").json() == [], "nobody sits there yet"
    joined(call(alice), key)
    assert [row["key"] for row in call(None).get("/api/v1/tables").json()] == [key]
    joined(call(None), key)
    assert [row["names"] for row in call(None).get("/api/v1/tables?which=playing").json()] == [["alice", "Guest (1)"]]
    assert [row["key"] for row in call(alice).get("/api/v1/tables?which=mine").json()] == [key]


def test_unknown_account_cannot_be_invited(call: Call, alice: User) -> None:
    body = {"ruleset": "army-ants", "visibility": "names", "invited": ["nobody"]}
    answer = call(alice).post("/api/v1/tables", body, format="json")
    assert (answer.status_code, answer.json()["error"]["message"]) == (400, "There is no account called nobody.")


def test_the_rematch_is_one_table_for_both(two: tuple[str, APIClient, APIClient]) -> None:
    key, mover, other = two
    mover.post(f"/api/v1/tables/{key}/resign", format="json")
    keys = [client.post(f"/api/v1/tables/{key}/rematch", format="json").json()["key"] for client in (mover, other)]
    assert keys[0] == keys[1] != key
    assert Table.objects.get(key=keys[0]).state == "playing"
