"""What tables are called, and what is done there, in the reader's language."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.models import Table

STATES = {
    Table.State.OPEN: _("Waiting for players"),
    Table.State.PLAYING: _("Being played"),
    Table.State.FINISHED: _("Finished"),
    Table.State.ABORTED: _("Aborted"),
    Table.State.CANCELLED: _("Cancelled"),
}
FIRSTS = {
    Table.First.DRAWN: _("The first player is drawn"),
    Table.First.OPENER: _("Whoever opened the table begins"),
    Table.First.OLDEST: _("The oldest player begins"),
    Table.First.TURNED: _("Whoever was second in the game before begins"),
}
VISIBILITIES = {
    Table.Visibility.OPEN: _("Anybody"),
    Table.Visibility.LINK: _("Anybody with the link"),
    Table.Visibility.NAMES: _("Invited accounts only"),
}
STRENGTHS = {"random": _("Easy"), "greedy": _("Medium"), "searching": _("Hard")}
"""The bots by their strength."""
TIMES = {
    "none": (Table.Time.NONE, 0, 0),
    "5+5": (Table.Time.MINUTES, 300, 5),
    "15+20": (Table.Time.MINUTES, 900, 20),
    "45+30": (Table.Time.MINUTES, 2700, 30),
    "1d": (Table.Time.DAYS, 86_400, 0),
    "3d": (Table.Time.DAYS, 3 * 86_400, 0),
    "7d": (Table.Time.DAYS, 7 * 86_400, 0),
}
"""What the form offers."""
PACES = {
    Table.Time.MINUTES.value: _("Minutes for each player"),
    Table.Time.DAYS.value: _("Days for each turn"),
    Table.Time.NONE.value: _("No time limit"),
}
"""How time is measured, to filter tables by."""
RATED = {"yes": _("Rated"), "no": _("Training")}
_MINUTE, _DAY = 60, 86_400
_IN_HOURS, _IN_DAYS = timedelta(hours=2), timedelta(days=2)
"""From when on a time is named in hours, and in days."""


def ending_label(places: Sequence[int], own: int) -> str | None:
    """Return how a game ended for a reader; none where their place says it."""
    if set(places) == {1}:
        return gettext("A draw")
    if own == 1:
        return gettext("You won") if places.count(1) == 1 else gettext("You share the first place")
    return gettext("You lost") if len(places) == 2 else None  # noqa: PLR2004 (players)


def time_label(kind: str, base: int, step: int) -> str:
    """Return how time is measured, in words."""
    if kind == Table.Time.NONE:
        return gettext("No time limit")
    if kind == Table.Time.DAYS:
        days, rest = divmod(base, _DAY)
        if rest:
            return gettext("{time} for each turn").format(time=_length(base))
        return ngettext("{days} day for each turn", "{days} days for each turn", days).format(days=days)
    if not step:
        return gettext("{time} for each player").format(time=_length(base))
    return f"{_length(base)} + {_length(step)}"


def _length(seconds: int) -> str:
    """Return a length of time in hours, minutes and seconds, without those that are none."""
    minutes, seconds = divmod(seconds, _MINUTE)
    hours, minutes = divmod(minutes, _MINUTE)
    parts = {"h": hours, "min": minutes, "s": seconds}
    return " ".join(f"{number} {unit}" for unit, number in parts.items() if number)


def waiting_label(waited: timedelta) -> str:
    """Return for how long a table has waited for players, in words."""
    minutes = waited // timedelta(minutes=1)
    if minutes < 1:
        return gettext("Just opened")
    if waited < _IN_HOURS:
        return ngettext("Waiting for {count} minute", "Waiting for {count} minutes", minutes).format(count=minutes)
    if waited < _IN_DAYS:
        hours = waited // timedelta(hours=1)
        return ngettext("Waiting for {count} hour", "Waiting for {count} hours", hours).format(count=hours)
    return ngettext("Waiting for {count} day", "Waiting for {count} days", waited.days).format(count=waited.days)


def clock_label(milliseconds: int | None) -> str:
    """Return what a clock shows; empty without one."""
    if milliseconds is None:
        return ""
    minutes, seconds = divmod(milliseconds // 1000, _MINUTE)
    hours, minutes = divmod(minutes, _MINUTE)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
