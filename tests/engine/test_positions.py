"""Two positions have the same number where they are the same, and no others have it."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.registry import RULESETS
from engine.replay import Replay
from engine.replay.positions import position_numbers, position_text
from engine.ruleset import Termination
from engine.verify import verify_bytes
from tests.strategies import AnyRuleset, play, recorded

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
SEEDS = 2


def replays(ruleset: AnyRuleset) -> Iterator[Replay[Any, Any]]:
    """Yield the recorded games, and some of the same deals played at random."""
    for number, replay in enumerate(recorded(ruleset)):
        yield replay
        for seed in range(SEEDS if number < 3 else 0):
            (verdict,) = verify_bytes(play(ruleset, replay.tags, Random(f"{number} {seed}")).text().encode())
            assert verdict.replay
            yield verdict.replay


@every_ruleset
def test_all_numbers_of_a_game_are_those_that_its_positions_have_alone(ruleset: AnyRuleset) -> None:
    for replay in replays(ruleset):
        alone = [ruleset.positions.number(state) for state in replay.states]
        edition = position_numbers(replay)[0] ^ alone[0]

        assert [number ^ edition for number in position_numbers(replay)] == alone


def test_positions_have_the_same_number_exactly_where_they_are_the_same() -> None:
    texts, numbers = defaultdict[int, set[str]](set), defaultdict[str, set[int]](set)
    for replay in (replay for ruleset in RULESETS for replay in replays(ruleset)):
        for ply, number in enumerate(position_numbers(replay)):
            text = position_text(replay, ply)
            texts[number].add(text)
            numbers[text].add(number)

    assert len(texts) > 2_000
    assert max(map(len, texts.values())) == max(map(len, numbers.values())) == 1


@every_ruleset
def test_actions_change_the_position(ruleset: AnyRuleset) -> None:
    replay = recorded(ruleset)[0]

    assert len(set(position_numbers(replay))) > len(replay.actions) // 2


@every_ruleset
def test_a_game_that_somebody_leaves_has_a_number_for_every_ply(ruleset: AnyRuleset) -> None:
    replay = recorded(ruleset)[0]
    state = ruleset.leave(replay.start, str(ruleset.to_act(replay.start)), Termination.RESIGNED)
    left = next(one for one in recorded(ruleset) if any(":" in token for token in one.actions))

    assert ruleset.positions.number(state) != ruleset.positions.number(replay.start)
    assert len(position_numbers(left)) == len(left.actions) + 1
