"""Parameters of an address: each operation takes those that its description names, once each, and no others."""

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Follow, Player
from tests.factories import duels
from tests.games.storing import judged
from tests.gated import GatedClient

pytestmark = pytest.mark.django_db
VALUES = {
    "uuid": "6b7f7f2e-3f1a-4d3e-9a2f-0d9a1c1f8a11", "key": "abcdefgh", "slug": "atta-ants", "collection": "abcdefgh",
}  # fmt: skip


@pytest.fixture
def moderator(db: None, unthrottled: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("chief"))
    return client


def operations(client: Client) -> list[tuple[str, str, set[str]]]:
    """Return the method, an address and the parameters of each operation."""
    schema = client.get("/api/v1/schema/?format=json").json()
    return [
        (method, _address(path, operation), {one["name"] for one in _parameters(operation, "query")})
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]


def _parameters(operation: dict[str, Any], where: str) -> list[dict[str, Any]]:
    return [one for one in operation.get("parameters", ()) if one["in"] == where]


def _address(path: str, operation: dict[str, Any]) -> str:
    """Return a path with a value of the right shape for each of its names."""
    for one in _parameters(operation, "path"):
        shape = one["schema"]
        whole = "1" if shape["type"] == "integer" or one["name"] in ("pk", "other", "number", "id") else "abcdefgh"
        value = VALUES["uuid"] if shape.get("format") == "uuid" else VALUES.get(one["name"], whole)
        path = path.replace(f"{{{one['name']}}}", value)
    return path


def test_every_operation_refuses_a_parameter_that_it_does_not_describe(moderator: Client) -> None:
    found = operations(moderator)
    assert len(found) > 150
    for method, path, known in found:
        answer = moderator.generic(method.upper(), f"{path}?zzqzz=1", headers={"accept": "application/json"})
        where = (method, path, known, answer.status_code, answer.content[:200])
        assert answer.status_code == 400, where
        if method != "head":
            error = answer.json()["error"]
            assert (error["code"], error["place"]) == ("invalid", {"parameter": "zzqzz"}), where
            assert "“zzqzz”" in error["message"], where


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/api/v1/games/export?clubs=x", "There is no parameter “clubs” here. Did you mean “club”?"),
        ("/api/v1/games?Player=ada", "There is no parameter “Player” here. Did you mean “player”?"),
        ("/api/v1/studies?page=2", "There is no parameter “page” here. Use one of: "),
        ("/api/v1/dumps?month=2026-01", "There is no parameter “month” here: this address takes none."),
        ("/api/v1/schema/?langg=de&format=json", "There is no parameter “langg” here. Did you mean “lang”?"),
        ("/api/v1/schema/?lang=xx&format=json", "lang is xx; allowed: en, de."),
        ("/api/v1/games?player=ada&player=bob", "“player” was sent more than once. Send it once."),
        ("/api/v1/games/export?format=agn&format=ndjson", "“format” was sent more than once. Send it once."),
        ("/api/v1/games?" + "x" * 500 + "=1", f"There is no parameter “{'x' * 64}” here. "),
    ],
)
def test_the_nearest_known_parameter_is_named(client: Client, path: str, sentence: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid")
    assert answer.json()["error"]["message"].startswith(sentence)


def test_a_refusal_is_in_the_readers_language(client: Client) -> None:
    answer = client.get("/api/v1/games?clubs=x", headers={"accept-language": "de"})
    assert answer.json()["error"]["message"] == "Einen Parameter „clubs“ gibt es hier nicht. Ist „club“ gemeint?"


# One word for how an answer is written


FORMATS = [("agn", "text/plain"), ("ndjson", "application/x-ndjson"), ("annotated", "application/x-ndjson")]


@pytest.mark.parametrize(("named", "kind"), FORMATS)
def test_the_older_name_of_the_format_is_read_too(client: Client, named: str, kind: str) -> None:
    for name in "format", "form":
        answer = client.get("/api/v1/games/export", {name: named})
        assert answer.headers["Content-Type"].partition(";")[0] == kind
    both = client.get("/api/v1/games/export", {"form": "agn", "format": named})
    assert both.headers["Content-Type"].partition(";")[0] == kind


def test_no_operation_has_two_names_for_its_format(moderator: Client) -> None:
    known = [names for _method, _path, names in operations(moderator)]
    assert sum("format" in names for names in known) >= 5
    assert [names for names in known if "form" in names] == []


def test_an_answer_is_written_as_the_address_says(client: Client) -> None:
    page = client.get("/api/v1/dumps?format=page")
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    plain = client.get("/api/v1/dumps?format=json", headers={"accept": "text/html"})
    assert (plain.status_code, plain.headers["Content-Type"]) == (200, "application/json")
    refused = client.get("/api/v1/dumps?format=xml")
    assert (refused.status_code, refused.json()["error"]["place"]) == (400, {"parameter": "format"})
    assert refused.json()["error"]["message"] == "format is xml; allowed: json, page."


# Bodies


@pytest.mark.parametrize(
    ("path", "body", "place", "sentence"),
    [
        ("/api/v1/tables", {"ruleset": "army-ants", "visiblity": "link"}, "visiblity",
         "There is no parameter “visiblity” here. Did you mean “visibility”?"),
        ("/api/v1/positions", {"text": 5}, "text", "“text” must be a text: write it in quotes."),
        ("/api/v1/studies", {"title": "A", "chapters": [{"tags": {}, "node": []}]}, "chapters.0.node",
         "There is no parameter “node” here. Did you mean “nodes”?"),
    ],
)  # fmt: skip
def test_a_body_has_only_names_that_are_described(
    moderator: Client, path: str, body: dict[str, object], place: str, sentence: str
) -> None:
    answer = moderator.post(path, body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["place"]) == (400, {"parameter": place})
    assert answer.json()["error"]["message"] == sentence


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_what_a_body_leaves_out_is_not_taken_as_false(moderator: Client, now: datetime, kind: str) -> None:
    judged(*duels(1), now=now)
    player = Player.objects.earliest("pk")
    address = f"/api/v1/players/{player.pk}/following"
    assert moderator.put(address, {"following": True}, content_type="application/json").json() == {"following": True}
    answer = moderator.put(address, "{}" if kind == "application/json" else "", content_type=kind)
    assert (answer.status_code, answer.json()["error"]["place"]) == (400, {"parameter": "following"})
    assert Follow.objects.filter(player=player).exists()


@pytest.mark.parametrize("value", ["14.0", "14.", "1_4", " 14", "+14", "\uff11\uff14"])
def test_whole_numbers_are_written_with_digits_alone(client: Client, value: str) -> None:
    for path, name in (("/api/v1/games", "shortest"), ("/api/v1/leaderboards/atta-ants-online", "active")):
        error = client.get(path, {name: value}).json()["error"]
        assert (error["code"], error["place"]) == ("invalid", {"parameter": name}), path
        assert client.get(path, {name: "14"}).status_code == 200


# Other origins


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/games/export", "/api/v1/games/zzzzzzzz", "/api/v1/schema/"])
def test_pages_of_any_origin_may_read_what_visitors_read(client: Client, path: str) -> None:
    answer = client.get(path, headers={"origin": "https://ants.example"})
    assert (answer["Access-Control-Allow-Origin"], answer["Access-Control-Expose-Headers"]) == ("*", "*")
    assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize(
    ("refused", "status"),
    [({"QUERY_STRING": "player=%00"}, 400), ({"CONTENT_LENGTH": str(10**9)}, 413), ({"HTTP_COOKIE": "a" * 9000}, 431)],
)
def test_pages_of_any_origin_may_read_why_a_request_is_refused(refused: Any, status: int) -> None:
    client = GatedClient()
    answer = client.get("/api/v1/games", **refused)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, "*")
    assert "Access-Control-Allow-Origin" not in client.get("/games/", **refused)
    assert client.get("/api/v1/nothing")["Access-Control-Allow-Origin"] == "*"


def test_pages_of_other_origins_may_change_nothing(client: Client) -> None:
    for answer in (
        client.post("/api/v1/positions", {}, headers={"origin": "https://ants.example"}),
        client.options("/api/v1/games", headers={"origin": "https://ants.example"}),
        client.get("/", headers={"origin": "https://ants.example"}),
    ):
        assert "Access-Control-Allow-Origin" not in answer
