"""`python -m tests.faults`: run the faults in any size and write a report."""

import argparse
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path

from atta_site import processes
from tests import migrated
from tests.faults.harness import Size, run
from tests.faults.parcels import parcels
from tests.faults.plan import Broker, Kind
from tests.faults.report import written


def main() -> int:
    """Run the site once without faults and once with them; return 1 if anything was lost, doubled or changed."""
    asked = _asked()
    prepare()
    files = parcels(asked.seed, asked.files, most=asked.most)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="atta-faults-", ignore_cleanup_errors=True) as name:
        broker = Broker(asked.broker)
        quiet = Size(0, hang=0, lease=asked.lease, broker=broker)
        whole = Size(
            asked.faults,
            hang=asked.hang,
            lease=asked.lease,
            kinds=_kinds(asked.only),
            broker=broker,
            changes=asked.changes,
        )
        without = run(Path(name) / "without", files, asked.seed, quiet, _say)
        _say(f"without faults: {len(without.state)} bytes, {len(without.flaws)} flaws")
        outcome = run(Path(name) / "with", files, asked.seed, whole, _say)
    text = written(outcome, without, files, seed=asked.seed, size=whole, seconds=time.monotonic() - begun)
    _say(text)
    if asked.report:
        asked.report.write_text(text)
    return int(bool(outcome.flaws or without.flaws or not outcome.ended_like(without)))


def prepare() -> None:
    """Name the folders kept between runs, and what is needed to migrate a database for the first time."""
    kept = processes.ROOT / "var" / "faults"
    kept.mkdir(parents=True, exist_ok=True)
    given = {
        migrated.KEPT: str(kept / "postgres"),
        "STATIC_ROOT": str(kept / "static"),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "localhost",
        "CELERY_BROKER_URL": "redis://127.0.0.1/0",
    }
    os.environ |= {name: value for name, value in given.items() if name not in os.environ}


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1, help="draws files and faults (default: 1)")
    parser.add_argument("--faults", type=int, default=len(Kind), help="how many (default: one of each kind)")
    parser.add_argument("--files", type=int, default=60, help="how many are uploaded (default: 60)")
    parser.add_argument("--most", type=int, default=80, help="records in a file at most (default: 80)")
    parser.add_argument("--hang", type=float, default=30, help="seconds for which servers hang (default: 30)")
    parser.add_argument(
        "--changes", type=int, default=2_100, help="MiB to replay for everything_changed (default: 2100)"
    )
    parser.add_argument("--lease", type=int, default=10, help="seconds of VERIFICATION_LEASE (default: 10)")
    brokers = [str(broker) for broker in Broker]
    parser.add_argument("--broker", choices=brokers, default=brokers[0], help="which broker (default: %(default)s)")
    parser.add_argument("--only", default="", help=f"some kinds, separated by commas: {', '.join(_names())}")
    parser.add_argument("--report", type=Path, help="the file to write the report to")
    return parser.parse_args()


def _names() -> list[str]:
    return [kind.name.lower() for kind in Kind]


def _kinds(only: str) -> tuple[Kind, ...]:
    return tuple(Kind[name.strip().upper()] for name in only.split(",")) if only else tuple(Kind)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
