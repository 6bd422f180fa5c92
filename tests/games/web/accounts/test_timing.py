"""What takes as much work whether an address has an account or not tells nobody which has one."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import MailPreferences
from games.platform.lookalikes import keep_skeleton
from tests.games.web.accounts.forms import PASSWORD, WRONG, posted, register, sign_in

pytestmark = pytest.mark.django_db
QUERY = re.compile(r"(SELECT|INSERT|UPDATE|DELETE).*?\"?(\w+_\w+)\"?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Work:
    """What an answer took."""

    hashes: int
    mails: int
    queries: Counter[str]
    """By what they do to which table, without those that only begin and end what belongs together."""

    def beside(self, other: "Work") -> int:
        """How many queries one took and the other did not."""
        return ((self.queries - other.queries) + (other.queries - self.queries)).total()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Client], Any]], Work]:
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)

    def of(ask: Callable[[Client], Any]) -> Work:
        hashed.clear()
        posted()
        mail.outbox.clear()
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            assert ask(Client()).status_code in {200, 302}
        found = (QUERY.match(one["sql"]) for one in captured)
        return Work(len(hashed), len(posted()), Counter(f"{one[1]} {one[2]}" for one in found if one))

    return of


Count = Callable[[Callable[[Client], Any]], Work]


def test_registering_is_as_much_work_for_an_address_that_has_an_account(ada: User, work: Count) -> None:
    keep_skeleton(ada)
    known = work(lambda client: register(client, "Eve"))
    unknown = work(lambda client: register(client, "Eve", email="eve@ants.example"))
    assert (known.hashes, known.mails) == (unknown.hashes, unknown.mails) == (1, 1)
    assert known.queries == unknown.queries


def test_nothing_stays_of_an_account_that_was_made_in_vain(ada: User, client: Client) -> None:
    register(client, "Eve")
    assert (User.objects.count(), EmailAddress.objects.count(), MailPreferences.objects.count()) == (1, 1, 0)


def test_asking_for_a_new_password_is_as_much_work(ada: User, work: Count) -> None:
    known = work(lambda client: client.post("/account/password/reset/", {"email": "ada@ants.example"}))
    unknown = work(lambda client: client.post("/account/password/reset/", {"email": "eve@ants.example"}))
    assert (known.hashes, known.mails) == (unknown.hashes, unknown.mails) == (0, 1)
    assert known.queries == unknown.queries


@pytest.mark.parametrize("name", ["Nobody", "nobody@ants.example"])
def test_signing_in_in_vain_is_as_much_work(ada: User, work: Count, name: str) -> None:
    there = "ada@ants.example" if "@" in name else "Ada"
    known = work(lambda client: sign_in(client, there, WRONG))
    unknown = work(lambda client: sign_in(client, name, WRONG))
    assert known.hashes == unknown.hashes == 1
    assert known.beside(unknown) <= 1


@pytest.mark.parametrize("email", ["ada@ants.example", "eve@ants.example"])
def test_adding_an_address_tells_not_whose_it_is(ada: User, work: Count, email: str) -> None:
    bob = User.objects.create_user("Bob", password=PASSWORD)

    def add(client: Client, address: str) -> Any:
        client.force_login(bob)
        client.post("/account/reauthenticate/", {"password": PASSWORD})
        return client.post("/account/email/", {"email": address, "action_add": ""})

    one = work(lambda client: add(client, email))
    other = work(lambda client: add(client, "new@ants.example"))
    assert (one.hashes, one.mails) == (other.hashes, other.mails)
