"""Measures the cost of a game from file to rating, stage by stage, in one process: its CPU time and PostgreSQL's.

CPU time does not include waiting, so the figures are useful on a busy machine, too. Two workers on two free cores do
two seconds of this work in a second, as long as neither waits for the other.
"""

import argparse
import gc
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, TypeVar

from bench import through_worker
from bench.distinct import different_games
from bench.played import SOURCES
from bench.site import database

if TYPE_CHECKING:
    from engine.agn.log import Record
    from games.uploads.splitting import Judged
    from games.verification.queue import Lease
    from games.verification.store import Found

_GAMES = 3_000
AWAITED = "await"
"""The part of storing that has new games indexed later, done once more by itself."""
INDEXED = "index"
"""What is done later, when nothing waits to be verified: the index of positions and openings."""
Result = TypeVar("Result")


class Stages:
    """The CPU time of each stage, in seconds: this process's, and the database's."""

    def __init__(self, backend: int) -> None:
        self._backend = Path(f"/proc/{backend}/schedstat")
        self.spent: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def of(self, name: str, work: Callable[[], Result]) -> Result:
        """Do some work and add its time to a stage."""
        ours, theirs = process_time(), self._theirs()
        try:
            return work()
        finally:
            so_far = self.spent[name]
            self.spent[name] = [so_far[0] + process_time() - ours, so_far[1] + self._theirs() - theirs]

    def _theirs(self) -> float:
        return int(self._backend.read_text().split()[0]) / 1e9


def measure(texts: list[bytes], *, at_once: bool) -> dict[str, list[float]]:
    """Upload games for a club, verify and rate them, as workers do.

    :param at_once: as one archive, whose records are all judged while it is split.
    """
    from django.utils import timezone  # noqa: PLC0415 (Django is set up by now)

    from games.clubs import organising  # noqa: PLC0415
    from games.ratings.acceptance import accept_due  # noqa: PLC0415
    from games.search.waiting import index_waiting  # noqa: PLC0415
    from games.verification import queue  # noqa: PLC0415

    stages = Stages(_backend())
    if at_once:
        _split(stages, texts)
    else:
        stages.of("file", lambda: through_worker.upload_records(texts))
    while claims := stages.of("claim", queue.claim):
        for stage, work in _judging(claims):
            stages.of(stage, work)
    stages.of("due", lambda: organising.accept_judged_uploads(now=timezone.now(), has_time=lambda: True))
    while stages.of("rate", lambda: accept_due(now=timezone.now(), watch=False)):
        pass
    stages.of(INDEXED, lambda: index_waiting(has_time=lambda: True))
    return stages.spent


def _split(stages: Stages, texts: list[bytes]) -> None:
    """Split an archive, and judge its records at once."""
    from datetime import datetime  # noqa: PLC0415

    from django.utils import timezone  # noqa: PLC0415

    from games.uploads import splitting  # noqa: PLC0415
    from games.uploads.splitting import Judged  # noqa: PLC0415
    from games.verification.at_once import AtOnce  # noqa: PLC0415

    class Watched(AtOnce):
        def is_wanted(self) -> bool:
            return True

        def judge(self, records: "Sequence[Record]", *, now: datetime) -> "Judged":
            count, store = stages.of("judge", lambda: super(Watched, self).judge(records, now=now))
            return Judged(count, lambda upload, placed: stages.of("store", lambda: store(upload, placed)))

    stages.of("whole", lambda: through_worker.store_archive(texts))
    splitter = splitting.claim()
    if splitter is None:
        raise SystemExit("another file is being split")
    steps = splitting.split(splitter, clock=timezone.now, pulse=lambda: None, judge=Watched())
    stages.of("whole", lambda: sum(steps))
    parts = stages.spent["judge"], stages.spent["store"]
    stages.spent["file"] = [one - sum(of_it) for one, *of_it in zip(stages.spent.pop("whole"), *parts, strict=True)]


def _judging(claims: "list[Lease]") -> Iterator[tuple[str, Callable[[], object]]]:
    from django.utils import timezone  # noqa: PLC0415

    from engine.verify import ENGINE_VERSION, verify  # noqa: PLC0415
    from games.verification.store import Found, store_together  # noqa: PLC0415

    found: list[Found] = []
    now = timezone.now()
    yield "judge", lambda: found.extend(Found(one.log.pk, one.fence, verify(one.record())) for one in claims)
    yield "store", lambda: store_together(found, engine=ENGINE_VERSION, now=now, at=now)
    with _without_what_waits(found) as games:
        yield AWAITED, lambda: _await(games)


@contextmanager
def _without_what_waits(found: "list[Found]") -> Iterator[list[int]]:
    """Yield the legal games of verdicts while they do not wait to be indexed."""
    from django.db import transaction  # noqa: PLC0415

    from games.models import MoveLog, UnindexedGame  # noqa: PLC0415

    legal = MoveLog.objects.filter(pk__in=[one.log for one in found]).exclude(record_digest="")
    with transaction.atomic():
        games = [game for game in legal.values_list("game", flat=True) if game]
        UnindexedGame.objects.filter(game__in=games).delete()
        yield games
        transaction.set_rollback(True)


def _await(games: list[int]) -> None:
    """Have games indexed later, with the checks that a commit makes."""
    from django.db import connection  # noqa: PLC0415

    from games.search.waiting import await_index  # noqa: PLC0415

    await_index(games)
    connection.check_constraints()


def _backend() -> int:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@contextmanager
def _as_a_worker() -> Iterator[None]:
    """Collect garbage as rarely as a worker does."""
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(50_000)
    yield
    gc.set_threshold(*before)


def main() -> None:
    """Measure, and print the figures."""
    options = argparse.ArgumentParser(prog="python -m bench.stages", description=__doc__)
    options.add_argument("--only", choices=tuple(SOURCES), action="append", help="rulesets")
    options.add_argument("--games", type=int, default=_GAMES)
    options.add_argument("--at-once", action="store_true", help="as an archive, judged while it is split")
    chosen = options.parse_args()
    with database():
        for slug in chosen.only or tuple(SOURCES):
            texts = list(islice(different_games(slug), chosen.games))
            with _as_a_worker():
                _print(slug, measure(texts, at_once=chosen.at_once), chosen.games)


def _print(slug: str, spent: dict[str, list[float]], games: int) -> None:
    print(f"{slug}: µs of CPU a game, ours + PostgreSQL's")
    for stage, (ours, theirs) in spent.items():
        print(f"  {stage:<8}{1e6 * ours / games:>7.0f} +{1e6 * theirs / games:>5.0f}")
    awaited, index = sum(spent.pop(AWAITED, (0.0, 0.0))), sum(spent.pop(INDEXED, (0.0, 0.0)))
    ours, theirs = (sum(each) / games for each in zip(*spent.values(), strict=True))
    print(f"  {'all':<8}{1e6 * ours:>7.0f} +{1e6 * theirs:>5.0f}   two free cores: {2 / (ours + theirs):,.0f} games/s")
    verified = sum(sum(spent.get(stage, (0.0,))) for stage in ("claim", "judge", "store")) - awaited
    print(f"  the index adds {100 * awaited / verified:.1f}% to claiming, judging and storing without it,")
    print(f"  and when nothing waits to be verified {100 * index / verified:.1f}% as much again")


if __name__ == "__main__":
    main()
