"""Engine and slow referee agree on what is legal and on its effects."""

from itertools import product
from random import Random

import pytest

from engine.atta_ants.ruleset import ATTA_ANTS
from engine.atta_ants.state import ANTS
from engine.ruleset import IllegalMoveError, MoveSyntaxError
from tests.engine.atta_ants.bots import game
from tests.engine.atta_ants.referee import Referee
from tests.engine.referees import BrokenRuleError
from tests.strategies import AnyRuleset
from tests.tiers import by_tier

TABLES = [
    ("online", "RY", "forager,random", "reconstruction-1"),
    ("online", "BORY", "thief,home,reckless,forager", "own"),
    ("2003", "ROB", "random", "printed"),
    ("2003", "YR", "home,forager", "own"),
    ("online", "OYB", "home,thief", "printed"),
]
SEEDS = range(40, by_tier(quick=42, long=46))
EVERY_SPELLING = [
    f"{ant}:{''.join(body)}"
    for ant in ("R1", "R2", "R3", "R6", "Y1", "Y2", "O1")
    for length in (1, 2, 3, 4)
    for body in product(("N", "E", "S", "W", "+", "-", "xR2", "xY1", "xY3", "xO1"), repeat=length)
    if sum(part in "NESW" for part in body) <= 3 and sum(part not in "NESW" for part in body) <= 2
]
"""Far more tokens than anyone would write, with up to three steps and two leaf actions."""
SHARE = by_tier(quick=9, long=1)
"""In each state one in this many is tried, in the next state others."""


def accepts(ruleset: AnyRuleset, state: object, token: str) -> bool:
    try:
        ruleset.apply(state, ruleset.parse_action(token))
    except (IllegalMoveError, MoveSyntaxError):
        return False
    return True


def allows(referee: Referee, token: str) -> bool:
    try:
        referee.after(token)
    except BrokenRuleError:
        return False
    return True


@pytest.mark.parametrize("table", TABLES, ids="-".join)
def test_engine_and_referee_reach_the_same_states(table: tuple[str, str, str, str]) -> None:
    for seed in SEEDS:
        played = game(*table, seed)
        referee = Referee(played.tags)
        for token, state in zip(("", *played.tokens), played.states, strict=True):
            if token:
                referee.play(token)
            assert referee.state() == played.ruleset.describe(state), f"seed {seed} after {token}"


@pytest.mark.parametrize("table", TABLES, ids="-".join)
def test_engine_and_referee_allow_the_same_actions(table: tuple[str, str, str, str]) -> None:
    random = Random(1)
    played = game(*table, 47)
    referee, tokens = Referee(played.tags), [token for token in played.tokens if ":" not in token or token[2] == ":"]
    for state, token in zip(played.states, played.tokens, strict=False):
        for tried in random.sample(tokens, min(8, len(tokens))) + random.sample(EVERY_SPELLING, 8):
            assert allows(referee, tried) == accepts(played.ruleset, state, tried), f"{tried} before {token}"
        referee.play(token)


@pytest.mark.parametrize("ruleset", ATTA_ANTS, ids=lambda ruleset: ruleset.slug)
def test_only_listed_spellings_of_actions_are_legal(ruleset: AnyRuleset) -> None:
    games = [game(ruleset.edition, "RYO", "forager,thief", "reconstruction-1", seed) for seed in range(8)]
    names = {token.partition(":")[0] for token in EVERY_SPELLING}
    states = [state for played in games for state in played.states if state.phase == ANTS][::20]

    for number, state in enumerate(states):
        tried = EVERY_SPELLING[number % SHARE :: SHARE]
        listed = {ruleset.format_action(action) for action in ruleset.legal_actions(state)}
        ours = {token for token in listed if token[:2] in names} & set(tried)
        assert {token for token in tried if accepts(ruleset, state, token)} == ours
    assert len(states) > 10
