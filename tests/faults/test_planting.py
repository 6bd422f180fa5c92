"""Planted bugs can still be planted; `python -m tests.faults.planting` sees that each is noticed."""

import pytest

from atta_site.processes import ROOT
from tests.faults.planting import Bug, bugs, main


@pytest.mark.parametrize("bug", bugs(), ids=lambda bug: bug.patch.stem)
def test_planted_bug_fits_the_code_and_names_its_tests(bug: Bug) -> None:
    bug.apply(ROOT, "--check")
    assert bug.tests
    assert {test for test in bug.tests if not (ROOT / test.partition("::")[0]).exists()} == set()


def test_there_are_twenty_planted_bugs() -> None:
    assert len(bugs()) >= 20


@pytest.mark.full
def test_a_planted_bug_is_noticed() -> None:
    assert main(["biased-numbers"]) == 0
