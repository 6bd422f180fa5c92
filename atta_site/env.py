"""Reads environment variables strictly: with a bad value nothing starts, and the error names the variable."""

import os
from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from atta_site.mail import SCHEMES, Mail, mail_of
from games.push.vapid import key_of

MOST_PORT = 2**16 - 1
TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


class BadSettingError(ImproperlyConfigured):
    """A missing or invalid variable; the text names it and says what was expected."""

    def __init__(self, name: str, expected: str, got: str | None) -> None:
        """Name the variable, what was `expected`, and what was `got` (None: nothing, or a secret)."""
        super().__init__(f"{name}: expected {expected}, got {'nothing' if got is None else repr(got)}")


def text(name: str, default: str | None = None, *, expected: str = "a text") -> str:
    """Return the variable without surrounding space; empty counts as unset, which without a default raises."""
    value = os.environ.get(name, "").strip() or default
    if value is None:
        raise BadSettingError(name, expected, None)
    return value


def flag(name: str, *, default: bool) -> bool:
    """Return a switch written as 1/0, true/false, yes/no or on/off."""
    value = text(name, "on" if default else "off").lower()
    if value not in TRUE | FALSE:
        raise BadSettingError(name, "1 or 0", value)
    return value in TRUE


def number(name: str, default: int, *, at_least: int = 0, at_most: int | None = None) -> int:
    """Return a whole number that is not below `at_least` nor above `at_most`."""
    value = text(name, str(default))
    is_number = value.isascii() and value.isdecimal()
    if not is_number or int(value) < at_least or (at_most is not None and int(value) > at_most):
        bounds = f"of at least {at_least}" if at_most is None else f"from {at_least} to {at_most}"
        raise BadSettingError(name, f"a whole number {bounds}", value)
    return int(value)


def choice(name: str, options: Collection[str], default: str) -> str:
    """Return one of `options`."""
    value = text(name, default)
    if value not in options:
        raise BadSettingError(name, f"one of {', '.join(options)}", value)
    return value


def names(name: str, default: str | None = None) -> list[str]:
    """Return the parts of a list written with commas; an empty part raises."""
    expected = "names separated by commas"
    value = text(name, default, expected=expected)
    parts = [part.strip() for part in value.split(",")] if value else []
    if not all(parts):
        raise BadSettingError(name, expected, value)
    return parts


def rate(name: str, default: str) -> str:
    """Return a number of requests a period, as in `60/minute`."""
    value = text(name, default)
    count, _, period = value.partition("/")
    if not count.isdecimal() or period not in {"second", "minute", "hour", "day"}:
        raise BadSettingError(name, "a rate such as 60/minute", value)
    return value


def secret(name: str, *, expected: str, at_least: int = 1) -> str:
    """Return a secret of `at_least` so many characters from NAME, or from the file that NAME_FILE names.

    The value never appears in an error.
    """
    if os.environ.get(name) and os.environ.get(f"{name}_FILE"):
        raise BadSettingError(name, f"either {name} or {name}_FILE, not both", None)
    value = _from_file(f"{name}_FILE") if os.environ.get(f"{name}_FILE") else text(name, expected=expected)
    if len(value) < at_least:
        raise BadSettingError(name, expected, f"{len(value)} characters")
    return value


def optional_secret(name: str, *, expected: str, at_least: int = 1) -> str:
    """Return a secret as `secret` does; empty when neither NAME nor NAME_FILE is set."""
    is_set = os.environ.get(name, "").strip() or os.environ.get(f"{name}_FILE")
    return secret(name, expected=expected, at_least=at_least) if is_set else ""


def url(name: str, schemes: Collection[str], *, required: bool = True) -> str:
    """Return a URL with one of `schemes`, from NAME or NAME_FILE; empty if it is neither set nor `required`."""
    if not required and not os.environ.get(name, "").strip() and not os.environ.get(f"{name}_FILE"):
        return ""
    expected = f"an address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}"
    value = secret(name, expected=expected)
    scheme = urlsplit(value).scheme
    if scheme not in schemes:
        raise BadSettingError(name, expected, f"{scheme}://…" if scheme else "no scheme")
    return value


def site(name: str, default: str) -> str:
    """Return the address under which people reach the site: scheme, host and port, without a path."""
    value = text(name, default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query or parts.username:
        raise BadSettingError(name, "an address such as https://atta.example", value)
    return value


def make_folder(name: str, folder: Path) -> None:
    """Make a folder unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadSettingError(name, "a folder that exists or can be made", str(folder)) from problem


def vapid_key(name: str) -> str:
    """Return the key that identifies the site to push services, from NAME or NAME_FILE; empty if none is set."""
    if not os.environ.get(name, "").strip() and not os.environ.get(f"{name}_FILE"):
        return ""
    expected = "a key as `manage.py make_vapid_key` prints it"
    value = secret(name, expected=expected)
    try:
        key_of(value)
    except ValueError:
        raise BadSettingError(name, expected, f"{len(value)} characters") from None
    return value


def mail(name: str) -> Mail:
    """Return how mails are sent, from NAME or NAME_FILE; if unset, no mails are sent."""
    try:
        return mail_of(url(name, SCHEMES, required=False))
    except ValueError as problem:
        raise BadSettingError(name, "smtp://user:password@host:port or file:///folder", f"one with {problem}") from None


def _from_file(name: str) -> str:
    path = Path(os.environ[name])
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as problem:
        raise BadSettingError(name, "a file that can be read", str(path)) from problem
