"""Addresses, browsers and pages of an account."""

from datetime import timedelta
from pathlib import Path
from smtplib import SMTPException

import pytest
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail.backends import locmem
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.mail import account_mails
from games.mail.delivery import AWAY, send_due
from games.models import AccountMail
from tests.games.web.accounts.forms import PASSWORD, WRONG, link_in, posted, sign_in, text_of

pytestmark = pytest.mark.django_db


def test_adding_an_address_requires_the_password_and_confirmation(client: Client, ada: User) -> None:
    sign_in(client)
    asked = client.post("/account/email/", {"action_add": "", "email": "ada@nest.example"})
    assert asked["Location"] == "/account/reauthenticate/?next=%2Faccount%2Femail%2F"
    client.post(asked["Location"], {"password": PASSWORD, "next": "/account/email/"})
    assert "ada@nest.example not confirmed yet" in text_of(client.get("/account/email/"))
    client.post(link_in(posted()[0]))
    assert EmailAddress.objects.get(email="ada@nest.example").verified


def test_browsers_are_listed_and_the_others_signed_out(client: Client, ada: User) -> None:
    other = Client(headers={"User-Agent": "Elsewhere/1.0"})
    sign_in(client)
    sign_in(other)
    assert "Elsewhere/1.0" in text_of(client.get("/account/sessions/"))
    client.post("/account/sessions/")
    assert other.get("/account/").status_code == 302
    assert "Elsewhere" not in text_of(client.get("/account/sessions/"))


def test_every_account_page_has_our_own_template(client: Client, ada: User) -> None:
    """Even rarely used pages must not show the framework's own template."""
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


@pytest.mark.parametrize("email", ["ada@ants.example", "eve@ants.example"])
def test_mail_outage_does_not_reveal_which_addresses_have_accounts(
    client: Client, ada: User, settings: Settings, email: str
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = text_of(client.post("/account/password/reset/", {"email": email}, follow=True))
    assert "could not be sent" not in page
    send_due(now=timezone.now())
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_due(now=timezone.now()) == 0, "it is put off for a minute"
    assert send_due(now=timezone.now() + AWAY) == 1
    assert [message.to for message in mail.outbox] == [[email]]


def test_stored_links_are_encrypted_and_deleted_once_sent(client: Client, ada: User) -> None:
    client.post("/account/password/reset/", {"email": "ada@ants.example"})
    assert b"http" not in bytes(AccountMail.objects.get().sealed)
    assert link_in(posted()[0]).startswith("/account/password/reset/key/")
    assert not AccountMail.objects.exists()


def test_a_mail_that_is_refused_is_tried_again_and_then_given_up(
    client: Client, ada: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post("/account/password/reset/", {"email": "ada@ants.example"})
    monkeypatch.setattr(locmem.EmailBackend, "send_messages", _refused)
    for hours in range(0, 13 * 9, 13):
        assert AccountMail.objects.exists() is (hours <= 13 * len(account_mails.BACKOFF.waits)), hours
        send_due(now=timezone.now() + timedelta(hours=hours))


def _refused(*_: object) -> int:
    raise SMTPException("Not here.")


def test_framework_messages_are_translated_into_german(ada: User) -> None:
    client = Client(headers={"Accept-Language": "de"})
    assert "Der Name oder das Passwort ist falsch." in text_of(sign_in(client, "Ada", WRONG))
    assert "Zu viele Fehlversuche." in [text_of(sign_in(client, "Ada", WRONG)) for _ in range(6)][-1]
