"""Addresses, browsers, and pages of an account."""

from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from tests.games.web.accounts.forms import PASSWORD, WRONG, link_in, said, sign_in

pytestmark = pytest.mark.django_db


def test_a_second_address_is_asked_for_with_the_password_and_confirmed(client: Client, ada: User) -> None:
    sign_in(client)
    asked = client.post("/account/email/", {"action_add": "", "email": "ada@nest.example"})
    assert asked["Location"] == "/account/reauthenticate/?next=%2Faccount%2Femail%2F"
    client.post(asked["Location"], {"password": PASSWORD, "next": "/account/email/"})
    assert "ada@nest.example not confirmed yet" in said(client.get("/account/email/"))
    client.post(link_in(mail.outbox[0]))
    assert EmailAddress.objects.get(email="ada@nest.example").verified


def test_browsers_are_listed_and_the_others_signed_out(client: Client, ada: User) -> None:
    other = Client(headers={"User-Agent": "Elsewhere/1.0"})
    sign_in(client)
    sign_in(other)
    assert "Elsewhere/1.0" in said(client.get("/account/sessions/"))
    client.post("/account/sessions/")
    assert other.get("/account/").status_code == 302
    assert "Elsewhere" not in said(client.get("/account/sessions/"))


def test_every_page_is_one_of_ours(client: Client, ada: User) -> None:
    """No page of the framework's own shows, be it ever so seldom asked for."""
    brought = Path(ratelimit.__file__).parents[2] / "templates"
    ours = Path(__file__).parents[4] / "games/templates"
    unreachable = {
        *("account/signup_closed.html", "account/signup_by_passkey.html", "account/verified_email_required.html"),
        *("account/email_change.html", "mfa/trust.html", "mfa/webauthn/signup_form.html"),
    }
    pages = [
        str(path.relative_to(brought))
        for folder in ("account", "mfa", "usersessions")
        for path in brought.glob(f"{folder}/**/*.html")
        if "snippets" not in path.parts
        and "/base" not in str(path)
        and "phone" not in path.name
        and "code" not in path.name
    ]
    assert len(pages) > 20
    assert {page for page in pages if not (ours / page).exists()} <= unreachable


def test_a_mail_that_cannot_be_sent_is_told_and_nothing_breaks(client: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = client.post("/account/signup/", {"username": "Ada", "email": "ada@ants.example", "password1": PASSWORD,
                                            "password2": PASSWORD}, follow=True)  # fmt: skip
    assert "The mail could not be sent. Try again in a while." in said(page)
    assert User.objects.get().username == "Ada"


def test_what_the_framework_says_is_said_in_german_too(ada: User) -> None:
    client = Client(headers={"Accept-Language": "de"})
    assert "Der Anmeldename und/oder das Passwort sind leider falsch." in said(sign_in(client, "Ada", WRONG))
    assert "Zu viele Fehlversuche." in [said(sign_in(client, "Ada", WRONG)) for _ in range(6)][-1]
