"""Engine and slow referee agree on what is legal and on its effects."""

import pytest

from engine.ruleset import MoveSyntaxError
from tests.engine.army_ants.bots import RULESETS, game
from tests.engine.army_ants.referee import EVERY_TOKEN, Referee
from tests.strategies import Playout
from tests.tiers import by_tier

TABLES = ["random", "hunter", "trader", "shepherd,random", "gambiteer,random", "hermit,trader"]
SEEDS = range(60, by_tier(quick=61, long=66))

every_edition = pytest.mark.parametrize("rules", RULESETS)


def described(played: Playout) -> list[object]:
    return [played.ruleset.describe(state) for state in played.states]


@every_edition
@pytest.mark.parametrize("styles", TABLES)
def test_engine_and_referee_reach_the_same_states(styles: str, rules: str) -> None:
    for seed in SEEDS:
        played = game(styles, seed, rules)
        referee = Referee(played.tags)
        seen = [referee.state()]
        for token in played.tokens:
            referee.play(token)
            seen.append(referee.state())
        assert seen == described(played), f"seed {seed}"


@every_edition
@pytest.mark.parametrize("styles", TABLES)
def test_engine_and_referee_allow_the_same_actions(styles: str, rules: str) -> None:
    played = game(styles, 66, rules)
    referee = Referee(played.tags)
    for ply, (state, token) in enumerate(zip(played.states, played.tokens, strict=False)):
        if ply % by_tier(quick=50, long=10) == 0:
            listed = {played.ruleset.format_action(action) for action in played.ruleset.legal_actions(state)}
            assert {token for token in EVERY_TOKEN if referee.allows(token)} == listed, f"before ply {ply}"
        referee.play(token)


@every_edition
@pytest.mark.parametrize(("styles", "ply"), [("trader", 60), ("random", 3), ("random", 40)][: by_tier(quick=1, long=3)])
def test_engine_and_referee_count_the_same_two_action_sequences(styles: str, ply: int, rules: str) -> None:
    played = game(styles, 67, rules)
    referee, state = Referee(played.tags), played.states[ply]
    for token in played.tokens[:ply]:
        referee.play(token)

    legal = played.ruleset.legal_actions
    ours = [played.ruleset.apply(state, action) for action in legal(state)]
    theirs = referee.onward().values()
    assert sum(len(list(legal(after))) for after in ours) == sum(len(one.onward()) for one in theirs)


@every_edition
def test_tested_tokens_are_distinct_and_well_formed(rules: str) -> None:
    assert len(set(EVERY_TOKEN)) == len(EVERY_TOKEN)
    for token in EVERY_TOKEN:
        try:
            RULESETS[rules].parse_action(token)
        except MoveSyntaxError as error:
            raise AssertionError(token) from error
