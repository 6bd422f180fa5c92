"""Each rule that no record can break is shown by a game that would go another way without it."""

from pathlib import Path

import pytest

from tests.engine.ant_trails.referee import BrokenRuleError, Cell, Referee
from tests.engine.shown import first_difference, replay_of, rule_of
from tests.golden import verdicts
from tests.strategies import FIXTURES

SHOWN = sorted((FIXTURES / "ant_trails" / "shown").glob("*.agn"))


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


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_a_second_opinion_agrees_on_every_shown_game(path: Path) -> None:
    for verdict in verdicts(path):
        replay = replay_of(verdict)
        assert first_difference(replay, Referee(replay.tags), BrokenRuleError) == set()


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_it_would_go_another_way_without_its_rule(path: Path) -> None:
    without, otherwise = WITHOUT[rule_of(path)]
    replay = replay_of(verdicts(path)[0])

    assert first_difference(replay, without(replay.tags), BrokenRuleError) >= otherwise


def test_every_way_to_play_without_a_rule_is_used() -> None:
    assert {rule_of(path) for path in SHOWN} == set(WITHOUT)
