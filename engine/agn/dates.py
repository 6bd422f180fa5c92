"""What the Date tag of a record means: a range of days, from the first possible to the last (AGN-TAG-6)."""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

_DATE = re.compile(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?{2})\.([0-9]{2}|\?{2})")
_DECEMBER: Final = 12
_SOME_LEAP_YEAR: Final = 2000
TOLERANCE: Final = timedelta(days=1)
"""How far a date may be ahead of the day of a verdict in UTC: somewhere on Earth the next day has begun."""


class Days(NamedTuple):
    """The days on which a game may have been played, as its record says it: often a single one."""

    first: date
    last: date

    @property
    def only(self) -> date | None:
        """Return the day of play if it is known; none where a part of it is unknown."""
        return self.first if self.first == self.last else None

    def are_within(self, begins: date, ends: date) -> bool:
        """Return whether all of them are in a range of days."""
        return begins <= self.first and self.last <= ends

    def __str__(self) -> str:
        """Return them as in ISO 8601: the day, month or year; other ranges as `first/last`."""
        if self.first == self.last:
            return self.first.isoformat()
        if self == _month(self.first.year, self.first.month):
            return f"{self.first:%Y-%m}"
        if self == _year(self.first.year):
            return f"{self.first:%Y}"
        return f"{self.first.isoformat()}/{self.last.isoformat()}"


def one_day(day: date) -> Days:
    """Return a single day as a range."""
    return Days(day, day)


def days_played(tags: Mapping[str, str], today: date | None = None) -> Days | None:
    """Return the days on which a game may have been played: those of `Date`, or of `UTCDate` if that says no year.

    :param today: where it is given, dates in its future say nothing, as records have that are older than AGN-TAG-6.
    :returns: none where the tags give no year, or no date by AGN-TAG-6.
    """
    for name in ("Date", "UTCDate"):
        if name in tags and (days := days_of(tags[name], today)):
            return days
    return None


def days_json(days: Days | None) -> dict[str, str | None]:
    """Return days for programs: the day if it is known, and the first and the last possible one."""
    return {
        "played_on": days.only.isoformat() if days and days.only else None,
        "played_from": days.first.isoformat() if days else None,
        "played_until": days.last.isoformat() if days else None,
    }


def days_of(value: str, today: date | None = None) -> Days | None:
    """Return the first and the last day that a tag's value allows; none for an unknown year, or what is no date.

    :param today: where it is given, a date in its future says nothing, as in `days_played`.
    """
    return None if today and is_ahead(value, today) else _days(value)


@lru_cache(maxsize=1024)
def _days(value: str) -> Days | None:
    if not is_date(value) or value.startswith("?"):
        return None
    year, month, day = (None if "?" in part else int(part) for part in value.split("."))
    assert year is not None  # noqa: S101 - for the types
    if month is None:
        return _year(year) if day is None else Days(date(year, 1, day), date(year, _DECEMBER, day))
    return _month(year, month) if day is None else one_day(date(year, month, day))


@lru_cache(maxsize=1024)
def is_date(value: str) -> bool:
    """Return whether the known parts of a date fit a real date (AGN-TAG-6)."""
    match = _DATE.fullmatch(value)
    if match is None:
        return False
    year, month, day = (None if "?" in part else int(part) for part in match.groups())
    try:
        date(_SOME_LEAP_YEAR if year is None else year, 1 if month is None else month, 1 if day is None else day)
    except ValueError:
        return False
    return True


def is_ahead(value: str, today: date) -> bool:
    """Return whether even the first possible day is later than the day after some day (AGN-TAG-6)."""
    days = _days(value)
    return days is not None and days.first - today > TOLERANCE


def _year(year: int) -> Days:
    return Days(date(year, 1, 1), date(year, _DECEMBER, 31))


def _month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
