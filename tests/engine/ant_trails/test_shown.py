"""Each rule that cannot be broken by a record is shown by a game that would continue differently without it."""

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
"""For each rule a referee without it, and the part of the state that differs first."""


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_engine_and_referee_agree_on_every_example_game(path: Path) -> None:
    for verdict in verdicts(path):
        replay = replay_of(verdict)
        assert first_difference(replay, Referee(replay.tags), BrokenRuleError) == set()


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_example_game_differs_when_its_rule_is_ignored(path: Path) -> None:
    without, otherwise = WITHOUT[rule_of(path)]
    replay = replay_of(verdicts(path)[0])

    assert first_difference(replay, without(replay.tags), BrokenRuleError) >= otherwise


def test_every_ignored_rule_has_an_example_game() -> None:
    assert {rule_of(path) for path in SHOWN} == set(WITHOUT)
