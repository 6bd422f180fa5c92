"""Reads dates as people and other programs write them: `9.5.2026`, `2026-05-09T19:30`, `9. Mai 2026` (AGN-TAG-6)."""

import re
from typing import Final

from engine.agn.dates import is_date

_BETWEEN: Final = "[-./, ]+"
_YEAR_FIRST: Final = re.compile(rf"([0-9?]{{4}})(?:{_BETWEEN}([0-9?]{{1,2}})(?:{_BETWEEN}([0-9?]{{1,2}}))?)?[.]?")
_TOGETHER: Final = re.compile("([0-9]{4})([0-9]{2})([0-9]{2})")
_YEAR_LAST: Final = re.compile(rf"([0-9?]{{1,2}}){_BETWEEN}([0-9?]{{1,2}}){_BETWEEN}([0-9]{{4}})")
_TIME: Final = re.compile("[t ][0-9]{1,2}:.*")
_MONTHS: Final = ("jan", "feb", "mar|mär", "apr", "may|mai", "jun", "jul", "aug", "sep", "oct|okt", "nov", "dec|dez")
"""By their first letters, in English and German."""
_NAMED: Final = [re.compile(rf"\b(?:{names})[a-zä]*") for names in _MONTHS]
_DAY_OR_YEAR: Final = re.compile("(?<![0-9])(?:(?P<day>[0-9]{1,2})|(?P<year>[0-9]{4}))(?![0-9])(?:st|nd|rd|th)?")


def plain_dates(value: str) -> tuple[str, ...]:
    """Return the dates that a value may mean, as records write them, the likeliest first; none if it names none.

    There are two where the year is last and either number before it may be the month: the first of them is the day's.

    :param value: with plain characters.
    """
    text = _TIME.sub("", value.strip().lower())
    if found := _YEAR_FIRST.fullmatch(text) or _TOGETHER.fullmatch(text):
        read = [(found[1], found[2] or "??", found[3] or "??")]
    elif found := _YEAR_LAST.fullmatch(text):
        read = [(found[3], found[2], found[1]), (found[3], found[1], found[2])]
    else:
        read = _with_named_month(text)
    dates = dict.fromkeys(".".join((year, month.zfill(2), day.zfill(2))) for year, month, day in read)
    return tuple(filter(is_date, dates))


def _with_named_month(text: str) -> list[tuple[str, str, str]]:
    """Return year, month and day of a date whose month has a name; nothing for other texts."""
    months = [number for number, name in enumerate(_NAMED, 1) if name.search(text)]
    found = list(_DAY_OR_YEAR.finditer(text))
    days, years = [one["day"] for one in found if one["day"]], [one["year"] for one in found if one["year"]]
    if len(months) != 1 or len(years) != 1 or len(days) > 1:
        return []
    return [(years[0], str(months[0]), days[0] if days else "??")]


__all__ = ["plain_dates"]
