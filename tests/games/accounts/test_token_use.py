"""When tokens were last used: noted to the hour, without a write for each request and without waiting."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken

from games.accounts import cleaning, token_use
from games.accounts.reads.accounts import tokens_of
from games.accounts.tokens import Scope, make_token
from games.models import TokenUse

pytestmark = pytest.mark.django_db

PAGE = "/api/v1/account/uploads"


@pytest.fixture
def token(alice: User) -> AuthToken:
    make_token(alice)
    found: AuthToken = AuthToken.objects.get()
    return found


def writes(queries: CaptureQueriesContext) -> list[str]:
    return [one["sql"] for one in queries.captured_queries if "games_tokenuse" in one["sql"]]


def test_use_of_a_token_is_noted_to_the_hour(alice: User, client: Client) -> None:
    assert client.get(PAGE, headers={"authorization": f"Bearer {make_token(alice)}"}).status_code == 200
    used = TokenUse.objects.get().used_at
    assert (used.minute, used.second, used.microsecond) == (0, 0, 0)


def test_a_token_that_may_not_be_used_at_an_address_was_used_nevertheless(alice: User, client: Client) -> None:
    headers = {"authorization": f"Bearer {make_token(alice, Scope.PLAY)}"}
    assert client.get(PAGE, headers=headers).status_code == 403
    assert TokenUse.objects.exists()


def test_refused_token_leaves_nothing(client: Client) -> None:
    assert client.get(PAGE, headers={"authorization": "Bearer atta_" + "0" * 64}).status_code == 401
    assert not TokenUse.objects.exists()


def test_token_is_written_once_an_hour_however_often_it_is_used(token: AuthToken, now: datetime) -> None:
    with CaptureQueriesContext(connection) as queries:
        for minutes in range(60):
            token_use.note_use(token, now=now.replace(minute=minutes))
    assert len(writes(queries)) == 2  # the row is looked for, and added
    token_use.note_use(token, now=now + timedelta(hours=1))
    assert TokenUse.objects.get().used_at == (now + timedelta(hours=1)).replace(minute=0, second=0, microsecond=0)


def test_another_process_that_has_noted_the_hour_is_believed(
    token: AuthToken, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = now + timedelta(hours=2)
    token_use.note_use(token, now=later)
    monkeypatch.setattr(token_use, "_noted", token_use._Noted())
    token_use.note_use(token, now=now)  # by a clock that is behind
    assert TokenUse.objects.get().used_at == later.replace(minute=0, second=0, microsecond=0)


def test_tokens_use_goes_with_it_and_what_was_left_behind_goes_with_the_hourly_job(
    token: AuthToken, alice: User, now: datetime
) -> None:
    token_use.note_use(token, now=now)
    token.delete()
    assert not TokenUse.objects.exists()
    TokenUse.objects.create(token_id="of an earlier version", used_at=now)
    cleaning.forget_expired_tokens(now=now)
    assert not TokenUse.objects.exists()


def test_account_sees_when_each_token_was_last_used(alice: User, token: AuthToken, now: datetime) -> None:
    make_token(alice)
    token_use.note_use(token, now=now)
    shown: dict[str, Any] = {one.digest: getattr(one, "use", None) for one in tokens_of(alice, now=now)}
    assert len(shown) == 2
    assert shown.pop(token.digest).used_at.hour == now.hour
    assert set(shown.values()) == {None}


@pytest.fixture
def committed(transactional_db: None, alice: User, now: datetime) -> AuthToken:
    """A token that was used an hour ago, which other connections see."""
    make_token(alice)
    found: AuthToken = AuthToken.objects.get()
    token_use.note_use(found, now=now - timedelta(hours=1))
    return found


def test_no_request_waits_for_a_process_that_is_writing(committed: AuthToken, now: datetime) -> None:
    before, other = TokenUse.objects.get().used_at, connections.create_connection("default")
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor, connection.cursor() as ours:
            cursor.execute("SELECT FROM games_tokenuse FOR UPDATE")
            ours.execute("SET lock_timeout = 1")
            token_use._write({"token": committed.digest, "hour": now})
            ours.execute("RESET lock_timeout")
    finally:
        other.rollback()
        other.close()
    assert TokenUse.objects.get().used_at == before


def test_request_is_answered_although_nothing_can_be_written(committed: AuthToken, now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        token_use.note_use(committed, now=now)
        cursor.execute("SET default_transaction_read_only = off")
    assert TokenUse.objects.get().used_at < now - timedelta(minutes=59)
