"""Measures end to end: a file is uploaded for a club over HTTP, until its last game is rated.

All of it is timed: sending and storing the bytes, unpacking, cutting, the engine, verdicts, games and seats on disk,
the club's acceptance, ratings and their ledger.
"""

import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from time import monotonic, time
from typing import NamedTuple
from uuid import UUID

from bench.archive import Archive
from bench.site import LOGS, Site
from bench.watch import cpu, forget_peak, peak

CLUB = "bench"
PARTS = 10
"""Equal parts of a file; after each, how fast it went is printed."""
_LOOK_EVERY = 0.5
_PATIENCE = 300.0
"""Seconds without a step ahead after which nothing is hoped for any more."""

_OVER = ("refused", "cancelled")

Say = Callable[[str], object]


class Taken(NamedTuple):
    """The time until all games of a file were judged, and until all were rated."""

    games: int
    sent: float
    judged: float
    rated: float
    """Seconds since it was begun to be sent, of all three."""
    worker: float
    web: float
    database: float
    """CPU time, in seconds."""
    memory: float
    """Of the largest worker process, in MiB."""
    size: int
    """Bytes by which the database has grown."""
    shares: tuple[tuple[float, ...], tuple[float, ...]]
    """Games a second in each part of the file: judged, rated."""

    def __str__(self) -> str:
        spent = " + ".join(f"{1e6 * one / self.games:,.0f}" for one in (self.worker, self.database, self.web))
        return (
            f"{self.games / self.judged:>7,.0f} judged, {self.games / self.rated:>7,.0f} rated games/s"
            f"   {spent} µs of CPU a game (worker + PostgreSQL + web)   {self.memory:,.0f} MiB a worker at most"
            f"   {self.size / self.games:,.0f} bytes a game"
        )


def member(name: str = "organiser") -> str:
    """Return a token of a new account that organises a club of the same name."""
    from django.contrib.auth.models import User  # noqa: PLC0415 (Django is set up by now)
    from django.utils import timezone  # noqa: PLC0415

    from games.accounts.tokens import make_token  # noqa: PLC0415
    from games.clubs.organising import found  # noqa: PLC0415
    from games.models import Club  # noqa: PLC0415

    account, _ = User.objects.get_or_create(username=name)
    if not Club.objects.filter(slug=CLUB).exists():
        found(slug=CLUB, name="Bench", about="", organiser=account, now=timezone.now())
    return make_token(account)


def send(site: Site, archive: Archive, token: str) -> UUID:
    """Upload a file for the club as `atta upload` does. :returns: the number of its upload."""
    from games.client import sending  # noqa: PLC0415
    from games.client.site import Site as Connection  # noqa: PLC0415

    options = {"filename": archive.path.name, "club": CLUB}
    with (
        closing(Connection(site.address, token)) as there,
        archive.path.open("rb") as file,
        tempfile.TemporaryDirectory() as folder,
    ):
        notes = sending.Notes(Path(folder), site.address, archive.path, file, options)
        return UUID(sending.send(there, file, options, notes, lambda _: None))


def take(site: Site, archive: Archive, token: str, say: Say = lambda _: None) -> Taken:
    """Upload a file and wait for its last rating; print each part. :raises SystemExit: when counts do not add up."""
    before, rows = _used(site), _rows()
    begun, clock = time(), monotonic()
    upload = send(site, archive, token)
    sent = monotonic() - clock
    say(f"sent after {sent:,.1f} s")
    course = _Course(site, archive, say)
    while not course.is_over(upload, rows["places"]):
        site.pause(_LOOK_EVERY)
    judged, rated = (moment.timestamp() - begun for moment in _moments(upload))
    used = [after - earlier for after, earlier in zip(_used(site), before, strict=True)]
    _check(archive, upload, rows)
    worker, web, database, size = used
    shares = (course.judged.rates, course.rated.rates)
    return Taken(
        archive.games, sent, judged, rated, worker, web, database, max(course.memory, peak(site.worker.pid)), int(size),
        shares,
    )  # fmt: skip


class _Curve:
    """How many games were done at which time."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._ends: list[float] = []
        """When each part was done; before the first, when it was begun."""
        self._seen = (monotonic(), 0)

    def see(self, count: int) -> bool:
        """Record how many are done now. :returns: whether that completes a part."""
        now, parts = monotonic(), len(self._ends)
        (last, earlier), self._seen = self._seen, (now, count)
        if count and not self._ends:
            self._ends.append(last)
        while 0 < len(self._ends) <= PARTS and count * PARTS >= self._total * len(self._ends):
            due = self._total * len(self._ends) / PARTS
            self._ends.append(last + (now - last) * (due - earlier) / (count - earlier))
        return len(self._ends) > max(parts, 1)

    @property
    def rates(self) -> tuple[float, ...]:
        """Return the rate per second for each completed part."""
        return tuple(self._total / PARTS / max(end - begin, 1e-3) for begin, end in pairwise(self._ends))


class _Course:
    """The progress of a file, part by part."""

    def __init__(self, site: Site, archive: Archive, say: Say) -> None:
        self._site, self._archive, self._say = site, archive, say
        self._stepped, self._seen = monotonic(), (0, 0, 0)
        self.judged, self.rated = _Curve(archive.games), _Curve(archive.whole)
        self._marks = dict.fromkeys(("judged", "rated"), (_used(site), 0))
        """The CPU time spent, and the games done, when a part was last judged, and when one was last rated."""
        self.memory = 0.0
        forget_peak(site.worker.pid)

    def is_over(self, upload: UUID, places: int) -> bool:
        """Check how far it has come, and print it. :raises SystemExit: when it comes no further."""
        from games.models import Upload  # noqa: PLC0415
        from games.ratings.sequence import last_place  # noqa: PLC0415
        from games.uploads.reads.progress import progress_of  # noqa: PLC0415

        held = Upload.objects.get(pk=upload)
        seen = (progress_of(held).done, last_place() - places)
        if (*seen, held.accepted_logs) != self._seen:
            self._stepped, self._seen = monotonic(), (*seen, held.accepted_logs)
        elif monotonic() - self._stepped > _PATIENCE or held.state in _OVER:
            raise SystemExit(f"it comes no further: {held.state}, {seen[0]:,} judged, {seen[1]:,} rated; {LOGS}")
        for name, curve, count in zip(("judged", "rated"), (self.judged, self.rated), seen, strict=True):
            if curve.see(count):
                self._show(name, curve, count)
        return held.accepted_at is not None and seen[1] >= self._archive.whole

    def _show(self, name: str, curve: _Curve, count: int) -> None:
        memory, (worker, _, database, size) = peak(self._site.worker.pid), _used(self._site)
        forget_peak(self._site.worker.pid)
        self.memory = max(self.memory, memory)
        spent, done = self._marks[name]
        costs = [1e6 * used / (count - done) for used in (worker - spent[0], database - spent[2])]
        self._marks[name] = _used(self._site), count
        self._say(
            f"{name:<7}{count:>10,} {curve.rates[-1]:>8,.0f} games/s   {costs[0]:>5,.0f} + {costs[1]:>5,.0f} µs a game"
            f" of all CPU since (worker + PostgreSQL)   worker {memory:,.0f} MiB   database {size / 1e6:,.0f} MB"
        )


def _used(site: Site) -> tuple[float, ...]:
    """Return the CPU time of the worker, the web server and the database, and the database's size."""
    return cpu(site.worker.pid), cpu(site.web.pid), cpu(site.postmaster), _size()


def _size() -> int:
    return _number("SELECT pg_database_size(current_database())")


def _number(statement: str) -> int:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.fetchone()[0])


_COUNTED = {
    "logs": "SELECT count(*) FROM games_movelog",
    "games": "SELECT count(*) FROM games_game",
    "verdicts": "SELECT count(*) FROM games_verdict",
    "places": "SELECT coalesce(max(number), 0) FROM games_acceptance",
    "games on ladders": "SELECT coalesce(sum(games), 0) FROM games_ladder",
    "entries of the ledger": "SELECT count(*) FROM games_ratingevent",
}


def _rows() -> dict[str, int]:
    """Return the number of rows."""
    return {name: _number(statement) for name, statement in _COUNTED.items()}


def _check(archive: Archive, upload: UUID, before: dict[str, int]) -> None:
    """Count the verdicts of a file. :raises SystemExit: when they are not as expected."""
    from games.models import Upload  # noqa: PLC0415
    from games.uploads.reads.progress import progress_of  # noqa: PLC0415

    progress = progress_of(Upload.objects.get(pk=upload))
    found = {name: count - before[name] for name, count in _rows().items()}
    found |= {"verified": progress.verified, "rejected": progress.rejected}
    expected = dict.fromkeys(("logs", "games", "verdicts"), archive.games)
    expected |= dict.fromkeys(("places", "games on ladders", "verified"), archive.whole)
    expected |= {"entries of the ledger": archive.seats, "rejected": archive.broken}
    wrong = [f"{count:,} {name}, not {expected[name]:,}" for name, count in found.items() if count != expected[name]]
    if wrong:
        raise SystemExit(f"the counts do not add up: {'; '.join(wrong)}")


def _moments(upload: UUID) -> tuple[datetime, datetime]:
    """When the last game of a file was judged, and when the last of all was rated."""
    from games.models import Acceptance, Upload  # noqa: PLC0415

    judged = Upload.objects.values_list("done_at", flat=True).get(pk=upload)
    rated = (
        Acceptance.objects.filter(number__isnull=False)
        .order_by("-number")
        .values_list("accepted_at", flat=True)
        .first()
    )
    if judged is None or rated is None:
        raise SystemExit("it was over before it was done")
    return judged, rated
