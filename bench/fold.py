"""Measures a large ledger: a million due games are rated, then one more, some are annulled, and all is recomputed.

`make bench OF=fold` uses its own servers, which write through to the disk.
"""

import argparse
import os
import resource
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter, process_time

from atta_site import embedded
from bench.__main__ import machine

PART = 50_000
"""Games made up at once."""
DEPTHS = (1, 1_000, 10_000, 100_000, 1_000_000)
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def main() -> None:
    """Measure, and print the figures."""
    options = argparse.ArgumentParser(prog="python -m bench.fold", description=__doc__)
    options.add_argument("--games", type=int, default=1_000_000)
    options.add_argument("--players", type=int, default=100_000)
    options.add_argument("--singles", type=int, default=500, help="games accepted one by one")
    options.add_argument("--depths", type=int, nargs="*", default=DEPTHS, help="which games from the end are annulled")
    chosen = options.parse_args()
    print(machine(), flush=True)
    with servers():
        fill(chosen.games, chosen.players)
        fold(chosen.games)
        verify(chosen.games)
        singles(chosen.singles, chosen.games, chosen.players)
        annul(depth for depth in chosen.depths if depth <= chosen.games)
        verify(chosen.games + chosen.singles)


@contextmanager
def servers() -> Iterator[None]:
    """Run a PostgreSQL that survives a power cut, with empty tables."""
    with (
        tempfile.TemporaryDirectory(prefix="atta-bench-") as folder,
        embedded.servers(Path(folder) / "servers") as pair,
    ):
        pair.start()
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "atta_site.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "localhost",
            "DATABASE_URL": pair.postgres.url,
            "CELERY_BROKER_URL": pair.valkey.url,
            "LOG_LEVEL": "WARNING",
        }
        import django  # noqa: PLC0415 (the environment comes first)
        from django.core.management import call_command  # noqa: PLC0415

        django.setup()
        call_command("migrate", verbosity=0)
        yield


def fill(games: int, players: int) -> None:
    """Make up games that are due."""
    from tests.games.fabricated import evenings, fabricate  # noqa: PLC0415

    begun = perf_counter()
    played = evenings(games, players, Random(1))
    for first in range(0, games, PART):
        fabricate(
            (game for _, game in zip(range(min(PART, games - first)), played, strict=False)), players, first=first
        )
    analyze()
    show("made up and due", perf_counter() - begun, games)


def analyze() -> None:
    """Do what the server would do by itself within a minute or so."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def fold(games: int) -> None:
    """Accept all that is due."""
    from games.ratings.acceptance import BATCH, accept_due  # noqa: PLC0415

    begun = last = perf_counter()
    worked, done = work(), 0
    while accepted := accept_due(now=NOW, watch=False):
        done += accepted
        if done % (100 * BATCH) == 0:
            show(f"  to {done:,}", perf_counter() - last, 100 * BATCH)
            last = perf_counter()
    show("accepted and rated", perf_counter() - begun, games)
    print(f"{'':<22}{work() - worked:>8.1f} s of work of both processes, without waiting for others", flush=True)
    print(f"{'':<22}{size()} on disk", flush=True)


def work() -> float:
    """Return the CPU time of this process and of its server process, in seconds, however busy the machine is."""
    from django.db import connection  # noqa: PLC0415

    connection.ensure_connection()
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text().rpartition(")")[2].split()
    return process_time() + (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def size() -> str:
    """Return the size of the database."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        return str(cursor.fetchone()[0])


def verify(games: int) -> None:
    """Recompute all of it in a separate process."""
    begun = perf_counter()
    process = subprocess.Popen([sys.executable, "manage.py", "ratings", "verify"])
    _, status, used = os.wait4(process.pid, 0)
    show("ratings verify", perf_counter() - begun, games)
    print(f"{'':<22}status {status}, {used.ru_maxrss / 1024:,.0f} MiB at most", flush=True)


def singles(count: int, first: int, players: int) -> None:
    """Accept games one by one, as a page does after the last confirmation."""
    from games.ratings.acceptance import accept_due  # noqa: PLC0415
    from tests.games.fabricated import evenings, fabricate  # noqa: PLC0415

    def one(number: int, game: object) -> float:
        fabricate([game], players, first=first + number)  # type: ignore[list-item]
        return timed(lambda: accept_due(now=NOW, watch=False))

    analyze()
    took = sorted(one(number, game) for number, game in enumerate(evenings(count, players, Random(2))))
    cuts = quantiles(took, n=100)
    print(f"{'one game more':<22}p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms", flush=True)


def annul(depths: Iterator[int]) -> None:
    """Annul games some way back."""
    from games.corrections.rerating import Instruction, order_annulment, perform  # noqa: PLC0415
    from games.models import Acceptance, Correction  # noqa: PLC0415
    from games.ratings.sequence import last_place  # noqa: PLC0415

    for depth in depths:
        game = Acceptance.objects.get(number=last_place() - depth + 1)
        correction = order_annulment(game, Instruction(None, "a measurement", NOW))
        took = timed(lambda correction=correction: perform(correction, now=NOW))  # type: ignore[misc]
        changed = Correction.objects.get(pk=correction.pk).changed
        print(f"{f'annulled {depth:,} back':<22}{took:,.2f} s, {changed:,} entries", flush=True)


def timed(work: Callable[[], object]) -> float:
    """Return how long something takes, in seconds."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def show(what: str, seconds: float, games: int) -> None:
    """Print a figure."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:<22}{seconds:>8.1f} s {games / seconds:>10,.0f} games/s   (this process: {own:,.0f} MiB)", flush=True)


if __name__ == "__main__":
    main()
