"""The people and games of the access matrix, for tests that visit all addresses."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.template.backends.django import Template
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from tests.games.receiver import Receiver, receiving
from tests.games.test_access import cast, standing_worlds, worlds

__all__ = ["cast", "standing_worlds", "worlds"]


@pytest.fixture(autouse=True, scope="session")
def _static_files(static_files: None) -> None:
    """Make them available to every test in this folder."""


@pytest.fixture
def locked(transactional_db: None) -> Iterator[None]:
    """Another transaction locks the games so that nobody can read them."""
    with psycopg.connect(**_address()) as other, other.cursor() as cursor:
        cursor.execute("LOCK TABLE games_game IN ACCESS EXCLUSIVE MODE")
        yield


@pytest.fixture
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer every request, however many there are."""
    for throttle in (SimpleRateThrottle, ScopedRateThrottle):
        monkeypatch.setattr(throttle, "THROTTLE_RATES", dict.fromkeys(throttle.THROTTLE_RATES))


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver of webhooks to which the site may send."""
    with receiving() as one:
        settings.WEBHOOK_ALLOWED = {one.place}
        yield one


def _address() -> dict[str, Any]:
    settings = connection.settings_dict
    keys = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    return {name: settings[key] for name, key in keys.items() if settings[key]}


@pytest.fixture
def rendering_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reject database queries while a page is rendered, except for who is signed in and with which factors."""
    render = Template.render

    def asking_nothing(template: Template, *values: Any, **named: Any) -> str:
        with connection.execute_wrapper(_refuse):
            return render(template, *values, **named)

    monkeypatch.setattr(Template, "render", asking_nothing)


_WHO = ("django_session", "auth_user", "mfa_authenticator")
"""Read by Django and django-allauth, whose pages they are."""


def _refuse(execute: Callable[..., Any], sql: str, *others: Any) -> Any:
    assert any(f'FROM "{table}"' in sql for table in _WHO), f"asked while a page is rendered: {sql}"
    return execute(sql, *others)
