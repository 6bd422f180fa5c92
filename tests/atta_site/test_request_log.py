"""The log line of a request: which account it was, and from where."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db

Logged = Callable[[], dict[str, Any]]
ADDRESSES = {
    ("192.0.2.77", "full"): "192.0.2.77",
    ("192.0.2.77", "network"): "192.0.2.0/24",
    ("2001:db8:1:2::77", "full"): "2001:db8:1:2::77",
    ("2001:db8:1:2::77", "network"): "2001:db8:1::/48",
    ("::ffff:192.0.2.77", "network"): "192.0.2.0/24",
    ("192.0.2.77", "none"): None,
    ('unknown"}', "full"): None,
}


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Logged:
    """Return the line of the last request."""

    def last() -> dict[str, Any]:
        *_, record = (one for one in caplog.records if one.name == "atta_site.requests")
        assert isinstance(record.msg, dict)
        return record.msg

    return last


def test_line_names_the_account_of_a_session_by_its_number(
    browse: Callable[[User | None], Client], alice: User, logged: Logged
) -> None:
    browse(alice).get("/account/settings/")
    assert logged()["account"] == alice.pk
    assert "alice" not in str(logged())


def test_line_names_the_account_of_a_token(
    call: Callable[[User | None], APIClient], alice: User, logged: Logged
) -> None:
    call(alice).get("/api/v1/account/uploads")
    assert (logged()["account"], logged()["status"]) == (alice.pk, 200)


def test_line_of_a_visitor_names_no_account(client: Client, logged: Logged) -> None:
    client.get("/")
    assert "account" not in logged()


@pytest.mark.parametrize(("address", "wanted"), ADDRESSES)
def test_line_has_as_much_of_the_address_as_the_setting_says(
    client: Client, settings: Settings, logged: Logged, address: str, wanted: str
) -> None:
    settings.LOG_ADDRESSES = wanted
    client.get("/health/live", REMOTE_ADDR=address)
    assert logged().get("address") == ADDRESSES[address, wanted]


@pytest.mark.parametrize(("proxies", "address"), [(0, "10.0.0.1"), (1, "192.0.2.7"), (2, "198.51.100.1")])
def test_address_is_the_one_that_the_trusted_proxies_name(
    client: Client, settings: Settings, logged: Logged, proxies: int, address: str
) -> None:
    settings.NUM_PROXIES = proxies
    client.get("/health/live", REMOTE_ADDR="10.0.0.1", headers={"x-forwarded-for": "198.51.100.1, 192.0.2.7"})
    assert logged()["address"] == address


def test_failed_sign_in_is_logged_without_what_was_typed(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    client.post("/account/login/", {"login": "open sesame", "password": "open sesame"}, REMOTE_ADDR="192.0.2.7")
    said = [one.msg for one in caplog.records if isinstance(one.msg, dict)]
    (failed,) = (one for one in said if one["event"] == "sign_in.failed")
    (line,) = (one for one in said if one["event"] == "request")
    assert (failed["request"], line["address"]) == (line["request"], "192.0.2.7")
    assert "sesame" not in str(said)


def test_sign_in_is_logged_with_what_proved_who_it_was(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    account = User.objects.create_user("ada", password="open sesame")
    client.post("/account/login/", {"login": "ada", "password": "open sesame"})
    said = [one.msg for one in caplog.records if isinstance(one.msg, dict)]
    (done,) = (one for one in said if one["event"] == "sign_in.done")
    assert (done["account"], done["factors"]) == (account.pk, ["password"])
    assert "sesame" not in str(said)
