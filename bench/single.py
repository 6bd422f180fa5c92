"""Measures how long a user waits for the verdict on a single game: on an idle site, and beside a large archive."""

from collections.abc import Iterable, Iterator
from random import Random
from statistics import fmean, median, quantiles
from time import sleep
from typing import NamedTuple

from bench.archive import Archive
from bench.end_to_end import member, send
from bench.site import Site

_EVERY = 0.3
"""Seconds between two games beside an archive."""


class Wait(NamedTuple):
    """What a user waits for, one thing after another, in seconds."""

    stored: float
    """Until the record is stored."""
    begun: float
    """From then until a worker begins to verify it."""
    seen: float
    """From then until the verdict is there to be read."""

    def __str__(self) -> str:
        return " + ".join(f"{1000 * seconds:,.0f}" for seconds in self)


class Waits(NamedTuple):
    """The times from upload to verdict, in seconds."""

    games: int
    half: float
    most: float
    longest: float
    usual: Wait
    """The median of each part."""
    slow: Wait
    """The mean of each part, of the slowest tenth."""

    def __str__(self) -> str:
        half, most, longest = (f"{1000 * seconds:,.0f} ms" for seconds in self[1:4])
        return (
            f"half within {half}, 99 of 100 within {most}, the slowest of {self.games} {longest};"
            f" stored + begun + judged: median {self.usual} ms, the slowest tenth {self.slow} ms"
        )


def alone(site: Site, games: Iterable[bytes]) -> Waits:
    """Upload games one after another, each a moment after the verdict on the one before."""
    chance, waits = Random(1), []
    for text in games:
        waits.append(_wait(site, text))
        sleep(chance.uniform(0.05, 0.15))
    return _summed_up(waits)


def beside(site: Site, archive: Archive, games: Iterator[bytes]) -> Waits:
    """Upload an archive, and single games from another account while it is split and verified."""
    from games.models import Upload  # noqa: PLC0415 (Django is set up by now)

    waits, upload = [], send(site, archive, member())
    while Upload.objects.filter(pk=upload, done_at=None).exists():
        waits.append(_wait(site, next(games)))
        sleep(_EVERY)
    return _summed_up(waits)


def _wait(site: Site, text: bytes) -> Wait:
    from django.utils import timezone  # noqa: PLC0415

    from games import tasks  # noqa: PLC0415
    from games.models import Upload  # noqa: PLC0415
    from tests.games.uploading import upload_file  # noqa: PLC0415

    sent = timezone.now()
    upload = upload_file(text, via=Upload.Via.COMMAND, now=sent)
    tasks.wake_workers()
    stored = timezone.now()
    done = Upload.objects.filter(pk=upload.pk, done_at__isnull=False).values_list("begun_at", flat=True)
    while (begun := done.first()) is None:
        site.pause(0.002)
    return Wait(*(part.total_seconds() for part in (stored - sent, begun - stored, timezone.now() - begun)))


def _summed_up(waits: list[Wait]) -> Waits:
    if len(waits) < 2:
        raise SystemExit("that was over before two games were uploaded beside it")
    wholes = sorted(map(sum, waits))
    slow = sorted(waits, key=sum)[-max(1, len(waits) // 10) :]
    return Waits(
        len(waits), median(wholes), quantiles(wholes, n=100, method="inclusive")[98], wholes[-1],
        Wait(*map(median, zip(*waits, strict=True))), Wait(*map(fmean, zip(*slow, strict=True))),
    )  # fmt: skip
