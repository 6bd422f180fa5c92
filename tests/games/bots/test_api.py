"""What bots' authors use: streams of a JSON object a line, tokens that are good for playing only."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import AbstractBaseUser
from django.test import Client

from games.accounts.tokens import Scope, make_token
from games.web.live.streams import LINES
from tests.games.playing.seating import accounts, fresh, seated

pytestmark = pytest.mark.django_db


def token(account: AbstractBaseUser | None, scope: Scope = Scope.PLAY) -> dict[str, str]:
    """Return the headers that bring an account's token."""
    assert account
    return {"authorization": f"Bearer {make_token(account, scope)}", "accept": LINES}


def lines(client: Client, path: str, headers: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the objects of what a stream begins with."""
    answer = client.get(path, headers=headers)
    assert answer["Content-Type"] == f"{LINES}; charset=utf-8"
    return [json.loads(line) for line in answer.content.splitlines() if line]


def keys(tables: list[dict[str, str]]) -> list[str]:
    return [table["key"] for table in tables]


def test_a_tables_events_come_as_lines(now: datetime, client: Client) -> None:
    people = accounts(2)
    table = seated(people, now, "army-ants")

    found = lines(client, f"/live/tables/{table.key}?after=0", token(people[0].account))

    assert [event["number"] for event in found] == list(range(1, fresh(table).last_event + 1))
    assert found[-1]["kind"] == "begun"


def test_a_token_for_playing_is_good_for_nothing_else(client: Client, now: datetime) -> None:
    (ada,) = accounts(1)
    headers = {**token(ada.account), "accept": "application/json"}
    answer = client.post("/api/v1/uploads", b"x", content_type="text/plain", headers=headers)

    assert answer.status_code == 403
    assert answer.json()["error"]["message"] == "This token is for playing at tables only."


def test_a_token_that_is_none_is_refused(client: Client) -> None:
    answer = client.get("/live/me", headers={"authorization": "Bearer atta_play_nonsense"})

    assert (answer.status_code, answer.json()["code"]) == (401, "token")
