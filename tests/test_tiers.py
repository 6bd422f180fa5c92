"""The tiers: what the quick one leaves out, and when all that is named runs."""

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from tests import tiers

PROJECT = Path(__file__).parents[1]
SUITE = """
import pytest
from tests.tiers import first_quick

def test_quick(): pass

@pytest.mark.full
def test_full(): pass

@pytest.mark.parametrize("case", first_quick([1, 2, 3]))
def test_cases(case): pass

@pytest.mark.parametrize("case", range(6))
def test_some(case): pass

@pytest.mark.one_in(1)
@pytest.mark.parametrize("case", range(6))
def test_every(case): pass

@pytest.mark.one_in(5)
@pytest.mark.parametrize("case", range(2))
def test_one(case): pass
"""
NOTHING = Namespace(file_or_dir=[], keyword="", markexpr="", lf=False)


def named(**options: object) -> Namespace:
    return Namespace(**vars(NOTHING) | options)


def run(folder: Path, *arguments: str) -> str:
    (folder / "test_suite.py").write_text(SUITE)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    full: slow\n    one_in: shared\n")
    environment = {name: value for name, value in os.environ.items() if name != tiers.TIER}
    command = [sys.executable, "-m", "pytest", "-p", "tests.tiers", "-p", "no:django", "-p", "no:cacheprovider"]
    environment["PYTHONPATH"] = str(PROJECT)
    said = subprocess.run(
        [*command, *arguments], cwd=folder, env=environment, stdout=-1, stderr=-2, text=True, check=True
    )
    return said.stdout


@pytest.mark.full
def test_the_quick_tier_leaves_out_what_is_marked_full_and_most_cases_and_counts_them(tmp_path: Path) -> None:
    closing = run(tmp_path, "--numprocesses", "2").splitlines()[-1]

    assert "11 passed, 8 deselected" in closing


@pytest.mark.full
def test_a_run_that_names_a_path_runs_all_of_it(tmp_path: Path) -> None:
    closing = run(tmp_path, "test_suite.py").splitlines()[-1]

    assert "19 passed" in closing
    assert "deselected" not in closing


@pytest.mark.parametrize(
    "options", [named(file_or_dir=["tests/engine"]), named(keyword="replay"), named(markexpr="full"), named(lf=True)]
)
def test_naming_tests_asks_for_the_full_tier(options: Namespace) -> None:
    assert tiers.chosen(None, options) == "full"


def test_without_names_the_quick_tier_runs_unless_another_is_given() -> None:
    assert tiers.chosen(None, NOTHING) == "quick"
    assert tiers.chosen("long", NOTHING) == "long"
    assert tiers.chosen("quick", named(keyword="replay")) == "quick"


def test_an_unknown_tier_is_refused() -> None:
    with pytest.raises(pytest.UsageError, match="TEST_TIER is quick, full or long, not 'fast'"):
        tiers.chosen("fast", NOTHING)


@pytest.mark.parametrize(
    ("named", "processes"), [("tests/test_a.py::test_b -k 'x or y'", 1), ("tests/a.py tests/b.py", 3), ("tests/a", 3)]
)
def test_one_file_is_tested_in_one_process(named: str, processes: int) -> None:
    command = ["make", "--dry-run", "test", f"ARGS={named}"]
    said = subprocess.check_output(command, cwd=PROJECT, env={"PATH": os.environ["PATH"]}, text=True)

    assert (" --numprocesses 3 " in said) == (processes == 3)
