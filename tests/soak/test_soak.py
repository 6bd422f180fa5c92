"""The soak: what comes first, when no test begins any more, and what its report says."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from atta_site.processes import ROOT
from tests.soak.report import Heard, Surroundings, written

SUITES = {
    "test_plain.py": "def test_plain(): pass",
    "test_more.py": """
        import pytest
        from tests.soak.plugin import UNTIL
        from tests.tiers import by_tier

        def test_more(record_property):
            record_property("inputs", by_tier(quick=1, long=500))

        def test_last(request):
            request.config.stash[UNTIL] = 0.0
    """,
    "tests/atta_site/test_backup.py": "def test_restoring(): pass",
    "tests/faults/test_breaking.py": """
        def test_breaking(tmp_path): raise ValueError(f"{tmp_path} is full")
    """,
}
BEGUN = datetime(2026, 3, 14, 15, 9, tzinfo=UTC)
MACHINE = Surroundings("0123", "a machine", BEGUN, BEGUN, 1.0, (0.5, 2.0, 1.0))


def soak(folder: Path, *arguments: str) -> tuple[list[str], str]:
    """Return the tests that ran, in order, and the report."""
    for name, text in SUITES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(line.removeprefix(8 * " ") for line in text.splitlines()))
    (folder / "pytest.ini").write_text("[pytest]\n")
    path = folder / "REPORT.md"
    plugins = ["-p", "tests.tiers", "-p", "tests.soak.plugin", "-p", "no:django", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--verbose", *plugins, "--soak-report", str(path), *arguments],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT), "TEST_TIER": "long"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    ran = [line.split("::")[1].split()[0] for line in done.stdout.splitlines() if "[" in line and "::" in line]
    return ran, path.read_text()


def test_what_only_the_long_tier_tries_comes_first_until_the_time_is_over(tmp_path: Path) -> None:
    ran, report = soak(tmp_path)

    assert ran == ["test_breaking", "test_restoring", "test_more", "test_last"]
    assert "| Tests | 3 passed, 1 failed, 0 skipped, 1 not begun |" in report
    assert "| test_plain.py | 0 | 0 |  | 1 |" in report


@pytest.mark.full
def test_processes_beside_each_other_keep_to_the_time_too(tmp_path: Path) -> None:
    ran, report = soak(tmp_path, "--numprocesses", "2", "--soak-hours", "1e-9")

    assert ran == []
    assert "| Tests | 0 passed, 0 failed, 0 skipped, 5 not begun |" in report


@pytest.mark.full
def test_report_hears_of_all_processes(tmp_path: Path) -> None:
    _, report = soak(tmp_path, "--numprocesses", "2", "--soak-hours", "10", "--deselect", "test_more.py::test_last")

    assert "| Began no test after | 600 minutes |" in report
    assert "- `tests/faults/test_breaking.py::test_breaking`: ValueError: … is full" in report
    assert "| inputs | 500 |" in report
    assert "0 not begun" in report


def test_report_names_what_failed_and_sums_up_what_was_tried() -> None:
    heard = Heard(collected={"a.py::one": None, "a.py::two": None, "b.py::three": None})
    heard.add(part("a.py::one", "call", "passed"))
    heard.add(part("a.py::one", "teardown", "failed", ("faults", 3)))
    heard.add(part("a.py::two", "teardown", "passed", ("faults", 4)))
    report = written(heard, MACHINE)

    assert "| Tests | 1 passed, 1 failed, 0 skipped, 1 not begun |" in report
    assert "| a.py | 2 | 6 | 1 passed, 1 failed |  |" in report
    assert "| faults | 7 |" in report
    assert "- `a.py::one`" in report


def part(name: str, when: str, outcome: str, *tried: tuple[str, int]) -> pytest.TestReport:
    return pytest.TestReport(
        name, ("", None, ""), {}, outcome, None, when, duration=2.0, user_properties=list(tried)  # type: ignore[arg-type]
    )  # fmt: skip
