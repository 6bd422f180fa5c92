"""Each rule that no record can break is shown by a game that would go another way without it."""

from pathlib import Path
from typing import Any

import pytest

from engine.replay import Replay
from engine.verify import Verdict
from tests.engine.army_ants.referee import BrokenRuleError, Referee
from tests.golden import verdicts
from tests.strategies import FIXTURES

SHOWN = sorted((FIXTURES / "army_ants" / "shown").glob("*.agn"))


def rule_of(path: Path) -> str:
    return "-".join(path.stem.split("-")[:3])


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
"""For each rule a way to play without it, and what of the state is then seen to be otherwise first."""


def first_difference(replay: Replay[Any, Any], referee: type[Referee]) -> set[str]:
    """What a referee sees otherwise in the first state that he does not see as the replay does."""
    game = referee(replay.tags)
    for token, state in zip(("", *replay.actions), replay.states, strict=True):
        try:
            if token:
                game.play(token)
        except BrokenRuleError:
            return {"illegal"}
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
