"""Each rule that no record can break is shown by a game that would go another way without it."""

from pathlib import Path
from typing import Any

import pytest

from engine.replay import Replay
from engine.verify import Verdict
from tests.engine.ant_trails.referee import BrokenRuleError, Cell, Referee
from tests.golden import verdicts
from tests.strategies import FIXTURES

SHOWN = sorted((FIXTURES / "ant_trails" / "shown").glob("*.agn"))


def rule_of(path: Path) -> str:
    return "-".join(path.stem.split("-")[:3])


class RedBegins(Referee):
    first = "R"


class NothingIsCollected(Referee):
    def collects(self, start: Cell, end: Cell) -> bool:
        return False


class ThreePassesEnd(Referee):
    passes_to_end = 3


class AntsAloneCount(Referee):
    def score(self, seat: str) -> int:
        return self.longest(seat)


WITHOUT: dict[str, tuple[type[Referee], set[str]]] = {
    "TRAILS-TURN-1": (RedBegins, {"turn"}),
    "TRAILS-TILE-4": (NothingIsCollected, {"tiles", "moved", "collected"}),
    "TRAILS-END-1": (ThreePassesEnd, {"phase", "turn", "placements"}),
    "TRAILS-SCORE-1": (AntsAloneCount, {"placements"}),
}
"""For each rule a way to play without it, and what of the state is then seen to be otherwise first."""


def first_difference(replay: Replay[Any, Any], referee: type[Referee]) -> set[str]:
    """What a referee sees otherwise in the first state that he does not see as the replay does."""
    game = referee(replay.tags)
    for token, state in zip(("", *replay.actions), replay.states, strict=True):
        try:
            if token:
                game.play(token)
        except BrokenRuleError:
            return {"legal"}
        seen, described = game.state(), replay.ruleset.describe(state)
        if seen != described:
            return {name for name, value in seen.items() if value != described[name]}
    return set()


def replay_of(verdict: Verdict) -> Replay[Any, Any]:
    assert verdict.replay is not None
    assert verdict.fault is None
    return verdict.replay


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_a_second_opinion_agrees_on_every_shown_game(path: Path) -> None:
    for verdict in verdicts(path):
        assert first_difference(replay_of(verdict), Referee) == set()


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_it_would_go_another_way_without_its_rule(path: Path) -> None:
    without, otherwise = WITHOUT[rule_of(path)]

    assert first_difference(replay_of(verdicts(path)[0]), without) >= otherwise


def test_every_way_to_play_without_a_rule_is_used() -> None:
    assert {rule_of(path) for path in SHOWN} == set(WITHOUT)
