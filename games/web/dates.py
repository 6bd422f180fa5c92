"""Days and moments in pages: in one form everywhere, which no line breaks (`|day` and `|moment` in templates)."""

from datetime import date, datetime

from django.template import Library
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

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
def tag_day(value: str) -> str:
    """Return the day that a record's Date tag names; the tag as it is where a part is unknown, as in `2026.??.??`."""
    try:
        return day(date.fromisoformat(value.replace(".", "-")))
    except ValueError:
        return value


def _time(value: date | None, form: str) -> SafeString:
    if not value:
        return SafeString("")
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), date_format(value, form))
