"""Absolute URLs always name the site itself, whatever host a request names."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from tests.games.test_access import ROWS, World, address
from tests.games.web.accounts.forms import PASSWORD, posted, register, sign_in
from tests.tiers import first_quick, share

pytestmark = pytest.mark.django_db

FORGED = (
    {"HTTP_HOST": "testserver:6666"},
    {"HTTP_HOST": "localhost:6666"},
    {"HTTP_X_FORWARDED_HOST": "evil.example:6666", "HTTP_X_FORWARDED_PORT": "6666", "SERVER_PORT": "6666"},
    {"HTTP_FORWARDED": "host=evil.example:6666", "HTTP_X_ORIGINAL_HOST": "evil.example", "HTTP_X_HOST": "evil.example"},
)
ELSEWHERE = re.compile(r":6666|evil\.example|//localhost")


@pytest.fixture
def ada(settings: Settings) -> User:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    user = User.objects.create_user("Ada", "ada@ants.example", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def mailed(forged: dict[str, Any]) -> Iterator[str]:
    """Yield all mails with links that a visitor or the account's owner can trigger."""
    for send in (
        lambda client: register(client, "Eve", email="eve@ants.example"),
        lambda client: register(client, "Mallory"),
        lambda client: client.post("/account/password/reset/", {"email": "ada@ants.example"}),
        lambda client: client.post("/account/password/reset/", {"email": "nobody@ants.example"}),
        lambda client: sign_in(client, "Eve"),
        lambda client: (sign_in(client), client.post("/account/reauthenticate/", {"password": PASSWORD}),
                        client.post("/account/email/", {"email": "new@ants.example", "action_add": ""})),
    ):  # fmt: skip
        send(Client(**forged))
        yield from (f"{message.subject}\n{message.body}" for message in posted())
        mail.outbox.clear()


@pytest.mark.parametrize("forged", first_quick(FORGED))
def test_links_in_mails_ignore_forged_hosts(ada: User, forged: dict[str, Any]) -> None:
    mails = list(mailed(forged))
    assert len(mails) >= 5
    assert [text for text in mails if ELSEWHERE.search(text)] == []
    assert sum("http://testserver/account/" in text for text in mails) >= 4


@pytest.mark.full
@pytest.mark.parametrize("forged", first_quick(FORGED))
def test_pages_and_api_responses_ignore_forged_hosts(
    cast: dict[str, User], worlds: tuple[World, World], forged: dict[str, Any]
) -> None:
    client = Client(**forged)
    client.force_login(cast["uploader"])
    wrong = []
    names = [row.name for row in ROWS if row.method == "GET"]
    for name in share(names, FORGED.index(forged), of=len(FORGED)):
        answer = client.get(address(name, worlds[0]))
        text = "" if answer.streaming else answer.content.decode(errors="replace")  # a picture is no text
        if ELSEWHERE.search(f"{dict(answer.headers)} {text}"):
            wrong.append(name)
    assert wrong == []


def test_plain_http_redirects_to_the_configured_host(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_SSL_HOST = True, "testserver"
    assert client.get("/games/", HTTP_HOST="localhost:6666")["Location"] == "https://testserver/games/"


@pytest.mark.parametrize(
    "onward", ["http://testserver:6666/", "//testserver:6666/", "https://testserver/", "http:///x"]
)
def test_forms_redirect_only_to_paths(client: Client, ada: User, onward: str) -> None:
    sent = {"login": "Ada", "password": PASSWORD, "next": onward}
    assert client.post("/account/login/", sent, HTTP_HOST="testserver:6666")["Location"] == "/account/"
    assert client.post("/theme/", {"next": onward}, HTTP_HOST="testserver:6666")["Location"] == "/"
