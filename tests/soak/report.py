"""The report of `make soak`, for people."""

import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir
from typing import Self

import pytest

from atta_site.processes import ROOT
from tests.revision import commit

_SLOWEST = 20
_LONGEST = 300
_WORST = ("failed", "skipped", "passed")


@dataclass(slots=True)
class Heard:
    """What became of each test."""

    collected: dict[str, None] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    tried: Counter[str] = field(default_factory=Counter)
    """How much was tried of what, as tests say by `record_property`."""
    errors: dict[str, str] = field(default_factory=dict)
    """What each failed test says first."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Why tests were skipped."""

    def add(self, report: pytest.TestReport) -> None:
        """Add a part of a test: what prepares it, itself, or what follows it."""
        name = report.nodeid
        self.outcomes[name] = min(report.outcome, self.outcomes.get(name, "passed"), key=_WORST.index)
        self.seconds[name] = self.seconds.get(name, 0.0) + report.duration
        if report.failed:
            self.errors.setdefault(name, _first_line(report))
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1
        if report.when == "teardown":
            self.tried.update({what: count for what, count in report.user_properties if isinstance(count, int)})

    def those(self, outcome: str) -> list[str]:
        """Return the tests with an outcome."""
        return [name for name, found in self.outcomes.items() if found == outcome]

    def not_run(self) -> list[str]:
        """Return the tests that did not begin."""
        return [name for name in self.collected if name not in self.outcomes]


def _first_line(report: pytest.TestReport) -> str:
    """Return the first line of an error, without paths of this machine."""
    crash = getattr(report.longrepr, "reprcrash", None)
    line = (crash.message if crash else str(report.longrepr or "")).partition("\n")[0]
    return re.sub(rf"({re.escape(str(ROOT))}|{re.escape(gettempdir())})[^\s'\"]*", "…", line)[:_LONGEST]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where, when and of what a report is."""

    commit: str
    machine: str
    begun: datetime
    ended: datetime
    hours: float
    """After which no test began; 0: all began."""
    loads: tuple[float, float, float]
    """When it began, at most, and when it ended."""

    @classmethod
    def here(cls, begun: datetime, ended: datetime, hours: float, loads: tuple[float, float, float]) -> Self:
        """Return what is so on this machine and in this tree."""
        return cls(commit(), _machine(), begun, ended, hours, loads)


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(models)} × {models[0]}, Python {platform.python_version()}, {platform.platform(terse=True)}"


def written(heard: Heard, around: Surroundings) -> str:
    """Return the report of a run."""
    parts = [
        ["# Soak", "", "Written by `make soak`. [Tests](../../docs/contributing/tests.md#soak) says what it does.", ""],
        _table(("", ""), _summary(heard, around)),
        _part("Tried", _table(("what", "how many"), sorted((what, f"{n:,}") for what, n in heard.tried.items()))),
        _part("Failed", [f"- `{name}`: {why}" for name, why in sorted(heard.errors.items())] or ["None."]),
        _part("Skipped", [f"- {count} × {reason}" for reason, count in sorted(heard.reasons.items())] or ["None."]),
        _part("Slowest", _table(("test", "seconds"), _slowest(heard))),
        _part("Files", _table(("file", "tests", "seconds", "result", "not begun"), _files(heard))),
    ]
    return "\n".join(line for part in parts for line in part).rstrip("\n") + "\n"


def _summary(heard: Heard, around: Surroundings) -> Iterator[tuple[str, str]]:
    first, most, last = around.loads
    yield "Commit", around.commit
    yield "Machine", around.machine
    yield "Load", f"{first:.1f} when it began, {most:.1f} at most, {last:.1f} when it ended"
    yield "Begun, ended", f"{around.begun:%Y-%m-%d %H:%M} to {around.ended:%Y-%m-%d %H:%M} (UTC)"
    yield "Began no test after", f"{60 * around.hours:g} minutes" if around.hours else "no limit"
    counts = [f"{len(heard.those(outcome)):,} {outcome}" for outcome in ("passed", "failed", "skipped")]
    yield "Tests", f"{', '.join(counts)}, {len(heard.not_run()):,} not begun"
    yield "Time of all tests together", f"{sum(heard.seconds.values()) / 60:.0f} minutes"


def _slowest(heard: Heard) -> list[tuple[str, str]]:
    slowest = sorted(heard.seconds.items(), key=lambda one: -one[1])[:_SLOWEST]
    return [(f"`{name}`", f"{seconds:.0f}") for name, seconds in slowest]


def _files(heard: Heard) -> Iterator[tuple[str, ...]]:
    run, left = Counter(map(_file, heard.outcomes)), Counter(map(_file, heard.not_run()))
    for name in sorted(run | left):
        outcomes = Counter(one for test, one in heard.outcomes.items() if _file(test) == name)
        result = ", ".join(f"{outcomes[one]} {one}" for one in reversed(_WORST) if outcomes[one])
        seconds = sum(spent for test, spent in heard.seconds.items() if _file(test) == name)
        yield name, str(run[name]), f"{seconds:.0f}", result, str(left[name] or "")


def _file(test: str) -> str:
    return test.partition("::")[0]


def _part(heading: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {heading}", "", *lines]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_row(heads), _row(["---"] * len(heads)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
