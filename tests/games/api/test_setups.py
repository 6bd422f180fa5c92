"""Laying out a game in the API."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def post(client: Client, slug: str, **body: Any) -> Any:
    return client.post(f"/api/v1/setups/{slug}", body, content_type="application/json")


def test_empty_setup_lists_decks_seatings_and_next_place(client: Client) -> None:
    answer = client.get("/api/v1/setups/atta-ants-2003").json()

    assert (answer["game"], answer["rules"], answer["next"]) == ("Atta Ants", "2003", "NW")
    assert answer["seatings"][0] == ["R", "Y"]
    assert [deck["value"] for deck in answer["decks"]] == ["reconstruction-1", "printed"]


def test_partial_setup_is_drawn_with_its_next_choices(client: Client) -> None:
    answer = post(client, "army-ants", laid={"a8": "BQ"}, known=["queen-black"]).json()

    assert "BQ" in [piece["id"] for piece in answer["frame"]["put"]]
    assert "queen-black" not in answer["symbols"]
    assert (answer["complete"], answer["setup"]) == (False, None)


@pytest.mark.parametrize(
    ("slug", "body", "status", "code"),
    [
        ("army-ants", {"laid": {"a8": "RQ"}}, 400, "not_laid"),
        ("army-ants", {"laid": {"a8": 3}}, 400, "not_laid"),
        ("army-ants", {"laid": ["a8"]}, 400, "invalid"),
        ("atta-ants-online", {"deck": "NS"}, 400, "wrong_deck"),
        ("chess", {}, 404, "not_found"),
    ],
)
def test_invalid_setup_is_rejected(client: Client, slug: str, body: dict[str, Any], status: int, code: str) -> None:
    answer = post(client, slug, **body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
