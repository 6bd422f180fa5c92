"""Unconfirmed accounts are deleted; all others stay."""

from datetime import datetime, timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from knox.models import AuthToken

from games.accounts.cleaning import forget_unconfirmed

pytestmark = pytest.mark.django_db


def register(name: str, joined: datetime, *, confirmed: bool = False) -> User:
    user = User.objects.create_user(name, f"{name}@ants.example", date_joined=joined)
    EmailAddress.objects.create(user=user, email=user.email, verified=confirmed, primary=True)
    return user


def test_a_name_that_was_registered_and_never_confirmed_is_free_again(now: datetime) -> None:
    register("old", now - timedelta(days=8))
    register("new", now - timedelta(days=6))
    assert forget_unconfirmed(now=now) == 1
    assert [user.username for user in User.objects.all()] == ["new"]


def test_used_or_confirmed_accounts_do_not_expire(now: datetime) -> None:
    long_ago = now - timedelta(days=400)
    register("confirmed", long_ago, confirmed=True)
    AuthToken.objects.create(register("program", long_ago))
    User.objects.create_user("operator", date_joined=long_ago)
    User.objects.filter(pk=register("visitor", long_ago).pk).update(last_login=now)
    assert forget_unconfirmed(now=now) == 0
    assert User.objects.count() == 4


def test_an_operator_signs_an_account_out_everywhere(client: Client) -> None:
    ada = User.objects.create_user("ada", password="open sesame")
    client.post("/account/login/", {"login": "ada", "password": "open sesame"})
    AuthToken.objects.create(ada)
    assert client.get("/account/sessions/").status_code == 200
    assert said("end_sessions", "ADA", "--tokens") == "Sessions ended: 1.\nTokens revoked: 1.\n"
    assert client.get("/account/sessions/").status_code == 302
    assert not AuthToken.objects.exists()


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()
