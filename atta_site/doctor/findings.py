"""What the doctor finds, as messages of Django's system checks: each says what it is about, and what to do."""

from collections.abc import Callable, Iterator
from typing import Any

from django.core import checks

Findings = Iterator[checks.CheckMessage]
TAG = "doctor"


def examination(look: Callable[[], Findings]) -> Callable[[], Findings]:
    """Register what looks a deployment over: for `manage.py doctor` and `manage.py check --deploy`."""

    def check(**_: Any) -> list[checks.CheckMessage]:  # noqa: ANN401 - apps and databases, which Django names
        return list(look())

    checks.register(check, TAG, deploy=True)
    return look


def good(about: str, message: str) -> checks.CheckMessage:
    """Return that all is well."""
    return checks.Info(message, id=_id(about))


def warning(about: str, message: str) -> checks.CheckMessage:
    """Return something that works, but should be looked at."""
    return checks.Warning(message, id=_id(about))


def bad(about: str, message: str) -> checks.CheckMessage:
    """Return something that does not work, or loses data some day."""
    return checks.Error(message, id=_id(about))


def about(found: checks.CheckMessage) -> str:
    """Return what a message is about; what Django itself finds is about settings."""
    named = str(found.id)
    return named.removeprefix("atta.").replace("_", " ") if named.startswith("atta.") else "settings"


def _id(about: str) -> str:
    return f"atta.{about.replace(' ', '_')}"
