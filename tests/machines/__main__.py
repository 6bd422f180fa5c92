"""`python -m tests.machines`: run the drill with several machines and write a report."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.faults import harness
from tests.faults.__main__ import prepare
from tests.faults.parcels import parcels
from tests.machines import drill, network, servers
from tests.machines.report import ended_like, written


def main() -> int:
    """Run the drill; return 1 if anything was lost, doubled or changed, or a reader refused, and 2 if it cannot run."""
    asked = _asked()
    if why := missing():
        sys.stderr.write(f"There can be no drill here: {why}.\n")
        return 2
    if network.APART not in os.environ:
        return network.apart("tests.machines", sys.argv[1:]).returncode
    prepare()
    size = drill.Size(asked.hold, lease=10, files_each=asked.files, files_timed=asked.timed)
    files = parcels(asked.seed, drill.needed(size), most=asked.most)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="atta-machines-", ignore_cleanup_errors=True) as name:
        quiet = harness.Size(0, hang=0, lease=10)
        without = harness.run(Path(name) / "without", files, asked.seed, quiet, _say)
        outcome = drill.run(Path(name) / "machines", files, size, _say)
        if asked.keep:
            for log in (Path(name) / "machines").glob("**/*.log"):
                (asked.keep / log.name).write_bytes(log.read_bytes())
    load = " to ".join(f"{one:.0f}" for one in sorted({os.getloadavg()[0], os.getloadavg()[2]}))
    text = written(outcome, without.state, files, size=size, seconds=time.monotonic() - begun, load=load)
    _say(text)
    if asked.report:
        asked.report.write_text(text)
    return int(bool(outcome.flaws or outcome.refused or not ended_like(outcome, without.state)))


def missing() -> str:
    """Return why the drill cannot run here; empty if it can."""
    return "" if network.APART in os.environ else network.missing() or servers.missing()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.machines", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1, help="draws the files (default: 1)")
    parser.add_argument("--hold", type=float, default=8, help="seconds for which something is broken (default: 8)")
    parser.add_argument("--files", type=int, default=2, help="uploaded during each fault (default: 2)")
    parser.add_argument("--timed", type=int, default=40, help="with which workers are timed (default: 40)")
    parser.add_argument("--most", type=int, default=200, help="records in a file at most (default: 200)")
    parser.add_argument("--report", type=Path, help="the file to write the report to")
    parser.add_argument("--keep", type=Path, help="a folder to keep the logs in")
    return parser.parse_args()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
