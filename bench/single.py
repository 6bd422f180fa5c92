"""Measures how long a user waits for the verdict on a single game: on an idle site, and beside a large archive."""

from collections.abc import Iterable, Iterator
from random import Random
from statistics import median, quantiles
from time import monotonic, sleep
from typing import NamedTuple

from bench.archive import Archive
from bench.end_to_end import member, send
from bench.site import Site

_EVERY = 0.3
"""Seconds between two games beside an archive."""


class Waits(NamedTuple):
    """The times from upload to verdict, in seconds."""

    games: int
    half: float
    most: float
    longest: float

    def __str__(self) -> str:
        half, most, longest = (f"{1000 * seconds:,.0f} ms" for seconds in self[1:])
        return f"half within {half}, 99 of 100 within {most}, the slowest of {self.games} {longest}"


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


def _wait(site: Site, text: bytes) -> float:
    from django.utils import timezone  # noqa: PLC0415

    from games import tasks  # noqa: PLC0415
    from games.models import Upload  # noqa: PLC0415
    from tests.games.uploading import upload_file  # noqa: PLC0415

    begun = monotonic()
    upload = upload_file(text, via=Upload.Via.COMMAND, now=timezone.now())
    tasks.wake_workers()
    while not Upload.objects.filter(pk=upload.pk, done_at__isnull=False).exists():
        site.pause(0.002)
    return monotonic() - begun


def _summed_up(waits: list[float]) -> Waits:
    if len(waits) < 2:
        raise SystemExit("that was over before two games were uploaded beside it")
    return Waits(len(waits), median(waits), quantiles(waits, n=100, method="inclusive")[98], max(waits))
