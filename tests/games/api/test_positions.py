"""A record being written, in the API: nothing is stored, and nothing causes an error."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from engine.army_ants.ruleset import ARMY_ANTS
from tests.engine.atta_ants.table import tags_of
from tests.games.longest import longest

pytestmark = pytest.mark.django_db

HEAD = "".join(f'[{name} "{value}"]\n' for name, value in tags_of().items())
PLAYED = "1. NESW@0,2 R1:N+ R2:E / Y1:S Y2:N /"

Ask = Callable[..., Any]


@pytest.fixture
def ask(client: Client) -> Ask:
    def post(language: str = "en", **body: Any) -> Any:
        return client.post(
            "/api/v1/positions", body, content_type="application/json", headers={"accept-language": language}
        )

    return post


def test_position_after_the_last_legal_action_is_returned(ask: Ask) -> None:
    answer = ask(text=f"{HEAD}\n{PLAYED}").json()

    assert (answer["position"]["ply"], answer["position"]["turn"], answer["fault"]) == (7, "Y", None)
    assert answer["tokens"][1] == {
        "token": "R1:N+", "line": 10, "column": 13, "ply": 1, "number": 1, "seat": "R",
        "sentence": "R1 walks north and picks up a leaf.",
    }  # fmt: skip
    assert answer["text"].endswith(f"\n{PLAYED}\n*\n")


def test_position_at_an_earlier_ply_is_returned(ask: Ask) -> None:
    position = ask(text=f"{HEAD}\n{PLAYED}", ply=1, known=["nest"]).json()["position"]

    assert (position["ply"], position["frame"]["token"]) == (1, "NESW@0,2")
    assert "nest" not in position["symbols"]
    assert [must["target"] for must in position["must"]] == ["R1", "R2"]


def test_fault_has_its_position_rule_and_completions(ask: Ask) -> None:
    fault = ask(text=f"{HEAD}\n1. NESW@0,2 R1:NX", language="de").json()["fault"]

    assert (fault["rule"], fault["line"], fault["column"], fault["end_column"]) == ("AGN-MOVE-1", 10, 13, 18)
    assert fault["message"] == "„R1:NX“ ist keine Aktion von Atta Ants."
    assert fault["completions"][0] == {"token": "R1:N", "sentence": "R1 geht nach Norden."}
    assert len(fault["completions"]) == 4


def test_added_action_replaces_the_following_ones(ask: Ask) -> None:
    answer = ask(text=f"{HEAD}\n{PLAYED}", ply=1, play=["R2:N"]).json()

    assert answer["text"].endswith("\n1. NESW@0,2 R2:N\n*\n")
    assert answer["position"]["ply"] == 2


def test_actions_can_be_cut_and_comments_and_tags_changed(ask: Ask) -> None:
    answer = ask(text=f"{HEAD}\n{PLAYED}", ply=2, cut=True, comments={"0": "so"}, tags={"Event": "Club"}).json()

    assert answer["text"].endswith("\n1. NESW@0,2 {so} R1:N+\n*\n")
    assert answer["tags"]["Event"] == "Club"
    assert answer["comments"] == {"0": "so"}


def test_game_can_start_from_tags_alone(ask: Ask) -> None:
    answer = ask(tags=tags_of(), drawn="SW*").json()

    assert answer["position"]["picker"] is None
    assert {node["t"][:6] for node in answer["position"]["tree"]} == {"place:"}


def test_illegal_action_is_rejected_with_its_rule(ask: Ask) -> None:
    answer = ask(text=f"{HEAD}\n{PLAYED}", play=["R1:N"])

    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["place"]["rule"]) == (400, "illegal", "ATTA-PHASE-1")
    assert error["place"]["token"] == "R1:N"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello", "is not a tag"),
        ('[Game "Chess"]\n[Rules "1"]\n\n*', "Unknown game 'Chess'."),
        ('[Game "Atta Ants"]\n[Rules "1999"]\n\n*', "Unknown rules '1999' of Atta Ants."),
        ('{"format": "agn/1"}', "Key 'actions' is missing."),
    ],
)
def test_unreadable_text_is_rejected_with_its_position(ask: Ask, text: str, sentence: str) -> None:
    answer = ask(text=text)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unreadable")
    assert sentence in answer.json()["error"]["message"]
    assert answer.json()["error"]["place"]["line"] >= 1


@pytest.mark.parametrize(
    "body",
    [{}, {"text": 3}, {"text": ["x"]}, {"text": "x" * 65_537}, {"text": "\x00"}, {"text": "x", "ply": -1},
     {"text": "x", "ply": "z"}, {"text": "x", "comments": {"a": "b"}}, {"text": "x", "known": "nest"},
     {"text": "x", "play": [None]}, {"tags": {"Game": None}}, {"text": "\ud800"}],
)  # fmt: skip
def test_malformed_position_request_is_rejected(ask: Ask, body: dict[str, Any]) -> None:
    answer = ask(**body)

    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_positions_need_neither_sign_in_nor_csrf_token(client: Client, django_user_model: Any) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(django_user_model.objects.create_user("ada"))

    answer = strict.post("/api/v1/positions", {"tags": tags_of()}, content_type="application/json")

    assert answer.status_code == 200


@pytest.mark.full
def test_the_answer_to_the_longest_draft_is_not_much_longer_than_it(ask: Ask) -> None:
    text = longest(ARMY_ANTS).text()
    for ply, first in ((None, 4500), (0, 0), (3000, 2750), (4900, 4500)):
        answer = ask(text=text, ply=ply)
        assert answer.json()["actions"] == 5000
        assert [one["ply"] for one in answer.json()["tokens"]] == [*range(first, first + 500)]
        assert len(answer.content) < 4 * len(text)
