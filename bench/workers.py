"""Measures what more worker processes change: the same file, verified and rated by 1, 2 and 4 of them in one run.

All runs have one PostgreSQL, which has to write through to the disk, and begin with the same empty database. With
`--apart` PostgreSQL has the first core and everything else the second, so that one sees which of them is waited for.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Event, Thread
from typing import NamedTuple

import psycopg

from bench.__main__ import machine, show
from bench.archive import Archive, kept
from bench.end_to_end import Taken, member, take
from bench.played import KEPT
from bench.site import database, served
from bench.watch import family

_COUNTS = (1, 2, 4)
_EVERY = 0.03
"""Seconds between two looks at what PostgreSQL is doing."""
_DOING = """
SELECT coalesce(wait_event_type, 'computing') FROM pg_stat_activity
WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


class Doing:
    """What the connections were doing in PostgreSQL, each time somebody looked."""

    def __init__(self) -> None:
        self._looks, self._seen, self._over = 0, Counter[str](), Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look again and again meanwhile."""
        watch = Thread(target=self._watch)
        watch.start()
        try:
            yield
        finally:
            self._over.set()
            watch.join()

    def _watch(self) -> None:
        with closing(psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)) as connection:
            while not self._over.wait(_EVERY):
                self._looks += 1
                self._seen.update(kind for (kind,) in connection.execute(_DOING))

    def __str__(self) -> str:
        """Return how many connections did what, on average."""
        return ", ".join(f"{kind} {count / self._looks:.2f}" for kind, count in self._seen.most_common(5))


class Row(NamedTuple):
    """The figures of one number of worker processes."""

    workers: int
    taken: Taken
    doing: Doing

    def __str__(self) -> str:
        taken, games = self.taken, self.taken.games
        worker, postgres = (f"{1e6 * spent / games:>6,.0f}" for spent in (taken.worker, taken.database))
        busy = f"{taken.worker / taken.rated:.2f} + {taken.database / taken.rated:.2f}"
        return (
            f"{self.workers:>7}{taken.judged:>9.1f}{taken.rated:>8.1f}{games / taken.rated:>9,.0f}"
            f"{worker:>9}{postgres:>12}   {busy}   {self.doing}"
        )


def main() -> None:
    """Measure each number in turn, and print the figures."""
    chosen = _options().parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    archive = kept(KEPT / "workers", chosen.games)
    show(archive)
    with database() as postmaster:
        if chosen.apart:
            keep_apart(postmaster)
        keep_empty()
        show("workers  judged,  rated s  games/s  worker, PostgreSQL: µs a game, cores busy; connections in PostgreSQL")
        for workers in chosen.workers * chosen.rounds:
            empty_again()
            show(measure(postmaster, workers, archive))
    show(f"load {os.getloadavg()[0]:.1f}")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="python -m bench.workers", description=__doc__)
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--workers", type=int, nargs="+", default=list(_COUNTS))
    options.add_argument("--rounds", type=int, default=1, help="how often each number is measured")
    options.add_argument("--apart", action="store_true", help="PostgreSQL on one core, all else on another")
    return options


def measure(postmaster: int, workers: int, archive: Archive) -> Row:
    """Upload the file to a site with so many worker processes, and wait for its last rating."""
    doing = Doing()
    with served(postmaster, workers) as running, doing.watched():
        return Row(workers, take(running, archive, member()), doing)


def keep_apart(postmaster: int) -> None:
    """Give PostgreSQL the first core, and the second to this process with all that it starts."""
    first, second, *_ = sorted(os.sched_getaffinity(0))
    for process in family(postmaster):
        os.sched_setaffinity(process, {first})
    os.sched_setaffinity(0, {second})


def keep_empty() -> None:
    """Keep a copy of the database."""
    _on_server('CREATE DATABASE "empty" TEMPLATE "atta"')


def empty_again() -> None:
    """Put the copy in the place of the database."""
    _on_server('DROP DATABASE "atta" WITH (FORCE)', 'CREATE DATABASE "atta" TEMPLATE "empty"', "CHECKPOINT")


def _on_server(*statements: str) -> None:
    """Run statements with nobody in the database."""
    from django.db import connections  # noqa: PLC0415 (Django is set up by now)

    connections.close_all()
    server = os.environ["DATABASE_URL"].rpartition("/")[0]
    with closing(psycopg.connect(f"{server}/postgres", autocommit=True)) as connection:
        for statement in statements:
            connection.execute(statement)


if __name__ == "__main__":
    main()
