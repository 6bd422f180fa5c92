"""An independent implementation of Ant Trails: slow and plain, without any code of the engine.

Every rule with an effect is a method or value of its own, so that a game can be played without it.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Any, Self

from tests.engine.referees import BrokenRuleError, demand

Cell = tuple[int, int]

ROWS = "abcdefghijk"
BOARD: list[Cell] = [(row, number) for row in range(1, 12) for number in range(1, 12) if abs(row - number) <= 5]


@cache
def name(cell: Cell) -> str:
    return f"{ROWS[cell[0] - 1]}{cell[1]}"


@cache
def cell_of(text: str) -> Cell:
    return ROWS.index(text[0]) + 1, int(text[1:])


def neighbours(cell: Cell) -> list[Cell]:
    row, number = cell
    around = [(row, number - 1), (row, number + 1), (row - 1, number), (row + 1, number), (row + 1, number + 1)]
    return [other for other in [*around, (row - 1, number - 1)] if other in BOARD]


BESIDE: dict[Cell, list[Cell]] = {cell: neighbours(cell) for cell in BOARD}
NAMED: dict[str, Cell] = {name(cell): cell for cell in BOARD}
BORDER: set[Cell] = {cell for cell in BOARD if len(BESIDE[cell]) < 6}


class Referee:
    """A game of Ant Trails, kept in sets."""

    first = "B"
    passes_to_end = 2

    def __init__(self, tags: Mapping[str, str]) -> None:
        self.turn, self.phase, self.pair, self.placed, self.passes = self.first, "place", 1, 0, 0
        self.ants: dict[str, set[Cell]] = {"B": set(), "R": set()}
        self.collected: dict[str, list[int]] = {"B": [], "R": []}
        self.moved: set[Cell] = set()
        self.placements: list[int] | None = None
        self.tiles = {cell_of(tile.split("=")[0]): int(tile.split("=")[1]) for tile in tags["Setup"].split()}
        demand(sorted(self.tiles.values()) == [1] * 4 + [2] * 4 + [3] * 4, "TRAILS-SETUP-1")
        demand(not BORDER & self.tiles.keys(), "TRAILS-SETUP-1")
        demand(not any(a in BESIDE[b] for a, b in combinations(self.tiles, 2)), "TRAILS-SETUP-1")

    def after(self, token: str) -> Self:
        """Return the game after an action; this one stays unchanged."""
        game = self.copied()
        game.play(token)
        return game

    def copied(self) -> Self:
        game = object.__new__(type(self))
        vars(game).update(vars(self))
        game.ants = {seat: set(ants) for seat, ants in self.ants.items()}
        game.collected = {seat: list(tiles) for seat, tiles in self.collected.items()}
        game.moved, game.tiles = set(self.moved), dict(self.tiles)
        return game

    def onward(self) -> dict[str, Self]:
        """Return every legal action and the game after it."""
        found, game = {}, self.copied()
        for token in self.spellings():
            try:
                game.play(token)
            except BrokenRuleError:
                continue  # a rejected action has changed nothing
            found[token], game = game, self.copied()
        return found

    def spellings(self) -> list[str]:
        """Return every conceivable action: an ant on any cell, and any tile to any adjacent cell."""
        moves = [f"{name(cell)}>{name(other)}" for cell in self.tiles for other in BESIDE[cell]]
        return ["/", "pass", *map(name, BOARD), *moves]

    def play(self, token: str) -> None:
        demand(self.phase != "over", "AGN-MOVE-4")
        if token == "draw":
            self.end([1, 1])
        elif token.startswith(("resign:", "timeout:")):
            demand(token[-1] == self.turn or token.startswith("resign:"), "AGN-ADMIN-1")
            self.end([2, 1] if token[-1] == "B" else [1, 2])
        elif token == "pass":
            self.let_pass()
        elif token == "/":
            demand(self.phase == "tiles", "TRAILS-TURN-2")
            self.next_turn()
        elif ">" in token:
            self.move(*map(cell_of, token.split(">")))
        else:
            self.place(cell_of(token))

    # Ants

    def own(self) -> set[Cell]:
        return self.ants[self.turn]

    def own_beside(self, cell: Cell) -> list[Cell]:
        return [other for other in BESIDE[cell] if other in self.own()]

    def is_end(self, cell: Cell) -> bool:
        return len(self.own_beside(cell)) <= 1

    def may_stand(self, cell: Cell) -> bool:
        beside = self.own_beside(cell)
        return len(beside) <= 2 and all(map(self.is_end, beside)) and (bool(beside) or cell in BORDER)

    def is_empty(self, cell: Cell) -> bool:
        return not any(cell in ants for ants in self.ants.values()) and cell not in self.tiles

    def can_place(self) -> bool:
        return any(self.is_empty(cell) and self.may_stand(cell) for cell in BOARD)

    def place(self, cell: Cell) -> None:
        demand(self.phase == "place", "TRAILS-TURN-2")
        demand(cell in BESIDE, "TRAILS-BOARD-1")
        demand(self.is_empty(cell), "TRAILS-PLACE-1")
        demand(self.may_stand(cell), "TRAILS-PLACE-2")
        self.own().add(cell)
        self.placed += 1
        self.passes = 0
        if self.placed == 2 or not self.can_place():
            self.phase = "tiles"

    def trails(self, seat: str) -> list[set[Cell]]:
        left, found = set(self.ants[seat]), []
        while left:
            trail = {left.pop()}
            while more := {other for cell in trail for other in BESIDE[cell] if other in left}:
                trail |= more
                left -= more
            found.append(trail)
        return found

    def longest(self, seat: str) -> int:
        return max(map(len, self.trails(seat)), default=0)

    # Tiles

    def move(self, start: Cell, end: Cell) -> None:
        demand(self.phase == "tiles", "TRAILS-TURN-2")
        demand(start in BESIDE and end in BESIDE, "TRAILS-BOARD-1")
        demand(start in self.tiles and end in BESIDE[start] and end in self.own(), "TRAILS-TILE-1")
        if start in self.own():
            self.check_carrying(start, end)
        else:
            demand(not any(start in ants for ants in self.ants.values()), "TRAILS-TILE-1")
        demand(end not in self.tiles and start not in self.moved, "TRAILS-TILE-3")
        points = self.tiles.pop(start)
        if self.collects(start, end):
            self.collected[self.turn].append(points)
        else:
            self.tiles[end] = points
            self.moved.add(end)

    def collects(self, start: Cell, end: Cell) -> bool:
        return self.is_end(end) and end in BORDER

    def check_carrying(self, start: Cell, end: Cell) -> None:
        course = self.course(start)
        demand(bool(course), "TRAILS-TILE-2")
        if course.index(start) > course.index(end):
            course.reverse()
        demand(course[-1] in BORDER, "TRAILS-TILE-2")

    def course(self, cell: Cell) -> list[Cell]:
        """Return the trail of an ant from end to end; empty for a loop."""
        (trail,) = (trail for trail in self.trails(self.turn) if cell in trail)
        ends = [ant for ant in trail if self.is_end(ant)]
        course: list[Cell] = ends[:1]
        while course and (onward := [ant for ant in self.own_beside(course[-1]) if ant not in course]):
            course += onward
        return course

    # Turns

    def let_pass(self) -> None:
        demand(self.phase == "place" and not self.placed and not self.can_place(), "TRAILS-PASS-1")
        self.passes += 1
        if self.passes == self.passes_to_end:
            self.end(self.rank())
        else:
            self.next_turn()

    def next_turn(self) -> None:
        self.phase, self.placed, self.moved = "place", 0, set()
        self.pair += self.turn != self.first
        self.turn = "R" if self.turn == "B" else "B"

    def end(self, placements: list[int]) -> None:
        self.phase, self.placed, self.moved, self.placements = "over", 0, set(), placements

    def score(self, seat: str) -> int:
        return self.longest(seat) + sum(self.collected[seat])

    def rank(self) -> list[int]:
        black, red = self.score("B"), self.score("R")
        return [1, 1] if black == red else [1, 2] if black > red else [2, 1]

    def happened(self, token: str, after: Self) -> dict[str, bool]:
        """Return the events of an action, in the terms explained in `fixtures/README.md`."""
        return {
            "collections": self.collected != after.collected,
            "joins": token in NAMED and len(self.own_beside(NAMED[token])) > 1,
            "single_ants": (self.phase, after.phase, after.placed) == ("place", "tiles", 1),
            "passes": token == "pass",
            "ends": after.phase == "over",
        }

    def state(self) -> dict[str, Any]:
        """Return the state in the record format."""
        return {
            "phase": self.phase,
            "turn": None if self.phase == "over" else self.turn,
            "pair": self.pair,
            "placed": self.placed,
            "ants": {seat: list(map(name, sorted(ants))) for seat, ants in self.ants.items()},
            "tiles": {name(cell): points for cell, points in self.tiles.items()},
            "moved": list(map(name, sorted(self.moved))),
            "collected": self.collected,
            "longest": {seat: self.longest(seat) for seat in self.ants},
            "passes": self.passes,
            "placements": self.placements,
        }
