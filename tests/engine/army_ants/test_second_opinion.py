"""Engine and slow referee agree on what is legal and on its effects."""

import pytest

from engine.ruleset import MoveSyntaxError
from tests.engine.army_ants.bots import game, ruleset
from tests.engine.army_ants.referee import EVERY_TOKEN, Referee
from tests.strategies import Playout
from tests.tiers import by_tier

TABLES = ["random", "hunter", "trader", "shepherd,random", "gambiteer,random", "hermit,trader"]
SEEDS = range(60, by_tier(quick=61, long=66))


def described(played: Playout) -> list[object]:
    return [played.ruleset.describe(state) for state in played.states]


@pytest.mark.parametrize("styles", TABLES)
def test_engine_and_referee_reach_the_same_states(styles: str) -> None:
    for seed in SEEDS:
        played = game(styles, seed)
        referee = Referee(played.tags)
        seen = [referee.state()]
        for token in played.tokens:
            referee.play(token)
            seen.append(referee.state())
        assert seen == described(played), f"seed {seed}"


@pytest.mark.parametrize("styles", TABLES)
def test_engine_and_referee_allow_the_same_actions(styles: str) -> None:
    played = game(styles, 66)
    referee = Referee(played.tags)
    for ply, (state, token) in enumerate(zip(played.states, played.tokens, strict=False)):
        if ply % by_tier(quick=50, long=10) == 0:
            listed = {ruleset().format_action(action) for action in ruleset().legal_actions(state)}
            assert {token for token in EVERY_TOKEN if referee.allows(token)} == listed, f"before ply {ply}"
        referee.play(token)


@pytest.mark.parametrize(("styles", "ply"), [("trader", 60), ("random", 3), ("random", 40)][: by_tier(quick=1, long=3)])
def test_engine_and_referee_count_the_same_two_action_sequences(styles: str, ply: int) -> None:
    played = game(styles, 67)
    referee, state = Referee(played.tags), played.states[ply]
    for token in played.tokens[:ply]:
        referee.play(token)

    ours = [ruleset().apply(state, action) for action in ruleset().legal_actions(state)]
    theirs = referee.onward().values()
    assert sum(len(list(ruleset().legal_actions(after))) for after in ours) == sum(len(one.onward()) for one in theirs)


def test_tested_tokens_are_distinct_and_well_formed() -> None:
    assert len(set(EVERY_TOKEN)) == len(EVERY_TOKEN)
    for token in EVERY_TOKEN:
        try:
            ruleset().parse_action(token)
        except MoveSyntaxError as error:
            raise AssertionError(token) from error
