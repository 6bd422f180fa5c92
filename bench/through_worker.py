"""End to end: from the moment files are taken in until every verdict is stored and every game is rated in a league."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from subprocess import Popen
from time import monotonic, sleep
from typing import NamedTuple

from atta_site import embedded, processes
from bench.corpora import BROKEN, corpus
from engine.verify import VERIFIED, verify_bytes

WORKERS = 2
PLAYED = 200
"""Games of each kind that were played; the others are these, given up a few actions sooner."""
_FILE = 1_000
"""Games in an upload."""
_TICKS = os.sysconf("SC_CLK_TCK")


class EndToEnd(NamedTuple):
    """Games a second with all workers together, and the CPU time of a game by where it is spent, in seconds."""

    judged: float
    rated: float
    worker: float
    database: float

    def __str__(self) -> str:
        cpu = f"{1e6 * self.worker:,.0f} + {1e6 * self.database:,.0f} µs of CPU a game (worker + PostgreSQL)"
        return f"{self.judged:>8,.0f} judged, {self.rated:>8,.0f} rated games/s   {cpu}"


class Site(NamedTuple):
    """A site that runs: the worker's process, and the number of the database's."""

    worker: "Popen[bytes]"
    postmaster: int


def different_games(slug: str) -> Iterator[bytes]:
    """Different games of a ruleset, of realistic length, one in twenty broken."""
    verdicts = verify_bytes(corpus(slug, PLAYED).data)
    broken = [bytes(verdict.record.data) for verdict in verdicts if verdict.fault]
    whole = [verdict for verdict in verdicts if verdict.verdict == VERIFIED]
    count = 0
    for sooner in range(1, 100):
        for verdict in whole:
            played = verdict.replay
            end = len(played.actions) - sooner if played else 0
            if played and end > 20 and len(seats := played.tags["Seats"].split(" ")) == 2:
                if count % BROKEN == 0:
                    yield broken[count // BROKEN % len(broken)]
                    count += 1
                if turn := played.ruleset.to_act(played.states[end]):
                    yield _given_up(verdict.text or "", played.actions[:end], seats, turn)
                    count += 1


def _given_up(text: str, actions: tuple[str, ...], seats: list[str], turn: str) -> bytes:
    result = "-".join("2" if seat == turn else "1" for seat in seats)
    head = text.partition("\n\n")[0].rpartition("\n")[0]
    return f'{head}\n[Result "{result}"]\n\n{" ".join(actions)} resign:{turn} {result}\n'.encode()


@contextmanager
def database() -> Iterator[int]:
    """A site of its own, empty, without workers; it is gone afterwards. Gives the number of the database's process."""
    with tempfile.TemporaryDirectory(prefix="atta-bench-") as folder, embedded.servers(Path(folder)) as pair:
        pair.start()
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "atta_site.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "localhost",
            "DATABASE_URL": pair.postgres.url,
            "CELERY_BROKER_URL": pair.valkey.url,
            "LOG_LEVEL": "WARNING",
        }
        _migrate()
        yield int((pair.postgres.data / "postmaster.pid").read_text().split()[0])


def _migrate() -> None:
    import django  # noqa: PLC0415 (the environment comes first)
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def workers() -> Iterator[Site]:
    """The same with its workers."""
    with database() as postmaster, tempfile.TemporaryFile() as log:
        worker = processes.spawn(processes.worker("bench", concurrency=WORKERS), log.fileno())
        try:
            sleep(8)
            yield Site(worker, postmaster)
        finally:
            processes.end(worker)


def measure(site: Site, slug: str, count: int) -> EndToEnd:
    """Take `count` games of a ruleset in, accepted for a league, and wait for the last rating. Wall time."""
    return _timed(list(islice(different_games(slug), count)), site.worker, site.postmaster)


def _timed(texts: list[bytes], worker: "Popen[bytes]", postmaster: int) -> EndToEnd:
    from games import tasks  # noqa: PLC0415
    from games.models import Acceptance, Upload  # noqa: PLC0415

    spent = _cpu(worker.pid), _cpu(postmaster)
    begun = monotonic()
    hand_in(texts)
    tasks.ring()
    while Upload.objects.filter(done_at=None).exists():
        pause(worker)
    judged = monotonic() - begun
    while Upload.objects.filter(accepted_at=None).exists() or Acceptance.objects.filter(number=None).exists():
        pause(worker)
    rated, count = monotonic() - begun, len(texts)
    cpu = _cpu(worker.pid) - spent[0], _cpu(postmaster) - spent[1]
    return EndToEnd(count / judged, count / rated, cpu[0] / count, cpu[1] / count)


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


def pause(worker: "Popen[bytes]", seconds: float = 0.02) -> None:
    """Wait a moment, as long as the worker lives."""
    if worker.poll() is not None:
        raise SystemExit("the worker died")
    sleep(seconds)


def _cpu(process: int) -> float:
    """The CPU time of a process and of all that it has started, in seconds."""
    try:
        whole = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        started = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except FileNotFoundError:  # it has just ended, and its time is its parent's
        return 0.0
    return sum(map(int, whole[11:15])) / _TICKS + sum(_cpu(int(child)) for child in started)
