"""Referees each of which leaves out one rule, for the games in `fixtures/ant_trails/shown`."""

from tests.engine.ant_trails.referee import Cell, Referee


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
