"""Days and moments in pages: in one form everywhere, which no line breaks (`|day` and `|moment` in templates).

Of a moment the server writes the day and time in UTC, the same for all readers; static/games/js/moments.js writes it in
the zone of the browser. The day on which a game was played is one where it was played, and no script changes it.
"""

from datetime import UTC, date, datetime

from django.template import Library
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from engine.agn.dates import Days, days_of

register = Library()


@register.filter
def day(value: date | None) -> SafeString:
    """Return a day, or the day of a moment; empty without one."""
    return _time(value, plain_day(value)) if value else SafeString("")


@register.filter
def moment(value: datetime | None) -> SafeString:
    """Return a moment to the minute; empty without one. Its zone takes no room where a script removes it at once."""
    if not value:
        return SafeString("")
    return _time(value, format_html('{}<span class="utc"> UTC</span>', plain_moment(value).removesuffix(" UTC")))


@register.filter
def plain_day(value: date) -> str:
    """Return a day, or the day of a moment in UTC, where no element can be, as in an attribute."""
    return date_format(_in_utc(value), "SHORT_DATE_FORMAT")


def plain_moment(value: datetime) -> str:
    """Return a moment to the minute, with its zone."""
    return f"{date_format(_in_utc(value), 'SHORT_DATETIME_FORMAT')} UTC"


@register.filter
def days(value: Days | datetime | None) -> SafeString:
    """Return when a game was played: a moment's day, a day, a month, a year or a range; empty without any."""
    if not value or isinstance(value, datetime):
        return day(value)
    return day(value.only) if value.only else format_html("{}", said_days(value))


@register.filter
def tag_days(value: str | datetime) -> str:
    """Return the days that a record's Date tag names, as it is where the year is unknown, or the day of a moment."""
    if isinstance(value, datetime):
        return day(value)
    found = days_of(value)
    return days(found) if found else value


def said_days(value: Days | datetime) -> str:
    """Return days as plain text; of a moment its day in UTC."""
    if isinstance(value, datetime):
        return plain_day(value)
    if value.only:
        return date_format(value.only, "SHORT_DATE_FORMAT")
    match str(value).count("-"):
        case 0:
            return f"{value.first.year:04}"
        case 1:
            return date_format(value.first, "YEAR_MONTH_FORMAT")
    return f"{date_format(value.first, 'SHORT_DATE_FORMAT')} – {date_format(value.last, 'SHORT_DATE_FORMAT')}"


def _time(value: date, text: str) -> SafeString:
    moments = SafeString(" data-moment" if isinstance(value, datetime) else "")
    return format_html('<time datetime="{}"{}>{}</time>', value.isoformat(), moments, text)


def _in_utc(value: date) -> date:
    return value.astimezone(UTC) if isinstance(value, datetime) else value
