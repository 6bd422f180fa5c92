"""How long `make run` takes in a fresh clone of what is committed: at first, again, after a kill, and to end.

Packages are fetched for the first start, from where pip is set up to look for them, unless uv has kept them:
`UV_CACHE_DIR=$(mktemp -d) make bench OF=starts` fetches them all.
"""

import argparse
import os
import signal
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import NamedTuple

from atta_site.processes import ROOT, free_port, is_healthy
from bench.__main__ import machine, show

_A_WHILE = 3.0


class Run(NamedTuple):
    """A start and its end, in seconds."""

    answers: float
    ended: float


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench.starts", description=__doc__)
    options.add_argument("--rounds", type=int, default=3, help="of later starts the median of so many")
    rounds = options.parse_args().rounds
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="atta-starts-", ignore_cleanup_errors=True) as name:
        clone = Path(name) / "atta"
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(clone)], check=True)
        _show("first", [run(clone)])
        _show("again", [run(clone) for _ in range(rounds)])
        run(clone, how=signal.SIGKILL)
        _show("after a kill", [run(clone)])
    show(f"load {os.getloadavg()[0]:.1f}")


def run(clone: Path, how: signal.Signals = signal.SIGINT) -> Run:
    """Run a site until it has answered for a while; then end it as Ctrl-C does, or kill what watches over the rest."""
    port, begin = free_port(), monotonic()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    with subprocess.Popen(
        ["make", "run"], cwd=clone, env=environment | {"PORT": str(port)}, stdout=-3, start_new_session=True
    ) as site:
        while not is_healthy(f"http://localhost:{port}"):
            if site.poll() is not None:
                raise SystemExit("It ended by itself: make run")
            sleep(0.05)
        answers = monotonic() - begin
        sleep(_A_WHILE)
        asked = monotonic()
        os.killpg(site.pid, how)
        site.wait()
    return Run(answers, monotonic() - asked)


def _show(name: str, runs: list[Run]) -> None:
    answers, ended = (median(seconds) for seconds in zip(*runs, strict=True))
    show(f"{name:<14}answers after {answers:6.1f} s, ended after {ended:4.1f} s")


if __name__ == "__main__":
    main()
