"""The settings are safe by default and reject invalid values."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import structlog

from atta_site import env

ROOT = Path(__file__).resolve().parents[2]
GOOD = {
    "SECRET_KEY": "4g!dW-" * 10,
    "ALLOWED_HOSTS": "atta.example",
    "DATABASE_URL": "postgresql://me@127.0.0.1:1/atta",
    "CELERY_BROKER_URL": "redis://127.0.0.1:1",
}


READERS = ("text", "flag", "number", "choice", "names", "rate", "secret", "url", "mail", "vapid_key", "optional_secret")
Settings = Callable[..., dict[str, Any]]


@pytest.fixture
def settings_of(monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the settings of a start with only this environment; the log of this process stays as it is."""
    monkeypatch.setattr(structlog, "configure", lambda **_: None)

    def read(**environment: str) -> dict[str, Any]:
        monkeypatch.setattr(os, "environ", {**GOOD, **environment})
        for name in [name for name in sys.modules if name.startswith("atta_site.settings")]:
            monkeypatch.delitem(sys.modules, name)
        return vars(import_module("atta_site.settings"))

    return read


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new Python process with only this environment."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"], **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SECRET_KEY", "", "SECRET_KEY: expected at least 50 random characters, got nothing"),
        ("SECRET_KEY", "short", "SECRET_KEY: expected at least 50 random characters, got '5 characters'"),
        ("ALLOWED_HOSTS", "", "ALLOWED_HOSTS: expected names separated by commas, got nothing"),
        ("DATABASE_URL", "", "DATABASE_URL: expected an address that begins with postgresql:// or postgres://"),
        ("CELERY_BROKER_URL", "memory://", "CELERY_BROKER_URL: expected an address that begins with redis://"),
        ("EMAIL_URL", "smtp://mx.example", "EMAIL_FROM: expected Name <address>, got nothing"),
        ("VAPID_KEY", "short", "VAPID_KEY: expected a key as `manage.py make_vapid_key` prints it, got '5 characters'"),
        ("NUM_PROXIES", "two", "NUM_PROXIES: expected a whole number of at least 0, got 'two'"),
    ],
)
def test_invalid_variable_is_named(settings_of: Settings, name: str, value: str, message: str) -> None:
    with pytest.raises(env.BadSettingError) as refused:
        settings_of(**{name: value})
    assert message in str(refused.value)


def test_invalid_variable_stops_startup() -> None:
    done = python("import atta_site.settings", **{**GOOD, "NUM_PROXIES": "two"})
    assert done.returncode == 1
    assert "NUM_PROXIES: expected a whole number of at least 0, got 'two'" in done.stderr


def test_production_is_the_default(settings_of: Settings) -> None:
    names = ("DEBUG", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_PROXY_SSL_HEADER")
    settings = settings_of()
    assert [settings[name] for name in names] == [False, True, True, True, None]


@pytest.mark.parametrize(("plain", "prefix"), [("0", "__Host-"), ("1", "")])
def test_cookies_are_limited_to_this_host(settings_of: Settings, plain: str, prefix: str) -> None:
    settings = settings_of(PLAIN_HTTP=plain)
    names = (settings["SESSION_COOKIE_NAME"], settings["CSRF_COOKIE_NAME"])
    assert names == (f"{prefix}sessionid", f"{prefix}csrftoken")


def test_plain_http_turns_off_all_tls_settings(settings_of: Settings) -> None:
    names = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS")
    settings = settings_of(PLAIN_HTTP="1")
    assert [settings[name] for name in names] == [False, False, False, 0]


def test_proxy_header_is_trusted_only_with_a_configured_proxy(settings_of: Settings) -> None:
    assert settings_of(NUM_PROXIES="1")["SECURE_PROXY_SSL_HEADER"][0] == "HTTP_X_FORWARDED_PROTO"


@pytest.mark.full
def test_the_deploy_check_finds_nothing() -> None:
    arguments = [
        "check",
        "--deploy",
        "--tag",
        "security",
        "--fail-level",
        "WARNING",
        "--settings",
        "tests.offline_settings",
    ]
    done = python(f"from django.core.management import execute_from_command_line as run; run(['manage', *{arguments}])")
    assert done.stderr == ""
    assert done.returncode == 0
    assert "System check identified no issues" in done.stdout


def test_every_variable_that_is_read_is_documented(monkeypatch: pytest.MonkeyPatch, settings_of: Settings) -> None:
    documented, read = (ROOT / ".env.example").read_text(), list[str]()

    def noting(reader: Callable[..., object]) -> Callable[..., object]:
        def note(name: str, *given: Any, **named: Any) -> object:
            read.append(name)
            return reader(name, *given, **named)

        return note

    for name in READERS:
        monkeypatch.setattr(env, name, noting(getattr(env, name)))
    settings_of()
    assert len(read) > 15
    assert [name for name in read if f"#{name}=" not in documented] == []
