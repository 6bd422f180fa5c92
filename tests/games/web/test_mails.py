"""Mail preferences: chosen on the account page, or turned off from a mail."""

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from games.models import MailPreferences
from games.notices.preferences import stop_address
from games.notices.reads import preferences_of
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[[User | None], Client]
PAGE = "/account/mails/"


def preferences(user: User) -> tuple[str, bool, bool, bool]:
    preferences = preferences_of(user.pk)
    return preferences.language, preferences.claims, preferences.confirmations, preferences.disputes


def test_all_mails_are_enabled_by_default(alice: User, browse: Browse) -> None:
    EmailAddress.objects.create(user=alice, email="alice@ants.example", verified=True, primary=True)
    html = browse(alice).get(PAGE).content.decode()
    assert html.count(" checked") == 6
    assert "go to alice@ants.example, at most one every ten minutes." in words_of(html)
    assert "Mails about everything" in words_of(browse(alice).get("/account/settings/").content.decode())


def test_mail_choices_are_saved(alice: User, browse: Browse) -> None:
    client = browse(alice)
    assert client.post(PAGE, {"confirmations": "on", "language": "de"})["Location"] == PAGE
    assert preferences(alice) == ("de", False, True, False)
    assert client.get(PAGE).content.decode().count(" checked") == 1
    assert "Mails about some things" in words_of(client.get("/account/settings/").content.decode())


def test_unsupported_mail_language_is_rejected(alice: User, browse: Browse) -> None:
    assert browse(alice).post(PAGE, {"language": "tlh"}).status_code == 422
    assert not MailPreferences.objects.exists()


def test_account_without_a_confirmed_address_is_asked_for_one(alice: User, browse: Browse) -> None:
    assert "To get mails about your account, confirm an address first." in words_of(
        browse(alice).get(PAGE).content.decode()
    )


def test_link_in_a_mail_stops_all_mails_without_signing_in(alice: User, bob: User) -> None:
    path, client = stop_address(alice.pk).removeprefix("http://testserver"), Client(enforce_csrf_checks=True)
    assert "Stop all mails?" in client.get(path).content.decode()
    assert preferences(alice)[1:] == (True, True, True)
    assert "No more mails" in client.post(path, {"List-Unsubscribe": "One-Click"}).content.decode()
    assert preferences(alice)[1:] == (False, False, False)
    assert preferences(bob)[1:] == (True, True, True)


def test_invalid_stop_link_stops_nothing(alice: User, client: Client) -> None:
    path = stop_address(alice.pk).removeprefix("http://testserver")
    assert client.post(f"{path[:-3]}xx/").status_code == 404
    alice.delete()
    assert client.post(path).status_code == 404


def test_mail_language_is_set_at_registration_and_by_the_switch(client: Client) -> None:
    sent = {"username": "Ada", "email": "ada@ants.example", "password1": "Leaf-Cutter-1", "password2": "Leaf-Cutter-1"}
    client.post("/account/signup/", sent, headers={"accept-language": "de"})
    ada = User.objects.get()
    assert preferences(ada)[0] == "de"
    client.force_login(ada)
    client.post("/language/", {"language": "en"})
    assert preferences(ada)[0] == "en"
    Client().post("/language/", {"language": "de"})
    assert preferences(ada)[0] == "en"
