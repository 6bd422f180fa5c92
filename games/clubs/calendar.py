"""An evening as a calendar file (iCalendar, RFC 5545)."""

from datetime import date, datetime, timedelta

from games.models import Evening

_LINE = 75
"""Bytes of a line."""
_LASTS = timedelta(hours=3)


def calendar_of(evening: Evening, *, url: str, site: str, now: datetime) -> str:
    """Return an evening as a calendar with one event; its time is local, without a time zone."""
    club = evening.club
    where = evening.place or club.meets
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Atta//clubs//EN",
        "BEGIN:VEVENT",
        f"UID:evening-{evening.pk}@{site}",
        f"DTSTAMP:{now:%Y%m%dT%H%M%SZ}",
        *_times(evening),
        f"SUMMARY:{_escaped(club.name)}",
        *([f"LOCATION:{_escaped(where)}"] if where else []),
        f"URL:{url}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _times(evening: Evening) -> list[str]:
    day = min(evening.day, date.max - timedelta(days=1))  # the calendar's last day has no next one
    if evening.begins is None:
        following = day + timedelta(days=1)
        return [f"DTSTART;VALUE=DATE:{day:%Y%m%d}", f"DTEND;VALUE=DATE:{following:%Y%m%d}"]
    begins = datetime.combine(day, evening.begins)
    return [f"DTSTART:{begins:%Y%m%dT%H%M%S}", f"DTEND:{begins + _LASTS:%Y%m%dT%H%M%S}"]


def _escaped(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\r", "").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Return a line in pieces of at most 75 bytes; each but the first begins with a space."""
    pieces, piece = [], ""
    for letter in line:
        if len(f"{piece}{letter}".encode()) > _LINE - 1:
            pieces.append(piece)
            piece = ""
        piece += letter
    return "\r\n ".join([*pieces, piece])
