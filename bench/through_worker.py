"""End to end: from the moment files are taken in until every verdict is stored and every game is rated in a league."""

from time import monotonic
from typing import NamedTuple

from bench.site import Site
from bench.watch import cpu

_FILE = 1_000
"""Games in an upload."""


class EndToEnd(NamedTuple):
    """Games a second with all workers together, and the CPU time of a game by where it is spent, in seconds."""

    judged: float
    rated: float
    worker: float
    database: float

    def __str__(self) -> str:
        cpu = f"{1e6 * self.worker:,.0f} + {1e6 * self.database:,.0f} µs of CPU a game (worker + PostgreSQL)"
        return f"{self.judged:>8,.0f} judged, {self.rated:>8,.0f} rated games/s   {cpu}"


def measure(site: Site, texts: list[bytes]) -> EndToEnd:
    """Take games in, accepted for a league, and wait for the last rating. Wall time."""
    from games import tasks  # noqa: PLC0415 (Django is set up by now)
    from games.models import Acceptance, Upload  # noqa: PLC0415

    spent = cpu(site.worker.pid), cpu(site.postmaster)
    begun = monotonic()
    hand_in(texts)
    tasks.ring()
    while Upload.objects.filter(done_at=None).exists():
        site.pause()
    judged = monotonic() - begun
    not_accepted = Upload.objects.filter(league__isnull=False, accepted_at=None)
    while not_accepted.exists() or Acceptance.objects.filter(number=None).exists():
        site.pause()
    rated, count = monotonic() - begun, len(texts)
    used = cpu(site.worker.pid) - spent[0], cpu(site.postmaster) - spent[1]
    return EndToEnd(count / judged, count / rated, used[0] / count, used[1] / count)


def hand_in(texts: list[bytes]) -> None:
    """Take games in, in files of a thousand, for a league."""
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from games.models import League, Upload  # noqa: PLC0415
    from games.services.intake import Wish, take_in  # noqa: PLC0415

    organiser, _ = User.objects.get_or_create(username="organiser")
    league, _ = League.objects.get_or_create(slug="bench", defaults={"name": "Bench", "created_at": timezone.now()})
    league.organisers.add(organiser)
    for at in range(0, len(texts), _FILE):
        data = b"\n".join(texts[at : at + _FILE])
        take_in(data, via=Upload.Via.COMMAND, now=timezone.now(), uploader=organiser, wish=Wish(league=league))
