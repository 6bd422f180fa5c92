"""Measures the memory of an idle site as `make run` starts it: each of its processes, and all of them.

PSS counts a page that several processes share in equal parts, so the parts add up to what the site takes (proc(5)).
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from atta_site.processes import ROOT, free_port
from bench.__main__ import machine, show
from bench.watch import family
from tests.faults.overloading import in_proportion

_KINDS = {
    "atta_site.run": "supervisor",
    "celery --app atta_site --quiet beat": "beat",
    "celery --app atta_site --quiet worker": "worker",
    "atta_site.asgi": "web",
    "postgres": "PostgreSQL",
    "valkey-server": "Valkey",
}
_IS_UP = "Ctrl-C stops it"


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="make bench OF=memory", description=__doc__)
    options.add_argument("--settle", type=float, default=60, help="seconds between the start and the measurement")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="atta-bench-") as folder, _running(Path(folder)) as site:
        time.sleep(chosen.settle)
        found = defaultdict[str, list[float]](list)
        for process in family(site.pid):
            with suppress(OSError):
                found[_kind(process)].append(in_proportion(process) / 2**20)
    show("| | processes | MiB each | MiB |\n| --- | --- | --- | --- |")
    for kind, sizes in sorted(found.items(), key=lambda one: -sum(one[1])):
        show(f"| {kind} | {len(sizes)} | {min(sizes):.0f} to {max(sizes):.0f} | {sum(sizes):.0f} |")
    every = [size for sizes in found.values() for size in sizes]
    show(f"| all | {len(every)} | | {sum(every):.0f} |")


@contextmanager
def _running(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a site of its own, and yield it once its sample games are there."""
    environment = os.environ | {"PORT": str(free_port())}
    command = [sys.executable, "-m", "atta_site.run", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as site:
        try:
            if not any(_IS_UP in line for line in site.stdout or ()):
                raise SystemExit("the site did not start")
            yield site
        finally:
            site.send_signal(signal.SIGINT)
            site.communicate()


def _kind(process: int) -> str:
    command = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return next((kind for sign, kind in _KINDS.items() if sign in command), command.split(" ")[0])


if __name__ == "__main__":
    main()
