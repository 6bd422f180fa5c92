"""No record, however made, is much work: counted in calls, not on the clock, so that it fails alike everywhere."""

from functools import partial

import pytest

from engine.registry import RULESETS
from engine.verify import verify
from tests.engine.worst import calls, longest_game, peak, record_of, worst
from tests.strategies import AnyRuleset

CALLS = 1_500_000
"""A second of CPU is some ten million of them, of the cheap kind that long records make."""
HELD = 64 * 2**20


@pytest.mark.parametrize("name", worst())
def test_it_is_little_work(name: str) -> None:
    record = record_of(worst()[name])

    assert calls(partial(verify, record)) < CALLS


@pytest.mark.parametrize("name", worst())
def test_it_takes_little_memory(name: str) -> None:
    record = record_of(worst()[name])

    assert peak(partial(verify, record)) < HELD


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_listing_what_is_legal_is_little_work_even_where_most_could_be_tried(ruleset: AnyRuleset) -> None:
    states = longest_game(ruleset).states

    most = max(calls(partial(list, ruleset.legal_actions(state))) for state in states)

    assert most < CALLS
