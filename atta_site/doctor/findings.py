"""The doctor's findings: each with its severity and what to do."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple


class Level(StrEnum):
    """How severe a finding is."""

    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


class Finding(NamedTuple):
    """The result of one check."""

    about: str
    level: Level
    message: str


Findings = Iterator[Finding]


def good(about: str, message: str) -> Finding:
    """Return that all is well."""
    return Finding(about, Level.GOOD, message)


def warning(about: str, message: str) -> Finding:
    """Return something that works, but should be looked at."""
    return Finding(about, Level.WARNING, message)


def bad(about: str, message: str) -> Finding:
    """Return something that does not work, or loses data some day."""
    return Finding(about, Level.BAD, message)
