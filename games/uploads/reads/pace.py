"""The pace of an upload: how much of it is done, how fast, and how long it will take."""

from dataclasses import dataclass
from math import ceil

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from games.models import Archive, Upload
from games.uploads.reads.progress import Progress

_MINUTE, _HOUR = 60, 3600
_IN_MINUTES, _IN_HOURS = 100, 90 * _MINUTE
"""From so many seconds on they are said in minutes, or hours."""
_WHOLE = 10
"""From this rate on, tenths are left out."""


def all_checked(total: int) -> str:
    """Return the sentence for an upload in which no game waits any more."""
    return ngettext("{total} game checked", "All {total} games checked", total).format(total=counted(total))


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of an upload."""

    upload: Upload
    progress: Progress
    expected: int
    """How many records it will have: exact once it is split completely, else an estimate."""
    growing: bool
    """Whether more of them may come."""
    paused: bool
    over: bool
    """Whether nothing more is to come."""

    @property
    def state(self) -> str:
        """Return the state as programs get it."""
        return "done" if self.over else "paused" if self.paused else "going"

    @property
    def seconds_left(self) -> int | None:
        """Return the seconds left at this rate."""
        rate = self.progress.rate
        if self.over or self.paused or not rate:
            return None
        return ceil(max(0, self.expected - self.progress.done) / rate)

    @property
    def sentence(self) -> str:
        """Return all of it in words."""
        done, total = counted(self.progress.done), counted(self.progress.total)
        if self.upload.repeats_id:
            said = gettext("This file was uploaded before and is not stored again.")
        elif self.over:
            said = all_checked(self.progress.total)
        elif self.growing:
            said = gettext("{done} checked; the file is still being unpacked.").format(done=done)
        else:
            said = gettext("{done} of {total} checked.").format(done=done, total=total)
        return " ".join(filter(None, (said, self.speed)))

    @property
    def speed(self) -> str:
        """Return how fast it goes and how long it will take, in words; empty if that is unknown."""
        rate, left = self.progress.rate, self.seconds_left
        if rate is None or left is None:
            return ""
        speed = counted(round(rate)) if rate >= _WHOLE else number_format(rate, 1)
        return gettext("{rate} a second, about {left} left.").format(rate=speed, left=_duration(left))


def pace_of(upload: Upload, progress: Progress) -> Pace:
    """Return the pace of an upload, by what is known of its records."""
    growing = upload.state in Upload.UNSPLIT
    return Pace(
        upload=upload,
        progress=progress,
        expected=max(progress.total, _expected(upload) if growing else 0),
        growing=growing,
        paused=upload.paused,
        over=upload.done_at is not None,
    )


def _expected(upload: Upload) -> int:
    """Return the expected number of records, projected from the part of the file that was read."""
    archive = Archive.objects.filter(pk=upload.pk).only("length", "read").first()
    return upload.split_logs * archive.length // archive.read if archive and archive.read else 0


def _duration(seconds: int) -> str:
    if seconds < _IN_MINUTES:
        return ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)
    if seconds < _IN_HOURS:
        minutes = round(seconds / _MINUTE)
        return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    hours = round(seconds / _HOUR)
    return ngettext("{n} hour", "{n} hours", hours).format(n=hours)


def counted(number: int) -> str:
    """Return a number with its digits grouped as the reader's language does."""
    return number_format(number, use_l10n=True, force_grouping=True)
