"""Measures `verify --json` as a whole process beside the engine's own time on the same file.

CPU time is compared, in turn; the time on the clock shows what `--jobs` gains.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import NamedTuple

from bench.__main__ import machine, show
from bench.archive import Games
from bench.played import SOURCES
from engine.verify import verify_file


class Spent(NamedTuple):
    """What a process took, in seconds."""

    cpu: float
    clock: float


def main() -> None:
    """Measure, and print the figures."""
    options = argparse.ArgumentParser(prog="make bench OF=command_line", description=__doc__)
    options.add_argument("--games", type=int, nargs="*", default=(10_000, 50_000), help="of all rulesets, in one file")
    options.add_argument("--rounds", type=int, default=5, help="the median of so many")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes of the last column")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    games = Games(dict.fromkeys(SOURCES, max(chosen.games) // len(SOURCES)))
    records = [record.data for record in islice(games.mixed(), max(chosen.games))]
    with tempfile.TemporaryDirectory(prefix="atta-bench-") as folder:
        for count in (0, *chosen.games):
            _compare(Path(folder) / "games.agn", records[:count], rounds=chosen.rounds, jobs=chosen.jobs)
    show(f"load {os.getloadavg()[0]:.1f}")


def _compare(path: Path, records: Sequence[bytes], *, rounds: int, jobs: int) -> None:
    """Print one file's line."""
    path.write_bytes(b"\n".join(records))
    taken = [(_engine(path), _command(path), _command(path, "--jobs", str(jobs))) for _ in range(rounds)]
    engine, whole, shared = zip(*taken, strict=True)
    times = [one.cpu / alone for one, alone in zip(whole, engine, strict=True) if records]
    show(
        f"{len(records):>9,} records: the engine {median(engine):.2f} s of CPU,"
        f" verify --json {median(one.cpu for one in whole):.2f} s {f'({median(times):.2f} times)' if times else ''},"
        f" {median(one.clock for one in whole):.2f} s on the clock,"
        f" {median(one.clock for one in shared):.2f} s with --jobs {jobs}"
    )


def _engine(path: Path) -> float:
    """Return the CPU time of the verdicts alone."""
    data = path.read_bytes()
    begun = process_time()
    for _ in verify_file(io.BytesIO(data)):
        pass
    return process_time() - begun


def _command(path: Path, *words: str) -> Spent:
    """Run the command. :raises SystemExit: when it fails otherwise than for broken games."""
    begun = monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "engine", "verify", "--json", *words, path], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in {0, 1}:
        raise SystemExit(f"verify ended with {status}")
    return Spent(used.ru_utime + used.ru_stime, monotonic() - begun)


if __name__ == "__main__":
    main()
