"""Random changes of good inputs crash nothing, and nothing is judged in two ways."""

from itertools import islice
from random import Random

import pytest

from engine.verify import REJECTED, verify_bytes
from tests.fuzzing import mutating
from tests.fuzzing.__main__ import KINDS, inputs, tried
from tests.tiers import Note, by_tier

INPUTS = by_tier(quick=150, full=2_000, long=50_000)
MUTANTS = by_tier(quick=100, full=500, long=10_000)


@pytest.mark.parametrize("kind", KINDS)
def test_no_changed_input_crashes_or_is_judged_in_two_ways(kind: str, db: None, record_property: Note) -> None:
    done = tried(kind, islice(inputs(kind, seed=1), INPUTS))
    record_property(f"fuzzed inputs: {kind}", done.count)
    assert done.failed == []


def test_no_record_with_one_token_changed_is_taken_for_the_same_game(record_property: Note) -> None:
    record_property("records with one token changed", MUTANTS)
    random = Random("one token")
    seeds = [data for data in mutating.records() if data.startswith(b"[")]
    for _ in range(MUTANTS):
        data = random.choice(seeds)
        changed = mutating.with_one_token_changed(data, random)
        (before, *_), (after, *_) = verify_bytes(data), verify_bytes(changed)
        if REJECTED not in {before.verdict, after.verdict} and after.digest == before.digest:
            assert after.replay is not None
            assert before.replay is not None
            assert after.replay.actions == before.replay.actions, changed.decode()
