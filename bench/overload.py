"""Measures what a visitor notices while one account and several addresses ask for the most that is allowed.

It sends what `tests/faults/test_overload.py` sends, to a site with the usual limits and one web process.
"""

import argparse
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from secrets import token_urlsafe
from statistics import median

from bench.__main__ import machine, show
from bench.played import KEPT
from tests import migrated
from tests.faults.overloading import LOADS, WATCHED, Watch, site_with_the_longest_games


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="make bench OF=overload", description=__doc__)
    options.add_argument("--only", choices=tuple(LOADS), action="append", help="some of it")
    chosen = options.parse_args()
    os.environ |= {
        migrated.KEPT: str(KEPT / "postgres"),
        "SECRET_KEY": token_urlsafe(50),
        "ALLOWED_HOSTS": "localhost",
        "PLAIN_HTTP": "1",
        "CELERY_BROKER_URL": "redis://127.0.0.1",
        "STATIC_ROOT": str(KEPT / "static"),
    }
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with (
        tempfile.TemporaryDirectory(prefix="atta-bench-", ignore_cleanup_errors=True) as folder,
        site_with_the_longest_games(Path(folder) / "site") as site,
    ):
        heads = [f"`{path}` median, longest, computing" for path in WATCHED]
        show("| meanwhile | answers | " + " | ".join(heads) + " | RSS, PSS in MB |\n|" + " --- |" * 5)
        for name in chosen.only or LOADS:
            watch = Watch(site)
            begin = time.monotonic()
            with watch.watching():
                statuses = LOADS[name][0](site)
            took = time.monotonic() - begin
            computed = watch.computed
            waits = [
                f"{median(one):.3f}, {max(one):.3f}, {max(computed[path]):.2f} s" for path, one in watch.waits.items()
            ]
            memory = f"{watch.memory / 1e6:.0f}, {watch.shared_out / 1e6:.0f}"
            cells = [f"{name} {took:.1f} s", dict(Counter(statuses)), *waits, memory]
            show(f"| {' | '.join(map(str, cells))} |")
            site.let_pass(1)
    show(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
