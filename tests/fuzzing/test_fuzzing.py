"""Random changes of good inputs crash nothing, and nothing is judged in two ways."""

import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from atta_site.processes import ROOT
from engine.verify import REJECTED, verify_bytes
from tests.fuzzing import mutating
from tests.fuzzing.__main__ import KINDS, inputs, tried
from tests.tiers import Note, by_tier

INPUTS = {"records": 6_000, "archives": 3_000, "tus": 700, "parameters": 300}
TIMES = by_tier(quick=10, long=100)
"""How many times as many are tried in a process of their own."""
MUTANTS = by_tier(quick=1_000, full=10_000, long=10_000)
GREEDY = """
from pathlib import Path
from tests.fuzzing import __main__ as fuzzing, mutating
mutating.CORPUS = Path({corpus!r})
fuzzing.KINDS["tus"] = (mutating.tus, lambda data: bytearray(len(data) << 20))
fuzzing.limit_memory()
print(len(fuzzing.tried("tus", [200 * b"a", 300 * b"a"]).failed))
"""


@pytest.mark.parametrize("kind", KINDS)
def test_no_changed_input_crashes_or_is_judged_in_two_ways(kind: str, db: None, record_property: Note) -> None:
    done = tried(kind, islice(inputs(kind, seed=1), INPUTS[kind]))
    record_property(f"fuzzed inputs: {kind}", done.count)
    assert done.failed == []


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_no_changed_input_takes_a_second_or_much_memory(kind: str, record_property: Note) -> None:
    count = TIMES * INPUTS[kind]
    record_property(f"fuzzed inputs, in little memory: {kind}", count)
    run("-m", "tests.fuzzing", kind, "--seed", "2", "--inputs", str(count))


@pytest.mark.full
def test_an_input_that_takes_too_much_memory_fails(tmp_path: Path) -> None:
    assert run("-c", GREEDY.format(corpus=str(tmp_path))).splitlines()[-1] == "1"
    assert len([*tmp_path.iterdir()]) == 1


def run(*arguments: str) -> str:
    """Run Python and return what it says; fail with that if it fails."""
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
