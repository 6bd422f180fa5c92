"""The people and games of the access matrix, for tests that visit all addresses."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.template.backends.django import Template

from tests.games.test_access import cast, standing_worlds, worlds

__all__ = ["cast", "standing_worlds", "worlds"]


@pytest.fixture(autouse=True, scope="session")
def _static_files(static_files: None) -> None:
    """Make them available to every test in this folder."""


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
