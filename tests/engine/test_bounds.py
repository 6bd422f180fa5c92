"""No record takes much work to verify: measured in calls instead of seconds, so results are the same everywhere."""

from functools import partial

import pytest

from engine.registry import RULESETS
from engine.verify import verify
from tests.engine.worst import calls, longest_game, peak, record_of, worst
from tests.strategies import AnyRuleset

CALLS = 1_500_000
"""About ten million calls of the cheap kind in long records take a second of CPU."""
HELD = 64 * 2**20


@pytest.mark.parametrize("name", worst())
def test_worst_case_record_is_verified_in_bounded_work(name: str) -> None:
    record = record_of(worst()[name])

    assert calls(partial(verify, record)) < CALLS


@pytest.mark.parametrize("name", worst())
def test_worst_case_record_is_verified_in_bounded_memory(name: str) -> None:
    record = record_of(worst()[name])

    assert peak(partial(verify, record)) < HELD


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_legal_actions_are_listed_in_bounded_work(ruleset: AnyRuleset) -> None:
    states = longest_game(ruleset).states

    most = max(calls(partial(list, ruleset.legal_actions(state))) for state in states)

    assert most < CALLS
