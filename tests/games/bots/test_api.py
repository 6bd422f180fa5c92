"""For bot authors: JSON line streams and tokens limited to playing."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AbstractBaseUser
from django.test import Client
from knox.models import AuthToken

from games.accounts.tokens import Scope, make_token
from games.models import Table
from games.playing import opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person
from games.web.live.streams import LINES
from tests.games.playing.seating import accounts, fresh, seated, whose_turn

pytestmark = pytest.mark.django_db


def token(account: AbstractBaseUser | None, scope: Scope = Scope.PLAY) -> dict[str, str]:
    """Return the headers with an account's token."""
    assert account
    return {"authorization": f"Bearer {make_token(account, scope)}", "accept": LINES}


def lines(client: Client, path: str, headers: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the first objects of a stream."""
    answer = client.get(path, headers=headers)
    assert answer["Content-Type"] == f"{LINES}; charset=utf-8"
    return [json.loads(line) for line in answer.content.splitlines() if line]


def keys(tables: list[dict[str, str]]) -> list[str]:
    return [table["key"] for table in tables]


def invited(now: datetime) -> tuple[Table, Person, Person]:
    """Return a table with an invited account, its opener and the invited player."""
    host, guest = accounts(2)
    assert guest.account
    options = TableOptions(ruleset="army-ants", visibility=Table.Visibility.NAMES, invited=[guest.account])
    table = opening.open_table(options, host, now=now)
    opening.join(table.key, host, Addition("host"), now=now)
    return table, host, guest


def test_stream_lists_tables_where_it_is_the_bots_turn(now: datetime, client: Client) -> None:
    people = accounts(2)
    table = seated(people, now, "army-ants")
    other = next(person for person in people if person != whose_turn(table, people))

    (found,) = lines(client, "/live/me", token(whose_turn(table, people).account))
    assert keys(found["waiting"]) == [table.key]
    assert lines(client, "/live/me", token(other.account)) == [{"kind": "me", "waiting": [], "invited": []}]


def test_stream_lists_open_invitations(now: datetime, client: Client) -> None:
    table, _, guest = invited(now)
    headers = token(guest.account)

    assert keys(lines(client, "/live/me", headers)[0]["invited"]) == [table.key]
    opening.join(table.key, guest, Addition("guest"), now=now)
    assert lines(client, "/live/me", headers)[0]["invited"] == []


def test_an_invitation_is_declined(now: datetime, client: Client) -> None:
    table, _, guest = invited(now)
    headers = token(guest.account)

    answer = client.post(f"/api/v1/tables/{table.key}/decline", headers={**headers, "accept": "application/json"})

    assert answer.status_code == 200
    assert lines(client, "/live/me", headers)[0]["invited"] == []
    assert fresh(table).events.order_by("-number")[0].body == {"name": "Bruno"}


def test_uninvited_account_cannot_decline(now: datetime, client: Client) -> None:
    table, host, _ = invited(now)
    headers = {**token(host.account), "accept": "application/json"}

    answer = client.post(f"/api/v1/tables/{table.key}/decline", headers=headers)

    assert answer.json()["error"]["code"] == "not_invited"


def test_table_events_are_streamed_as_json_lines(now: datetime, client: Client) -> None:
    people = accounts(2)
    table = seated(people, now, "army-ants")

    found = lines(client, f"/live/tables/{table.key}?after=0", token(people[0].account))

    assert [event["number"] for event in found] == list(range(1, fresh(table).last_event + 1))
    assert found[-1]["kind"] == "begun"


def test_playing_token_cannot_upload(client: Client, now: datetime) -> None:
    (ada,) = accounts(1)
    headers = {**token(ada.account), "accept": "application/json"}
    answer = client.post("/api/v1/uploads", b"x", content_type="text/plain", headers=headers)

    assert answer.status_code == 403
    assert answer.json()["error"]["message"] == "This token is for playing at tables only."


def test_expired_token_is_rejected(client: Client) -> None:
    (ada,) = accounts(1)
    _, text = AuthToken.objects.create(ada.account, expiry=timedelta(seconds=-1))
    answer = client.get("/api/v1/account/uploads", headers={"authorization": f"Bearer {text}"})
    assert answer.status_code == 401


def test_unknown_token_is_rejected(client: Client) -> None:
    answer = client.get("/live/me", headers={"authorization": "Bearer atta_play_nonsense"})

    assert (answer.status_code, answer.json()["code"]) == (401, "token")
