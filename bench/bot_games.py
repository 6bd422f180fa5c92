"""Measures how fast built-in bots act when they play many games at once, in two processes like the worker for bots."""

import argparse
import os
from collections.abc import Callable
from multiprocessing import get_context
from statistics import median, quantiles
from time import monotonic, process_time

import django

from bench.__main__ import machine, show
from bench.site import WORKERS, database

Action = tuple[float, float]
"""What an action took, found, chosen and stored: seconds, and seconds of CPU."""


def main() -> None:
    """Let the bots play, and print how long an action takes."""
    chosen = _options().parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with database():
        _open(chosen.games)
        began = monotonic()
        # Not forked: Celery, which the thread that calls the bots has just begun to load, would stay half loaded there.
        with get_context("spawn").Pool(WORKERS, django.setup) as pool:
            found = pool.map(_play, [chosen.rounds] * WORKERS)
        _print(
            [one for actions, _ in found for one in actions], sum(failed for _, failed in found), monotonic() - began
        )
        show(_states())
    show(f"load {os.getloadavg()[0]:.1f}")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="python -m bench.bot_games", description=__doc__)
    options.add_argument("--games", type=int, default=200, help="that are played at once, of all rulesets in turn")
    options.add_argument("--rounds", type=int, default=40, help="how often each process looks after every table")
    return options


def _open(games: int) -> None:
    from django.utils import timezone  # noqa: PLC0415

    from games.bots import exhibiting  # noqa: PLC0415

    exhibiting.keep_going(games, now=timezone.now())


def _play(rounds: int) -> tuple[list[Action], int]:
    """Act repeatedly at every table that no other process holds. :returns: the actions, and how many failed."""
    from django.utils import timezone  # noqa: PLC0415

    from games.bots import acting, reads  # noqa: PLC0415

    took, failed = list[Action](), 0
    for _ in range(rounds):
        for key in list(reads.exhibitions().values_list("key", flat=True)):
            alarmed = set[str]()
            one = _timed(lambda key=key, alarmed=alarmed: acting._act_next(  # type: ignore[misc] # noqa: SLF001 (what a task does)
                reads.exhibitions().filter(key=key), alarmed, timezone.now))  # fmt: skip
            took += [one] if one else []
            failed += len(alarmed)
    return took, failed


def _timed(act: Callable[[], object]) -> Action | None:
    """Return the time that an action took; None if there was nothing to do."""
    begun, used = monotonic(), process_time()
    return (monotonic() - begun, process_time() - used) if act() else None


def _print(took: list[Action], failed: int, lasted: float) -> None:
    show(f"{len(took):,} actions in {lasted:.0f} s, {failed} errors")
    for name, seconds in zip(("time", "CPU"), zip(*took, strict=True), strict=True):
        most = quantiles(seconds, n=100)[-1]
        show(f"an action, {name}: median {1000 * median(seconds):.1f} ms, 99 of 100 within {1000 * most:.1f} ms")


def _states() -> str:
    from django.db.models import Count  # noqa: PLC0415

    from games.models import Table, TableAlarm  # noqa: PLC0415

    states = Table.objects.values_list("state").annotate(Count("pk")).order_by("state")
    return f"games: {', '.join(f'{count} {state}' for state, count in states)}; {TableAlarm.objects.count()} alarms"


if __name__ == "__main__":
    main()
