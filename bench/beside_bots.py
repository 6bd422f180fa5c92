"""How long the verdict on a game takes: with nobody else there, and beside games of bots that never pause."""

import argparse
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

from atta_site import processes
from bench import single
from bench.__main__ import machine, show
from bench.archive import Games
from bench.site import part, site

_RULESET = "ant-trails-2020"
_EVERY = 0.2
"""Seconds between two calls of the bots."""
_KEPT = 5
"""Seconds for which a call that finds them busy is kept."""


def main() -> None:
    """Measure."""
    asked = argparse.ArgumentParser(prog="make bench OF=beside_bots", description=__doc__)
    asked.add_argument("--games", type=int, default=50, help="that bots play at once, of all rulesets in turn")
    asked.add_argument("--singles", type=int, default=100, help="games to upload, one after another")
    chosen = asked.parse_args()
    os.environ["BOT_EXHIBITIONS"] = str(chosen.games)
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    games = (record.data for record in Games({_RULESET: 2 * chosen.singles}).of[_RULESET])
    with site() as running:
        show(f"nobody else there: {single.alone(running, islice(games, chosen.singles))}")
        with bots(chosen.games, running.pause):
            before = _actions()
            show(f"beside {chosen.games} games of bots: {single.alone(running, islice(games, chosen.singles))}")
            show(f"actions of bots meanwhile: {_actions() - before}")
    show(f"load {os.getloadavg()[0]:.1f}")


@contextmanager
def bots(games: int, pause: Callable[[], None]) -> Iterator[None]:
    """Have a worker for bots, one process as on `make run`, that always has something to do."""
    from games.models import Table  # noqa: PLC0415 (Django is set up by now)

    over = threading.Event()
    with part("bots", processes.worker("bots", concurrency=1, queue="bots")):
        calls = threading.Thread(target=_call, args=(over,))
        calls.start()
        try:
            while Table.objects.filter(state=Table.State.PLAYING).count() < games:
                pause()
            yield
        finally:
            over.set()
            calls.join()


def _call(over: threading.Event) -> None:
    from games import tasks  # noqa: PLC0415

    while not over.wait(_EVERY):
        tasks.exhibit.apply_async(expires=_KEPT)


def _actions() -> int:
    from games.models import TableAction  # noqa: PLC0415

    return TableAction.objects.count()


if __name__ == "__main__":
    main()
