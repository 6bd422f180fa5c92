"""An authenticator app, its recovery codes, and tokens for programs."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from games.models import TokenUse
from tests.factories import record
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db

PASSWORD = "Leaf-Cutter-1923"


@pytest.fixture(autouse=True)
def _minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes change every half minute: no test starts in one period and ends in the next."""
    monkeypatch.setattr(totp, "time", SimpleNamespace(time=lambda: 1_790_000_000.0))


@pytest.fixture
def ada(settings: Settings) -> User:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return User.objects.create_user("Ada", password=PASSWORD)


@pytest.fixture
def home(client: Client, ada: User) -> Client:
    """Ada's browser, signed in and recently reauthenticated."""
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def sign_in(client: Client) -> Any:
    return client.post("/account/login/", {"login": "Ada", "password": PASSWORD})


def page_text(answer: Any) -> str:
    return words_of(answer.content.decode())


def code_for(secret: str) -> str:
    """Return the current code of the app."""
    _, now, _ = totp.yield_hotp_counters_from_time()
    return str(totp.format_hotp_value(totp.hotp_value(secret, now)))


def set_up_app(home: Client) -> str:
    """Set up the app as a user does; return the scanned secret."""
    page = home.get("/account/2fa/totp/activate/").content.decode()
    (secret,) = re.findall(r'id="secret"[^>]* value="([A-Z2-7]+)"', page)
    answer = home.post("/account/2fa/totp/activate/", {"code": code_for(secret)})
    assert answer["Location"] == "/account/2fa/recovery-codes/"
    return str(secret)


def test_authenticator_app_is_required_when_signing_in(home: Client) -> None:
    secret = set_up_app(home)
    other = Client()
    assert sign_in(other)["Location"] == "/account/2fa/authenticate/"
    assert other.get("/account/").status_code == 302
    assert "Incorrect code." in page_text(other.post("/account/2fa/authenticate/", {"code": "000000"}))
    Authenticator.objects.filter(type="totp").update(last_used_at=None)
    assert other.post("/account/2fa/authenticate/", {"code": code_for(secret)})["Location"] == "/account/"


def test_an_address_is_confirmed_before_a_second_factor_is_offered(home: Client, ada: User) -> None:
    address = EmailAddress.objects.create(user=ada, email="new@ants.example")
    page = home.get("/account/2fa/")
    assert "confirm this address or remove it: new@ants.example" in page_text(page)
    assert "Set up an app" not in page_text(page)
    address.delete()
    assert "Set up an app" in page_text(home.get("/account/2fa/"))


def test_a_second_factor_added_before_the_address_is_confirmed_is_refused_in_our_words(home: Client, ada: User) -> None:
    EmailAddress.objects.create(user=ada, email="new@ants.example")
    words = page_text(home.post("/account/2fa/totp/activate/", {"code": "000000"}, follow=True))
    assert "Confirm your e-mail address before you add a second factor." in words


@pytest.mark.full
def test_wrong_codes_are_limited(home: Client) -> None:
    set_up_app(home)
    other = Client()
    sign_in(other)
    answers = [page_text(other.post("/account/2fa/authenticate/", {"code": "000000"})) for _ in range(6)]
    assert "Too many failed login attempts. Try again later." in answers[-1]


@pytest.mark.full
def test_recovery_code_works_only_once(home: Client) -> None:
    set_up_app(home)
    code = re.findall(r"<code>(\d{8})</code>", home.get("/account/2fa/recovery-codes/").content.decode())[0]
    for place in ("/account/", None):
        other = Client()
        sign_in(other)
        assert other.post("/account/2fa/authenticate/", {"code": code}).headers.get("Location") == place


def test_secret_is_stored_encrypted_and_survives_a_key_change(home: Client, settings: Settings) -> None:
    secret = set_up_app(home)
    kept = Authenticator.objects.get(type="totp")
    assert secret not in str(kept.data)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "x" * 50
    assert kept.wrap().validate_code(code_for(secret))


def test_changing_the_second_factor_requires_the_password_again(client: Client, ada: User) -> None:
    sign_in(client)
    assert client.get("/account/2fa/totp/activate/")["Location"].startswith("/account/reauthenticate/")


def test_authenticator_app_can_be_turned_off(home: Client) -> None:
    set_up_app(home)
    assert "Turn off the authenticator app?" in page_text(home.get("/account/2fa/totp/deactivate/"))
    home.post("/account/2fa/totp/deactivate/")
    assert sign_in(Client())["Location"] == "/account/"


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_a_token_is_shown_once_and_works(home: Client) -> None:
    page = home.post("/account/tokens/").content.decode()
    (token,) = re.findall(r'id="made" readonly value="(atta_\w+)"', page)
    assert token not in home.get("/account/tokens/").content.decode()
    client = APIClient(headers={"Authorization": f"Bearer {token}"})
    assert client.post("/api/v1/uploads", record(), content_type="text/plain").status_code == 202
    assert "pasted text" in page_text(home.get("/account/settings/"))


def test_tokens_show_when_they_were_last_used(home: Client) -> None:
    page = home.post("/account/tokens/").content.decode()
    (token,) = re.findall(r'id="made" readonly value="(atta_\w+)"', page)
    assert "no use noted" in page_text(home.get("/account/tokens/"))
    APIClient(headers={"Authorization": f"Bearer {token}"}).get("/api/v1/account/uploads")
    shown = home.get("/account/tokens/")
    assert "no use noted" not in page_text(shown)
    assert TokenUse.objects.get().used_at == shown.context["tokens"].rows[0].used


def test_revoked_token_stops_working(home: Client, ada: User) -> None:
    _, token = AuthToken.objects.create(ada)
    home.post("/account/tokens/revoke/", {"token": AuthToken.objects.get().digest})
    client = APIClient(headers={"Authorization": f"Bearer {token}"})
    assert client.post("/api/v1/uploads", record(), content_type="text/plain").status_code == 401
    assert "You have no tokens." in page_text(home.get("/account/tokens/"))


def test_token_of_another_account_cannot_be_revoked(home: Client, bob: User) -> None:
    AuthToken.objects.create(bob)
    assert home.post("/account/tokens/revoke/", {"token": AuthToken.objects.get().digest}).status_code == 404
    assert AuthToken.objects.count() == 1


def test_creating_a_token_requires_the_password_again(client: Client, ada: User) -> None:
    sign_in(client)
    assert client.post("/account/tokens/")["Location"].startswith("/account/reauthenticate/")
    assert AuthToken.objects.count() == 0
