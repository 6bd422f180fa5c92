"""Each rule that cannot be broken by a record is shown by a game that would continue differently without it."""

from pathlib import Path

import pytest

from tests.engine.army_ants.referee import BrokenRuleError, Referee
from tests.engine.shown import first_difference, replay_of, rule_of
from tests.golden import verdicts
from tests.strategies import FIXTURES

SHOWN = sorted((FIXTURES / "army_ants" / "shown").glob("*.agn"))


class TheBattleBeginsWhenOneIsReady(Referee):
    def begin_battle(self) -> None:
        if 5 in self.done.values():
            self.phase, self.last = "battle", "B"


class TheAttackerStaysAndSoDoEquals(Referee):
    def fight(self, start: str, end: str, *, equal: bool) -> None:
        del self.cards[end]


class WhatItDoesIsWhatItIs(Referee):
    def meaning(self, token: str) -> str:
        return token.replace("b4>b5", "b4N1")


class NoEndWithTheQueen(Referee):
    def queen_is_taken(self) -> bool:
        return False


class NoEndWithOnlyQueens(Referee):
    def only_queens(self) -> bool:
        return False


class NoEndBySeries(Referee):
    def is_repeated(self) -> bool:
        return False


class WhoTakesTheQueenSharesTheFirstPlace(Referee):
    def places(self, winner: str) -> list[int]:
        return [1, 1]


GOES_ON = {"phase", "turn", "placements"}

WITHOUT: dict[str, tuple[type[Referee], set[str]]] = {
    "ARMY-TURN-2": (TheBattleBeginsWhenOneIsReady, {"phase"}),
    "ARMY-ATTACK-2": (TheAttackerStaysAndSoDoEquals, {"board", "owner"}),
    "ARMY-FORM-1": (WhatItDoesIsWhatItIs, GOES_ON),
    "ARMY-END-1": (NoEndWithTheQueen, GOES_ON),
    "ARMY-END-2": (NoEndWithOnlyQueens, GOES_ON),
    "ARMY-END-3": (NoEndBySeries, GOES_ON),
    "ARMY-RANK-1": (WhoTakesTheQueenSharesTheFirstPlace, {"placements"}),
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
