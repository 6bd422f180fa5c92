"""Registering as users do it."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.accounts import cleaning
from games.accounts.deletion import delete_account
from games.models import AccountMail, FormerName
from games.platform.lookalikes import hold, is_held, keep_skeleton
from tests.games.web.accounts.forms import link_in, posted, register, sign_in, text_of

pytestmark = pytest.mark.django_db


def test_new_user_confirms_the_address_and_is_signed_in(client: Client) -> None:
    assert register(client)["Location"] == "/account/confirm-email/"
    assert "our mail says how to continue" in text_of(client.get("/account/confirm-email/"))
    (message,) = posted()
    assert message.subject == "Atta: confirm your address"
    assert client.get(link_in(message))["Location"] == "/account/"
    assert "Ada Account since" in text_of(client.get("/account/"))


def test_who_registers_to_save_a_branch_comes_back_to_it_by_the_link_in_the_mail(client: Client) -> None:
    branch = "/games/abcd2345/?ply=1#what-if=%5B%5B1%2C%5B%22R2%3AN%22%5D%2C%7B%7D%5D%5D"
    register(client, next=branch)
    assert client.get(link_in(posted()[0]))["Location"] == branch


def test_a_link_opened_elsewhere_asks_first(client: Client) -> None:
    register(client)
    link, other = link_in(posted()[0]), Client()
    assert "ada@ants.example will belong to the account Ada." in text_of(other.get(link))
    assert not EmailAddress.objects.get().verified
    other.post(link)
    assert EmailAddress.objects.get().verified


def test_another_account_that_opens_a_link_is_asked_too(client: Client, ada: User) -> None:
    register(client, "Eve", email="eve@ants.example")
    stranger = Client()
    stranger.force_login(ada)
    assert "eve@ants.example will belong to the account Eve." in text_of(stranger.get(link_in(posted()[0])))
    assert not EmailAddress.objects.get(email="eve@ants.example").verified


def test_a_password_is_asked_once_where_a_mail_can_reset_it(client: Client) -> None:
    assert "Repeat the password" not in text_of(client.get("/account/signup/"))


def test_user_with_an_unconfirmed_address_is_not_signed_in(client: Client) -> None:
    register(client)
    assert sign_in(Client())["Location"] == "/account/confirm-email/"
    assert client.get("/account/")["Location"] == "/account/login/?next=/account/"


def test_tampered_confirmation_link_is_rejected(client: Client) -> None:
    register(client)
    link = link_in(posted()[0])
    assert "This link is no longer valid" in text_of(client.get(link[:-3] + "x/"))
    assert not EmailAddress.objects.get().verified


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 65, "A name may have at most 64 characters."),
        ("ada@ants", "A name may contain only letters, digits, spaces, dots, hyphens, underscores and apostrophes."),
        ("ada\u202eeve", "Names cannot contain invisible or text-direction characters."),
        ("ada\u200d", "Names cannot contain invisible or text-direction characters."),
        ("ada\u3164", "Names cannot contain invisible or text-direction characters."),
        ("ada\ufe0f", "Names cannot contain invisible or text-direction characters."),
        ("\u0410da", "Use letters of one script only."),
        ("a\u0301\u0302\u0303\u0304da", "A letter can have at most two accents."),
        ("-ada", "A name must begin with a letter or a digit."),
        ("\u0301ada", "A name must begin with a letter or a digit."),
        ("", "This field is required."),
    ],
)
def test_invalid_name_is_rejected_at_its_field(client: Client, name: str, sentence: str) -> None:
    answer = register(client, name)
    assert sentence in text_of(answer)
    assert 'aria-describedby="id_username_wrong' in answer.content.decode()
    assert User.objects.count() == 0


NEEDED = ["\u0639\u0644\u06cc\u200c\u0631\u0636", "\u0dc1\u0dca\u200d\u0dbb\u0dd3", "葛\U000e0100城"]
"""Names with characters that show nothing by themselves, and that their script needs."""


@pytest.mark.parametrize("name", [*NEEDED, "Zoë", "مُحَمَّد", "李 四", "O’Neill", "J. R.-R", "x" * 64])
def test_names_in_any_script_are_accepted(client: Client, name: str) -> None:
    register(client, name)
    assert User.objects.get().username == name


def test_name_is_stored_in_normalized_form(client: Client) -> None:
    register(client, " Zoe\u0308   A. ")
    assert User.objects.get().username == "Zo\u00eb A."


@pytest.mark.parametrize("name", ["\u0410\u0501\u0430", "\uff21da"])
def test_name_that_looks_like_an_existing_one_is_rejected(client: Client, ada: User, name: str) -> None:
    assert "Another account has a name that looks the same." in text_of(
        register(client, name, email="eve@ants.example")
    )
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("was", "names"),
    [
        ("Jos\u00e9 B", ("Jos\u00e9 B", "Jose\u0301\u2003B", "JOS\u00c9 b", " Jos\u00e9  B")),
        ("\ud55c\uae00", ("\u1112\u1161\u11ab\u1100\u1173\u11af",)),
        ("Ada", ("ada", "\u0410\u0501\u0430", "\uff21da")),
    ],
)
def test_the_name_of_a_deleted_account_cannot_be_taken_for_a_year(
    client: Client, was: str, names: tuple[str, ...]
) -> None:
    now = timezone.now()
    delete_account(User.objects.create_user(was), now=now - timedelta(days=364))
    for name in names:
        answer = register(client, name)
        assert "This name cannot be used. Choose another one." in text_of(answer)
        with pytest.raises(CommandError, match="was that of an account"):
            call_command("make_token", name)
    (held,) = FormerName.objects.values()
    assert was not in str(held)
    register(client, "Jose")
    assert [user.username for user in User.objects.all()] == ["Jose"]
    assert cleaning.forget_former_names(now=now) == 0
    assert cleaning.forget_former_names(now=now + timedelta(days=1)) == 1
    register(Client(), names[0], email="eve@ants.example")
    assert User.objects.count() == 2


def test_the_digest_of_a_former_name_depends_on_the_sites_key(settings: Settings) -> None:
    now = timezone.now()
    hold("Ada", now=now)
    assert is_held("ada", now=now)
    settings.SECRET_KEY = "another"
    assert not is_held("ada", now=now)


def test_database_rejects_a_lookalike_name(client: Client, ada: User) -> None:
    keep_skeleton(ada)
    with pytest.raises(IntegrityError, match="skeleton"), transaction.atomic():
        keep_skeleton(User.objects.create_user("\u0410\u0501\u0430"))


def test_lookalike_name_taken_at_the_same_moment_is_reported(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_skeleton(ada)
    monkeypatch.setattr("games.web.accounts.adapter.is_taken", lambda _: False)
    answer = register(client, "\u0410\u0501\u0430", email="eve@ants.example")
    assert answer["Location"] == "/account/signup/"
    assert "This name, or one that looks the same, was just taken." in text_of(client.get("/account/signup/"))
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["ada", "ADA", " Ada "])
def test_name_differing_only_in_case_is_rejected(client: Client, ada: User, name: str) -> None:
    answer = register(client, name, email="other@ants.example")
    assert "Another account has this name." in text_of(answer)


def test_database_rejects_a_name_differing_only_in_case(ada: User) -> None:
    with pytest.raises(IntegrityError, match="games_one_account_a_name"), transaction.atomic():
        User.objects.create_user("aDA")


def test_address_already_in_use_is_reported_only_to_its_owner(client: Client, ada: User) -> None:
    answer = register(client, "Eve")
    assert answer["Location"] == "/account/confirm-email/"
    assert [message.subject for message in posted()] == ["Atta: you already have an account"]
    assert not User.objects.filter(username="Eve").exists()


@pytest.mark.parametrize(
    ("password", "sentence"),
    [("short", "This password is too short."), ("password1", "too common"), ("20261121", "entirely numeric")],
)
def test_a_weak_password_is_refused_at_its_field(client: Client, password: str, sentence: str) -> None:
    answer = register(client, password1=password, password2=password)
    assert sentence in text_of(answer)
    assert 'aria-describedby="id_password1_wrong' in answer.content.decode()


def test_site_without_mail_does_not_ask_for_an_address(client: Client, settings: Settings) -> None:
    settings.MAIL_IS_ON = False
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    assert "This site sends no mails: if you forget the password, you cannot reset it." in text_of(
        client.get("/account/signup/")
    )
    assert "Repeat the password" in text_of(client.get("/account/signup/"))
    assert register(client)["Location"] == "/account/"
    assert "Ask its operator." in text_of(client.get("/account/password/reset/"))


def test_page_is_true_when_no_second_mail_goes_to_an_address_within_three_minutes(client: Client) -> None:
    register(client)
    kept = AccountMail.objects.count()
    assert register(client, "Eve")["Location"] == "/account/confirm-email/"
    assert AccountMail.objects.count() == kept
    page = text_of(client.get("/account/confirm-email/"))
    assert "We send at most one every three minutes, so it may have come already." in page


def test_who_is_asked_to_sign_in_can_create_an_account_right_there_and_returns(
    client: Client, settings: Settings
) -> None:
    settings.MAIL_IS_ON = False
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    asked = client.get("/clubs/new/", follow=True)
    html = asked.content.decode()
    sent_to, onward = re.findall(
        r'<form [^>]*action="(/account/signup/)">.*?name="next" value="([^"]+)"', html, re.DOTALL
    )[0]
    assert (sent_to, onward) == ("/account/signup/", "/clubs/new/")
    assert register(client, next=onward)["Location"] == "/clubs/new/"
    assert 'action="/account/signup/"' not in client.get("/account/login/").content.decode()
