"""Engine and slow referee agree on what is legal and on its effects."""

from itertools import product
from random import Random

import pytest

from engine.ant_trails.board import NAMES
from engine.ant_trails.ruleset import ANT_TRAILS
from engine.ant_trails.state import State
from tests.engine.ant_trails.bots import game
from tests.engine.ant_trails.referee import Referee
from tests.engine.ant_trails.table import legal, refusal
from tests.strategies import Playout
from tests.tiers import by_tier

TABLES = ["random", "builder", "collector", "looper,hermit", "hermit,collector", "collector,builder"]
SEEDS = range(40, by_tier(quick=42, long=46))
STATES = by_tier(quick=2, long=8)
"""Positions in which every spelling is tried."""
EVERY_SPELLING = [
    *NAMES,
    *(f"{cell}>{other}" for cell, other in product(NAMES, repeat=2) if cell != other),
    "/",
    "pass",
]


def followed(played: Playout) -> list[Referee]:
    """Return the referee's game before every action and at the end."""
    seen = [Referee(played.tags)]
    for token in played.tokens:
        seen.append(seen[-1].after(token))
    return seen


@pytest.mark.parametrize("table", TABLES)
def test_engine_and_referee_reach_the_same_states(table: str) -> None:
    for seed in SEEDS:
        played = game(table, seed)
        for ply, (referee, state) in enumerate(zip(followed(played), played.states, strict=True)):
            assert referee.state() == ANT_TRAILS.describe(state), f"seed {seed}, ply {ply}"


@pytest.mark.parametrize("table", TABLES)
def test_engine_and_referee_allow_the_same_actions(table: str) -> None:
    played = game(table, 47)
    for referee, state in list(zip(followed(played), played.states, strict=True))[::5]:
        assert set(legal(state)) == set(referee.onward()), ANT_TRAILS.shown.picture(state)


def test_only_listed_spellings_of_actions_are_legal() -> None:
    random = Random(48)
    states = random.sample([state for table in TABLES for state in game(table, 48).states], STATES)

    for state in states:
        listed = set(legal(state))
        assert all(refusal(token, state) for token in EVERY_SPELLING if token not in listed)
    assert len(EVERY_SPELLING) == 121 + 121 * 120 + 2


@pytest.mark.parametrize(("table", "ply"), [("builder", 60), ("collector,builder", 75), ("random", 60)])
def test_engine_and_referee_count_the_same_sequences(table: str, ply: int) -> None:
    played = game(table, 44)
    referee, state = followed(played)[ply], played.states[ply]

    assert count(state, 3) == count_slowly(referee, 3) > 500


def count(state: State, depth: int) -> int:
    if not depth:
        return 1
    return sum(count(ANT_TRAILS.apply(state, action), depth - 1) for action in ANT_TRAILS.legal_actions(state))


def count_slowly(referee: Referee, depth: int) -> int:
    if not depth:
        return 1
    return sum(count_slowly(after, depth - 1) for after in referee.onward().values())
