"""Pytest plugin of `make soak`: what only the long tier tries comes first, time is limited, and a report is written.

After `--soak-hours` no test begins any more; those that run then go on to their end. A test says how much it tried by
`record_property("inputs, changed at random", 50_000)`: the report has the sum of each.
"""

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests import tiers
from tests.soak.report import Heard, Surroundings, written

FIRST = (
    "tests/machines/", "tests/faults/", "tests/fuzzing/", "tests/atta_site/test_backup.py",
    "tests/atta_site/test_point_in_time.py",
)  # fmt: skip
"""What would be worst to leave out, and takes longest: several of them begin at once. Last among it, what restores."""
UNTIL = pytest.StashKey[float]()
"""The moment after which no test begins."""
_BY_TIER = {"by_tier": tiers.by_tier, "share": tiers.share, "LONG": True}
"""What a module uses that has more to try in the long tier."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `make soak`."""
    group = parser.getgroup("soak")
    group.addoption("--soak-report", type=Path, help="the file to write the report to")
    group.addoption("--soak-hours", type=float, default=0.0, help="begin no test after so many hours (0: all begin)")


def pytest_configure(config: pytest.Config) -> None:
    """Start the clock, unless this process runs tests for another one, which has started it."""
    if given := getattr(config, "workerinput", None):
        config.stash[UNTIL] = given["soak_until"]
        return
    hours = config.getoption("soak_hours")
    config.stash[UNTIL] = time.time() + 3600 * hours if hours else float("inf")
    if path := config.getoption("soak_report"):
        config.pluginmanager.register(Reporter(path, hours))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Tell a process that runs tests how long it may begin some."""
    node.workerinput["soak_until"] = node.config.stash[UNTIL]  # type: ignore[attr-defined]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put first what no other tier tries at this size."""
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> int:
    first = next((rank for rank, folder in enumerate(FIRST) if item.nodeid.startswith(folder)), len(FIRST))
    has_more = any(vars(item.module).get(name) is one for name, one in _BY_TIER.items())  # type: ignore[attr-defined]
    return 2 * first + (not has_more)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Pass over what would begin too late."""
    return True if time.time() > item.config.stash[UNTIL] else None


class Reporter:
    """Hears what becomes of each test, from whichever process, and writes it down in the end."""

    def __init__(self, path: Path, hours: float) -> None:
        """Begin."""
        self._path, self._hours = path, hours
        self._begun, self._loads = datetime.now(UTC), [os.getloadavg()[0]]
        self._heard = Heard()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note what there is to run, if this process runs it."""
        self._heard.collected.update(dict.fromkeys(item.nodeid for item in session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Note what another process has to run."""
        self._heard.collected.update(dict.fromkeys(ids))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a part of a test."""
        self._loads.append(os.getloadavg()[0])
        self._heard.add(report)

    def pytest_sessionfinish(self) -> None:
        """Write the report."""
        ended, loads = datetime.now(UTC), (self._loads[0], max(self._loads), os.getloadavg()[0])
        self._path.write_text(written(self._heard, Surroundings.here(self._begun, ended, self._hours, loads)))
