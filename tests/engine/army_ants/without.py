"""Referees each of which leaves out one rule, for the games in `fixtures/army_ants/shown`."""

from tests.engine.army_ants.referee import Referee


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
