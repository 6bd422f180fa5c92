"""Measures how long records take that killed workers left behind, from the start of new workers to the last verdict."""

import argparse
import os
from time import monotonic, sleep

from atta_site import processes
from bench.__main__ import machine, show
from bench.archive import Games
from bench.played import SOURCES
from bench.site import LOGS, WORKERS, database, has_worker, part
from bench.watch import cpu

_PATIENCE = 600.0
_LEASE = 1
"""Seconds for which the killed workers had claimed their records."""


def main() -> None:
    """Measure, and print the figures."""
    options = argparse.ArgumentParser(prog="make bench OF=lapsed", description=__doc__)
    options.add_argument("--games", type=int, default=5_000, help="records, of all rulesets in turn")
    options.add_argument("--kills", type=int, default=1, choices=(1, 2), help="how often workers were killed over each")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with database() as server:
        _upload(chosen.games)
        for _ in range(chosen.kills):
            _claim_and_abandon()
        show(f"{_lapsed():,} of {chosen.games:,} records left behind")
        _judge(chosen.games, server)
    show(f"load {os.getloadavg()[0]:.1f}")


def _upload(count: int) -> None:
    from bench.through_worker import upload_records  # noqa: PLC0415 (Django is set up by now)

    mixed = Games(dict.fromkeys(SOURCES, count // len(SOURCES))).mixed()
    upload_records([record.data for record, _ in zip(mixed, range(count), strict=False)])


def _claim_and_abandon() -> None:
    """Claim all records as workers do, in batches, and let the leases expire without a verdict."""
    from django.conf import settings  # noqa: PLC0415

    from games.verification import queue  # noqa: PLC0415

    settings.VERIFICATION_LEASE = 3_600
    while queue.claim():
        pass
    _expire()


def _expire() -> None:
    from django.db.models.functions import Now  # noqa: PLC0415

    from games.models import MoveLog  # noqa: PLC0415

    MoveLog.objects.filter(state=MoveLog.State.RUNNING).update(leased_until=Now())


def _lapsed() -> int:
    from games.models import MoveLog  # noqa: PLC0415
    from games.verification.reads import lapsed  # noqa: PLC0415

    return MoveLog.objects.filter(lapsed()).count()


def _judge(games: int, server: int) -> None:
    """Start new workers, and print how long they take from their first task to the last verdict."""
    from games import tasks  # noqa: PLC0415

    begun = monotonic()
    with part("worker", processes.worker("bench", concurrency=WORKERS)) as worker:
        while not has_worker():
            _pause(begun, worker.poll())
        ready, used = monotonic(), (cpu(worker.pid), cpu(server))
        show(f"{WORKERS} workers are ready after {ready - begun:.1f} s")
        tasks.wake_workers()
        while _waiting():
            _pause(begun, worker.poll())
        taken = monotonic() - ready
        ours, theirs = cpu(worker.pid) - used[0], cpu(server) - used[1]
    show(f"all judged after {taken:.1f} s ({games / taken:,.0f} a second)")
    show(f"CPU: {ours:.1f} s of the workers, {theirs:.1f} s of PostgreSQL")


def _waiting() -> bool:
    from games.models import MoveLog  # noqa: PLC0415

    return MoveLog.objects.exclude(state=MoveLog.State.JUDGED).exists()


def _pause(begun: float, ended: int | None) -> None:
    if ended is not None or monotonic() > begun + _PATIENCE:
        raise SystemExit(f"the records are not judged: {LOGS}")
    sleep(0.05)


if __name__ == "__main__":
    main()
