"""Requests made while the account is being deleted get an answer instead of a server error."""

from collections.abc import Callable
from datetime import datetime
from threading import Thread

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models.deletion import Collector
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.test import APIClient

from games.accounts.deletion import delete_account
from games.models import Claim, Player, Upload
from games.players.claims import make_claim
from games.uploads import origin
from tests.factories import record
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db(transaction=True)
Call = Callable[..., APIClient]


def in_own_connection(act: Callable[[], object]) -> None:
    """Do something on a separate connection and wait for it."""

    def run() -> None:
        act()
        connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join()


@pytest.fixture
def deleted_during_upload(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alice's account is deleted while she uploads something."""
    begin = origin.new_upload

    def meanwhile(*args: object, **kwargs: object) -> Upload:
        in_own_connection(lambda: delete_account(alice, now=timezone.now()))
        return begin(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr("games.uploads.submit.new_upload", meanwhile)


def test_api_reports_that_the_account_was_just_deleted(call: Call, alice: User, deleted_during_upload: None) -> None:
    answer = call(alice).post("/api/v1/uploads", record(), content_type="text/plain")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "account_gone")
    assert answer.json()["error"]["message"] == "This account has just been deleted. Nothing was changed."
    assert not Upload.objects.exists()
    assert not AuthToken.objects.exists()


def test_page_of_a_deleted_account_redirects_home_with_an_explanation(alice: User, deleted_during_upload: None) -> None:
    client = Client()
    client.force_login(alice)
    answer = client.post("/upload/", {"text": record().decode(), "scored": "true"}, follow=True)
    assert answer.redirect_chain == [("/", 303)]
    assert "This account has just been deleted. Nothing was changed." in words_of(answer.content.decode())
    assert "sessionid" not in client.cookies or not client.cookies["sessionid"].value


def test_other_database_error_remains_a_server_error(call: Call, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = call(alice)
    client.raise_request_exception = False
    broken = {"via": "door", "received_at": timezone.now()}
    monkeypatch.setattr("games.uploads.submit.new_upload", lambda *_, **__: Upload.objects.create(**broken))
    assert client.post("/api/v1/uploads", record(), content_type="text/plain").status_code == 500


def test_rows_written_during_account_deletion_are_deleted_too(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = Player.objects.create(name="Ada", created_at=now)
    before, done = Collector.delete, list[str]()

    def delete(self: Collector) -> object:
        if User in self.data and not done:  # more is added after the related rows have been collected
            done.append("claimed")
            in_own_connection(lambda: make_claim(ada, alice, now=now))
        return before(self)

    monkeypatch.setattr(Collector, "delete", delete)
    delete_account(alice, now=now)

    assert (done, User.objects.filter(username="alice").exists(), Claim.objects.exists()) == (["claimed"], False, False)
