"""Equal work for known and unknown addresses, so that timing reveals nothing."""

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
    """The cost of a response."""

    hashes: int
    mails: int
    queries: Counter[str]
    """Return the operations by table, without transaction statements."""

    def beside(self, other: "Work") -> int:
        """Return how many queries one response took and the other did not."""
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


def test_registering_a_known_address_costs_as_much_work(ada: User, work: Count) -> None:
    keep_skeleton(ada)
    known = work(lambda client: register(client, "Eve"))
    unknown = work(lambda client: register(client, "Eve", email="eve@ants.example"))
    assert (known.hashes, known.mails) == (unknown.hashes, unknown.mails) == (1, 1)
    assert known.queries == unknown.queries


def test_rejected_registration_leaves_nothing_behind(ada: User, client: Client) -> None:
    register(client, "Eve")
    assert (User.objects.count(), EmailAddress.objects.count(), MailPreferences.objects.count()) == (1, 1, 0)


def test_resetting_a_password_costs_the_same_for_unknown_addresses(ada: User, work: Count) -> None:
    known = work(lambda client: client.post("/account/password/reset/", {"email": "ada@ants.example"}))
    unknown = work(lambda client: client.post("/account/password/reset/", {"email": "eve@ants.example"}))
    assert (known.hashes, known.mails) == (unknown.hashes, unknown.mails) == (0, 1)
    assert known.queries == unknown.queries


@pytest.mark.parametrize("name", ["Nobody", "nobody@ants.example"])
def test_failed_sign_in_costs_the_same_for_unknown_names(ada: User, work: Count, name: str) -> None:
    there = "ada@ants.example" if "@" in name else "Ada"
    known = work(lambda client: sign_in(client, there, WRONG))
    unknown = work(lambda client: sign_in(client, name, WRONG))
    assert known.hashes == unknown.hashes == 1
    assert known.beside(unknown) <= 1


@pytest.mark.parametrize("email", ["ada@ants.example", "eve@ants.example"])
def test_adding_an_address_does_not_reveal_its_owner(ada: User, work: Count, email: str) -> None:
    bob = User.objects.create_user("Bob", password=PASSWORD)

    def add(client: Client, address: str) -> Any:
        client.force_login(bob)
        client.post("/account/reauthenticate/", {"password": PASSWORD})
        return client.post("/account/email/", {"email": address, "action_add": ""})

    one = work(lambda client: add(client, email))
    other = work(lambda client: add(client, "new@ants.example"))
    assert (one.hashes, one.mails) == (other.hashes, other.mails)
