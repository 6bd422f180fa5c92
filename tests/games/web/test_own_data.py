"""Exporting one's data, and deleting the account."""

import json
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from games.accounts.tokens import make_token
from games.models import Player, Upload
from games.records.reads import streams
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import count_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db

PASSWORD = "Leaf-Cutter-1923"


@pytest.fixture
def ada(settings: Settings) -> User:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return User.objects.create_user("Ada", "ada@ants.example", PASSWORD)


@pytest.fixture
def home(client: Client, ada: User, settings: Settings) -> Client:
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    client.post("/account/login/", {"login": "Ada", "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.fixture
def played(ada: User, now: datetime) -> None:
    """Ada has uploaded two of her games; one is rated and one is private."""
    upload_file(record(), via=Upload.Via.WEB, now=now, uploader=ada, filename="ours.agn")
    count_all(now)
    upload_file(record("draw 1-1"), via=Upload.Via.WEB, now=now, uploader=ada, options=UploadOptions(private=True))
    count_all(now)
    Player.objects.filter(name="Ada").update(account=ada)


def test_own_data_is_exported_as_one_file(home: Client, played: None) -> None:
    answer = home.get("/account/export/")
    data = json.loads(answer.getvalue())
    assert answer["Content-Disposition"].startswith('attachment; filename="atta-account-')
    assert data["account"]["name"] == "Ada"
    assert data["players"][0]["name"] == "Ada"
    assert {upload["filename"] for upload in data["uploads"]} == {"ours.agn", ""}
    assert data["records"][0]["data"] == record().decode().removesuffix("\n")
    assert [(game["game__private"], game["letter"], game["place"]) for game in data["games"]] == [
        (False, "R", 2),
        (True, "R", 1),
    ]
    assert data["ratings"][0]["mu_before"] == 1200
    assert data["browsers"][0]["ip"] == "127.0.0.1"
    assert PASSWORD not in json.dumps(data)


@pytest.mark.full
def test_large_exports_are_sent_one_at_a_time(home: Client, played: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "IN_MEMORY", 1000)
    other = streams.whole_or_stream(piece for piece in (b"x" * 2000, b"more"))
    busy = home.get("/account/export/", follow=True)
    assert busy.redirect_chain == [("/account/settings/", 303)]
    assert "Another long answer is being sent. Try again in a few seconds." in words_of(busy.content.decode())
    assert isinstance(other, streams.Stream)
    other.close()
    long = home.get("/account/export/")
    assert (long.streaming, json.loads(long.getvalue())["account"]["name"]) == (True, "Ada")


@pytest.mark.full
def test_export_contains_nothing_about_others(home: Client, played: None, bob: User, now: datetime) -> None:
    upload_file(
        record("timeout:R 2-1", names=("Eve", "Zoe")), via=Upload.Via.WEB, now=now, uploader=bob, filename="theirs.agn"
    )
    count_all(now)
    data = home.get("/account/export/").getvalue()
    assert b"Eve" not in data
    assert b"theirs.agn" not in data


def test_deleting_an_account_requires_its_name_and_password(client: Client, home: Client, ada: User) -> None:
    wrong = home.post("/account/delete/", {"name": "Bob"})
    assert wrong.status_code == 422
    assert "This is not the account’s name." in words_of(wrong.content.decode())
    assert User.objects.filter(pk=ada.pk).exists()
    stranger = Client()
    stranger.force_login(ada)
    assert stranger.post("/account/delete/", {"name": "Ada"})["Location"].startswith("/account/reauthenticate/")
    assert User.objects.filter(pk=ada.pk).exists()


def test_deleting_an_account_ends_sessions_and_tokens_but_keeps_games(home: Client, played: None, ada: User) -> None:
    token = make_token(ada)
    player = Player.objects.get(name="Ada")
    answer = home.post("/account/delete/", {"name": "Ada"}, follow=True)
    assert "Your account is deleted." in words_of(answer.content.decode())
    assert not User.objects.exists()
    assert Session.objects.count() == 0
    api = APIClient(headers={"Authorization": f"Bearer {token}"})
    assert api.post("/api/v1/uploads", record(), content_type="text/plain").status_code == 401
    page = words_of(Client().get(player.get_absolute_url()).content.decode())
    assert "Former player" in page
    assert "Ada" not in page
