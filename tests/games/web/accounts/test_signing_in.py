"""Signing in and out."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from allauth.core import context
from allauth.core.internal import ratelimit
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from games.models import Table, Throttle
from games.platform.rate_limits import Limit
from games.web.accounts import adapter
from tests.games.web.accounts.forms import PASSWORD, WRONG, register, sign_in, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["Ada", "aDA", "ada@ants.example", "ADA@ants.example"])
def test_user_can_sign_in_with_name_or_address(client: Client, ada: User, name: str) -> None:
    assert sign_in(client, name)["Location"] == "/account/"
    assert 'href="/account/"><span class="unseen">Account </span><bdi>Ada</bdi>' in client.get("/").content.decode()


def test_signing_in_redirects_back_but_never_to_another_site(client: Client, ada: User) -> None:
    sent = {"login": "Ada", "password": PASSWORD}
    assert client.post("/account/login/", sent | {"next": "/upload/"})["Location"] == "/upload/"
    assert Client().post("/account/login/", sent | {"next": "https://evil.example/"})["Location"] == "/account/"


def test_wrong_password_and_unknown_name_get_the_same_error(client: Client, ada: User) -> None:
    wrong, none = text_of(sign_in(client, "Ada", WRONG)), text_of(sign_in(client, "Nobody", WRONG))
    assert "The name or the password is wrong." in wrong
    assert wrong.replace("Ada", "") == none.replace("Nobody", "")


def test_password_is_never_echoed_in_the_form(client: Client, ada: User) -> None:
    assert WRONG not in sign_in(client, "Ada", WRONG).content.decode()


def test_locked_user_sees_how_long_to_wait(client: Client, ada: User) -> None:
    for _ in range(5):
        sign_in(client, "Ada", WRONG)
    assert "Too many failed tries. Try again in 5 minutes." in text_of(sign_in(client))
    Throttle.objects.update(until=timezone.now() + timedelta(seconds=30))
    assert re.search(r"Try again in (2\d|30) seconds\.", text_of(sign_in(client)))


def test_failed_attempts_from_elsewhere_do_not_lock_out_the_user(client: Client, ada: User) -> None:
    for _ in range(6):
        sign_in(client, "Ada", WRONG, REMOTE_ADDR="203.0.113.9")
    assert sign_in(client)["Location"] == "/account/"


@pytest.mark.full
def test_persistent_attacker_does_not_lock_out_the_user(client: Client, ada: User) -> None:
    for _ in range(120):
        sign_in(Client(), "Ada", WRONG, REMOTE_ADDR="203.0.113.9")
    assert Throttle.objects.filter(used__gt=20).count() == 0
    assert sign_in(client)["Location"] == "/account/"


@pytest.fixture
def _few_tries_from_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_NAME", Limit(3, timedelta(hours=1)))


def from_everywhere(name: str) -> None:
    """Fail so often from many addresses that new addresses may not try the name."""
    for number in range(4):
        sign_in(Client(), name, WRONG, REMOTE_ADDR=f"198.51.100.{number}")


@pytest.mark.usefixtures("_few_tries_from_everywhere")
@pytest.mark.parametrize("name", ["Ada", "ada@ants.example"])
def test_distributed_attack_does_not_lock_out_a_known_address(ada: User, name: str) -> None:
    sign_in(Client())
    from_everywhere(name)
    assert sign_in(Client(), name)["Location"] == "/account/"
    assert "Too many failed tries." in text_of(sign_in(Client(), name, REMOTE_ADDR="203.0.113.9")), (
        "nobody knows this one"
    )


def test_known_address_is_locked_after_repeated_failures(ada: User) -> None:
    sign_in(Client())
    for _ in range(5):
        sign_in(Client(), "Ada", WRONG)
    assert "Too many failed tries." in text_of(sign_in(Client()))


@pytest.mark.usefixtures("_few_tries_from_everywhere")
def test_an_address_is_known_for_one_account_and_for_half_a_year(ada: User) -> None:
    sign_in(Client())
    User.objects.create_user("Eve", password=PASSWORD)
    from_everywhere("Eve")
    assert "Too many failed tries." in text_of(sign_in(Client(), "Eve"))
    Throttle.objects.filter(key__startswith="signed in").update(until=timezone.now())
    from_everywhere("Ada")
    assert "Too many failed tries." in text_of(sign_in(Client()))


@pytest.mark.usefixtures("_few_tries_from_everywhere")
def test_locked_user_can_still_sign_in_with_a_passkey(ada: User) -> None:
    from_everywhere("Ada")
    options = Client().get("/account/2fa/webauthn/login/", headers={"Accept": "application/json"})
    assert options.status_code == 200
    assert "Too many failed tries." in text_of(sign_in(Client(), REMOTE_ADDR="203.0.113.9"))


@pytest.mark.full
def test_one_address_cannot_try_many_names(client: Client, ada: User) -> None:
    for number in range(20):
        sign_in(client, f"Nobody {number}", WRONG)
    assert "Too many failed tries." in text_of(sign_in(client))


@pytest.mark.full
def test_successful_sign_ins_are_not_counted(ada: User) -> None:
    assert [sign_in(Client()).status_code for _ in range(8)] == [302] * 8


def test_signing_out_requires_a_form_and_is_confirmed(client: Client, ada: User) -> None:
    sign_in(client)
    assert "Sign out" in text_of(client.get("/account/logout/"))
    page = client.post("/account/logout/", follow=True)
    assert "You have signed out." in text_of(page)
    assert client.get("/account/").status_code == 302


@pytest.fixture
def table(client: Client) -> Table:
    """A table at which a guest sits, who signs in afterwards."""
    client.post("/play/", {"ruleset": "army-ants", "against": "screen"})
    table = Table.objects.get()
    client.post(table.get_absolute_url(), {"do": "join"})
    return table


def may(client: Client, table: Table) -> list[str]:
    return list(client.get(f"/api/v1/tables/{table.key}").json()["may"])


def test_signing_out_leaves_nobody_the_seats_of_the_guest(client: Client, ada: User, table: Table) -> None:
    sign_in(client)
    assert "you also play as a guest, at 1 table. If you sign out" in text_of(client.get("/account/logout/"))
    assert may(client, table)
    client.post("/account/logout/")
    assert may(client, table) == []
    sign_in(client)
    assert "as a guest" not in text_of(client.get("/account/logout/"))


def test_who_gives_up_signing_in_stays_the_guest(client: Client, table: Table) -> None:
    client.post("/account/logout/")
    assert may(client, table)


def test_user_of_a_closed_account_is_informed(client: Client, ada: User) -> None:
    User.objects.update(is_active=False)
    assert sign_in(client)["Location"] == "/account/inactive/"
    assert "This account is closed" in text_of(client.get("/account/inactive/"))


def test_server_made_account_without_an_address_can_sign_in(client: Client) -> None:
    User.objects.create_user("operator", password=PASSWORD)
    assert sign_in(client, "operator")["Location"] == "/account/"


@pytest.mark.full
def test_too_frequent_forms_are_rejected_with_a_wait_time(client: Client) -> None:
    answers = [register(client, "") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert answers[-1]["Retry-After"] == "60"
    assert "Try again in 60 seconds." in text_of(answers[-1])


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_concurrent_forms_cannot_exceed_the_limit() -> None:
    """The limits of django-allauth hold across all threads, too."""
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
