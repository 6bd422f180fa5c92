"""The settings are safe by default and reject invalid values."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = {
    "SECRET_KEY": "4g!dW-" * 10,
    "ALLOWED_HOSTS": "atta.example",
    "DATABASE_URL": "postgresql://me@127.0.0.1:1/atta",
    "CELERY_BROKER_URL": "redis://127.0.0.1:1",
}


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


def setting(expression: str, **environment: str) -> str:
    """Return the value of an expression over the settings."""
    done = python(f"from atta_site import settings as s; print({expression})", **{**GOOD, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


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
def test_invalid_variable_is_named_and_stops_startup(name: str, value: str, message: str) -> None:
    done = python("import atta_site.settings", **{**GOOD, name: value})
    assert done.returncode == 1
    assert message in done.stderr


def test_production_is_the_default() -> None:
    names = ("DEBUG", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_PROXY_SSL_HEADER")
    assert setting(", ".join(f"s.{name}" for name in names)) == "False True True True None"


def test_cookies_are_limited_to_this_host() -> None:
    assert setting("s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME") == "__Host-sessionid __Host-csrftoken"
    assert setting("s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME", PLAIN_HTTP="1") == "sessionid csrftoken"


def test_plain_http_turns_off_all_tls_settings() -> None:
    names = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS")
    assert setting(", ".join(f"s.{name}" for name in names), PLAIN_HTTP="1") == "False False False 0"


def test_proxy_header_is_trusted_only_with_a_configured_proxy() -> None:
    assert setting("s.SECURE_PROXY_SSL_HEADER[0]", NUM_PROXIES="1") == "HTTP_X_FORWARDED_PROTO"


def test_the_deploy_check_finds_nothing() -> None:
    arguments = ["check", "--deploy", "--fail-level", "WARNING", "--settings", "tests.offline_settings"]
    done = python(f"from django.core.management import execute_from_command_line as run; run(['manage', *{arguments}])")
    assert done.stderr == ""
    assert done.returncode == 0
    assert "System check identified no issues" in done.stdout


def test_every_variable_that_is_read_is_documented() -> None:
    documented = (ROOT / ".env.example").read_text()
    code = (
        "from atta_site import env; read = []\n"
        "for name in ('text', 'flag', 'number', 'choice', 'names', 'rate', 'secret', 'url', 'mail', 'vapid_key',\n"
        "             'optional_secret'):\n"
        "    def note(name, *a, _real=getattr(env, name), **k): read.append(name); return _real(name, *a, **k)\n"
        "    setattr(env, name, note)\n"
        "import atta_site.settings; print(*read)"
    )
    names = python(code, **GOOD).stdout.split()
    assert len(names) > 15
    assert [name for name in names if f"#{name}=" not in documented] == []
