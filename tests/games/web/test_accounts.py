"""Registering, signing in and out, and passwords, as people do them."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.internal import ratelimit
from django.contrib.auth.models import AnonymousUser, User
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.models import Throttle
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db

PASSWORD = "Leaf-Cutter-1923"
WRONG = "Leaf-Cutter-1924"


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ada() -> User:
    """An account with a confirmed address."""
    user = User.objects.create_user("Ada", "ada@ants.example", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def register(client: Client, name: str = "Ada", **more: str) -> Any:
    sent = {"username": name, "email": "ada@ants.example", "password1": PASSWORD, "password2": PASSWORD} | more
    return client.post("/account/signup/", sent)


def sign_in(client: Client, name: str = "Ada", password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/account/login/", {"login": name, "password": password}, **more)


def link_in(message: mail.EmailMessage) -> str:
    """The path that a mail asks to open."""
    (path,) = re.findall(r"http://testserver(/\S+)", str(message.body))
    return str(path)


def said(answer: Any) -> str:
    return words_of(answer.content.decode())


# --- registering ------------------------------------------------------------------------------------------------------


def test_who_registers_confirms_the_address_and_is_signed_in(client: Client) -> None:
    assert register(client)["Location"] == "/account/confirm-email/"
    assert "A link was sent to your address." in said(client.get("/account/confirm-email/"))
    (message,) = mail.outbox
    assert message.subject == "Atta: confirm your address"
    link = link_in(message)
    assert "ada@ants.example will belong to the account Ada." in said(client.get(link))
    assert client.post(link)["Location"] == "/account/"
    assert "Ada Account since" in said(client.get("/account/"))


def test_without_the_confirmed_address_nobody_is_signed_in(client: Client) -> None:
    register(client)
    assert sign_in(Client())["Location"] == "/account/confirm-email/"
    assert client.get("/account/")["Location"] == "/account/login/?next=/account/"


def test_a_link_that_was_tampered_with_leads_nowhere(client: Client) -> None:
    register(client)
    link = link_in(mail.outbox[0])
    assert "This link leads nowhere any more" in said(client.get(link[:-3] + "x/"))
    assert not EmailAddress.objects.get().verified


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 65, "A name has at most 64 characters."),
        ("ada@ants", "A name is made of letters, digits, spaces, dots, hyphens, underscores and apostrophes."),
        ("ada\u202eeve", "A name is made of letters, digits, spaces, dots, hyphens, underscores and apostrophes."),
        ("ada\u200d", "A name is made of letters, digits, spaces, dots, hyphens, underscores and apostrophes."),
        ("-ada", "A name begins with a letter or a digit."),
        ("\u0301ada", "A name begins with a letter or a digit."),
        ("", "This field is required."),
    ],
)
def test_a_name_that_cannot_be_is_refused_at_its_field(client: Client, name: str, sentence: str) -> None:
    answer = register(client, name)
    assert sentence in said(answer)
    assert 'aria-describedby="id_username_wrong' in answer.content.decode()
    assert User.objects.count() == 0


@pytest.mark.parametrize("name", ["Zoë", "مُحَمَّد", "李 四", "O’Neill", "J. R.-R", "x" * 64])
def test_names_of_all_scripts_can_be_had(client: Client, name: str) -> None:
    register(client, name)
    assert User.objects.get().username == name


def test_a_name_is_kept_composed(client: Client) -> None:
    register(client, " Zoe\u0308   A. ")
    assert User.objects.get().username == "Zo\u00eb A."


@pytest.mark.parametrize("name", ["ada", "ADA", " Ada "])
def test_no_two_names_differ_in_case_alone(client: Client, ada: User, name: str) -> None:
    answer = register(client, name, email="other@ants.example")
    assert "A user with that username already exists." in said(answer)


def test_the_database_too_refuses_a_name_in_another_case(ada: User) -> None:
    with pytest.raises(IntegrityError, match="games_one_account_a_name"), transaction.atomic():
        User.objects.create_user("aDA")


def test_an_address_that_is_taken_is_told_to_its_owner_only(client: Client, ada: User) -> None:
    answer = register(client, "Eve")
    assert answer["Location"] == "/account/confirm-email/"
    assert [message.subject for message in mail.outbox] == ["Atta: you have an account already"]
    assert not User.objects.filter(username="Eve").exists()


@pytest.mark.parametrize(
    ("password", "sentence"),
    [("short", "This password is too short."), ("password1", "too common"), ("20261121", "entirely numeric")],
)
def test_a_weak_password_is_refused_at_its_field(client: Client, password: str, sentence: str) -> None:
    answer = register(client, password1=password, password2=password)
    assert sentence in said(answer)
    assert 'aria-describedby="id_password1_wrong' in answer.content.decode()


def test_a_site_without_mail_asks_for_no_address(client: Client, settings: Settings) -> None:
    settings.MAIL_IS_ON = False
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    assert "This site sends no mails: a password that is forgotten cannot be replaced." in said(
        client.get("/account/signup/")
    )
    assert register(client)["Location"] == "/account/"
    assert "Ask whoever runs it." in said(client.get("/account/password/reset/"))


# --- signing in and out -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ada", "aDA", "ada@ants.example", "ADA@ants.example"])
def test_name_or_address_open_the_account(client: Client, ada: User, name: str) -> None:
    assert sign_in(client, name)["Location"] == "/account/"
    assert 'href="/account/"><span class="unseen">Account </span><bdi>Ada</bdi>' in client.get("/").content.decode()


def test_it_leads_back_to_where_one_came_from_but_never_elsewhere(client: Client, ada: User) -> None:
    sent = {"login": "Ada", "password": PASSWORD}
    assert client.post("/account/login/", sent | {"next": "/upload/"})["Location"] == "/upload/"
    assert Client().post("/account/login/", sent | {"next": "https://evil.example/"})["Location"] == "/account/"


def test_a_wrong_password_and_a_name_that_is_none_are_refused_alike(client: Client, ada: User) -> None:
    wrong, none = said(sign_in(client, "Ada", WRONG)), said(sign_in(client, "Nobody", WRONG))
    assert "The username and/or password you specified are not correct." in wrong
    assert wrong.replace("Ada", "") == none.replace("Nobody", "")


def test_a_password_is_never_written_back(client: Client, ada: User) -> None:
    assert WRONG not in sign_in(client, "Ada", WRONG).content.decode()


def test_who_has_failed_too_often_is_told_how_long_to_wait(client: Client, ada: User) -> None:
    for _ in range(5):
        sign_in(client, "Ada", WRONG)
    assert "Too many failed tries. Try again in 5 minutes." in said(sign_in(client))
    Throttle.objects.update(until=timezone.now() + timedelta(seconds=30))
    assert re.search(r"Try again in (2\d|30) seconds\.", said(sign_in(client)))


def test_somebody_elsewhere_locks_nobody_out(client: Client, ada: User) -> None:
    for _ in range(6):
        sign_in(client, "Ada", WRONG, REMOTE_ADDR="203.0.113.9")
    assert sign_in(client)["Location"] == "/account/"


def test_one_address_cannot_try_many_names(client: Client, ada: User) -> None:
    for number in range(20):
        sign_in(client, f"Nobody {number}", WRONG)
    assert "Too many failed tries." in said(sign_in(client))


def test_tries_that_succeed_are_not_counted(ada: User) -> None:
    assert [sign_in(Client()).status_code for _ in range(8)] == [302] * 8


def test_signing_out_takes_a_form_and_says_so(client: Client, ada: User) -> None:
    sign_in(client)
    assert "Sign out" in said(client.get("/account/logout/"))
    page = client.post("/account/logout/", follow=True)
    assert "You have signed out." in said(page)
    assert client.get("/account/").status_code == 302


def test_an_account_that_was_closed_is_told_so(client: Client, ada: User) -> None:
    User.objects.update(is_active=False)
    assert sign_in(client)["Location"] == "/account/inactive/"
    assert "This account is closed" in said(client.get("/account/inactive/"))


def test_an_account_made_on_the_server_without_an_address_gets_in(client: Client) -> None:
    User.objects.create_user("operator", password=PASSWORD)
    assert sign_in(client, "operator")["Location"] == "/account/"


def test_forms_that_come_too_often_are_refused_with_the_time_to_wait(client: Client) -> None:
    answers = [register(client, "") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert answers[-1]["Retry-After"] == "60"
    assert "Try again in 60 seconds." in said(answers[-1])


@pytest.mark.django_db(transaction=True)
def test_of_many_forms_at_once_no_more_than_the_limit_go_on() -> None:
    """What django-allauth counts by itself holds for all threads, too."""
    request = RequestFactory().post("/account/signup/")
    request.user = AnonymousUser()

    def consume(_: int) -> bool:
        try:
            with context.request_context(request):
                return bool(ratelimit.consume(request, app="allauth.account", action="signup"))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        passed = sum(threads.map(consume, range(60)))
    assert 0 < passed <= 20


# --- passwords --------------------------------------------------------------------------------------------------------


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(client: Client, ada: User) -> None:
    answer = client.post("/account/password/reset/", {"email": "ada@ants.example"})
    assert answer["Location"] == "/account/password/reset/done/"
    link = link_in(mail.outbox[0])
    form = client.get(link)["Location"]
    new = {"password1": "Acromyrmex-77", "password2": "Acromyrmex-77"}
    assert client.post(form, new)["Location"] == "/account/password/reset/key/done/"
    assert "The password is changed" in said(client.get("/account/password/reset/key/done/"))
    assert sign_in(client, "Ada", "Acromyrmex-77")["Location"] == "/account/"
    assert "This link leads nowhere any more" in said(Client().get(link))


def test_of_an_address_without_account_nothing_is_told(client: Client) -> None:
    answer = client.post("/account/password/reset/", {"email": "eve@ants.example"})
    assert answer["Location"] == "/account/password/reset/done/"
    assert [message.subject for message in mail.outbox] == ["Atta: no account has this address"]


def test_a_changed_password_signs_out_every_other_browser(client: Client, ada: User) -> None:
    other = Client()
    sign_in(client)
    sign_in(other)
    new = {"oldpassword": PASSWORD, "password1": "Acromyrmex-77", "password2": "Acromyrmex-77"}
    client.post("/account/password/change/", new)
    assert client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302
    assert "Your password has been changed." in mail.outbox[0].body


# --- the rest of an account -------------------------------------------------------------------------------------------


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
    ours = Path(__file__).parents[3] / "games/templates"
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
