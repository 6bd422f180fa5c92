"""Days and moments in pages: in one form everywhere, which no line breaks (`|day` and `|moment` in templates)."""

from datetime import date, datetime

from django.template import Library
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from engine.agn.dates import Days, days_of

register = Library()


@register.filter(expects_localtime=True)
def day(value: date | None) -> SafeString:
    """Return a day; empty without one."""
    return _time(value, "SHORT_DATE_FORMAT")


@register.filter(expects_localtime=True)
def moment(value: datetime | None) -> SafeString:
    """Return a moment to the minute; empty without one."""
    return _time(value, "SHORT_DATETIME_FORMAT")


@register.filter
def days(value: Days | None) -> SafeString:
    """Return the days on which a game may have been played: a day, a month, a year or a range; empty without any."""
    if not value:
        return SafeString("")
    return day(value.only) if value.only else format_html("{}", said_days(value))


@register.filter
def tag_days(value: str) -> str:
    """Return the days that a record's Date tag names; the tag as it is where the year is unknown."""
    found = days_of(value)
    return days(found) if found else value


def said_days(value: Days) -> str:
    """Return days as plain text."""
    if value.only:
        return date_format(value.only, "SHORT_DATE_FORMAT")
    match str(value).count("-"):
        case 0:
            return f"{value.first.year:04}"
        case 1:
            return date_format(value.first, "YEAR_MONTH_FORMAT")
    return f"{date_format(value.first, 'SHORT_DATE_FORMAT')} – {date_format(value.last, 'SHORT_DATE_FORMAT')}"


def _time(value: date | None, form: str) -> SafeString:
    if not value:
        return SafeString("")
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), date_format(value, form))
