"""Parses a query for a leaderboard from an address, for pages and programs alike."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from engine.words import marked
from games.models import By
from games.platform.parameters import ParameterError

ACTIVE_MOST = 3650
"""Days."""
MOST_ID = 10**18
EARLIEST = {By.ACCEPTED: date(2000, 1, 1), By.PLAYED: date(1900, 1, 1)}
"""The first day that can be asked for: no site is older, and the day before it is a date like any other."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
PERIOD = "([0-9]{4})(?:-(0[1-9]|1[0-2]))?"
_PERIOD = re.compile(PERIOD)
_NUMBER = re.compile(r"[0-9]{1,18}")
_APART = (("period", "as_of"), ("period", "active"), ("period", "since"), ("as_of", "active"), ("active", "around"))
"""What cannot be asked for together."""


@dataclass(frozen=True, slots=True)
class Period:
    """A month or a year, in UTC."""

    year: int
    month: int | None

    @property
    def first(self) -> date:
        """Return its first day."""
        return date(self.year, self.month or 1, 1)

    @property
    def last(self) -> date:
        """Return its last day."""
        if self.month is None:
            return date(self.year, 12, 31)
        return (self.first + timedelta(days=31)).replace(day=1) - timedelta(days=1)

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02}" if self.month else f"{self.year}"


@dataclass(frozen=True, slots=True)
class LeaderboardQuery:
    """Which part of which board is wanted."""

    as_of: date | None = None
    """The ladder as it stood when that day was over."""
    period: Period | None = None
    """Who gained most in it."""
    active: int = 0
    """Only who has a game accepted in so many days."""
    since: date | None = None
    """The ranks of that day beside those of now."""
    around: int = 0
    """The player in whose middle the page is."""
    by: By = By.ACCEPTED
    """By which ledger: in the order of acceptance, or of the days on which games were played."""
    before: str = ""
    after: str = ""


def read(query: Mapping[str, str], today: date) -> LeaderboardQuery:
    """Parse a query. :raises ParameterError: when it is not a valid date, number or period, or cannot be answered."""
    words = {name: value for name, value in query.items() if value}
    for one, other in _APART:
        if one in words and other in words:
            raise ParameterError(other, marked("“{one}” and “{other}” cannot be combined."), one=one, other=other)
    by = _by(words)
    as_of, period = _day("as_of", words, by, today), _period(words, by, today)
    if by == By.PLAYED and period is None:
        as_of = as_of or today
    return LeaderboardQuery(
        as_of=as_of,
        period=period,
        active=_number("active", words, ACTIVE_MOST),
        since=_day("since", words, by, today),
        around=_number("around", words, MOST_ID),
        before=words.get("before", ""),
        after=words.get("after", ""),
        by=by,
    )


def _by(words: Mapping[str, str]) -> By:
    word = words.get("by", By.ACCEPTED)
    if word not in By.values:
        raise ParameterError("by", marked("There is no order “{word}”: use accepted or played."), word=word[:40])
    if word == By.PLAYED and "active" in words:
        raise ParameterError("active", marked("“{one}” and “{other}” cannot be combined."), one="by", other="active")
    return By(word)


def _day(name: str, words: Mapping[str, str], by: By, today: date) -> date | None:
    word = words.get(name)
    if word is None:
        return None
    try:
        day = date.fromisoformat(word) if _DAY.fullmatch(word) else None
    except ValueError:
        day = None
    if day is None:
        raise ParameterError(name, marked("“{word}” is not a date. Write dates as 2026-11-01."), word=word[:40])
    _refuse_outside(name, day, day, by, today)
    return day


def _period(words: Mapping[str, str], by: By, today: date) -> Period | None:
    word = words.get("period")
    if word is None:
        return None
    match = _PERIOD.fullmatch(word)
    if match is None or match[1] == "0000":
        raise ParameterError(
            "period", marked("“{word}” is neither a month such as 2026-11 nor a year such as 2026."), word=word[:40]
        )
    period = Period(int(match[1]), int(match[2]) if match[2] else None)
    _refuse_outside("period", period, period.first, by, today)
    return period


def _refuse_outside(name: str, asked: date | Period, first: date, by: By, today: date) -> None:
    """Refuse days after today, or before any site existed."""
    if first > today:
        raise ParameterError(
            name, marked("{day} is in the future: today is {today} (UTC)."), day=str(asked), today=str(today)
        )
    if first < EARLIEST[by]:
        earliest = EARLIEST[by].year
        raise ParameterError(
            name, marked("{day} is too early: the first ratings are from {year}."), day=str(asked), year=earliest
        )


def _number(name: str, words: Mapping[str, str], most: int) -> int:
    word = words.get(name)
    if word is None:
        return 0
    number = int(word) if _NUMBER.fullmatch(word) else 0
    if not 0 < number <= most:
        raise ParameterError(name, marked("“{word}” is not a number from 1 to {most}."), word=word[:40], most=most)
    return number


def end_of(day: date) -> datetime:
    """Return the moment at which a day is over, in UTC."""
    return datetime.combine(day, time.max, UTC) + timedelta(microseconds=1)
