"""An independent implementation of Army Ants: slow and plain, without any code of the engine.

Every rule with an effect is a method of its own, so that a game can be played without it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from tests.engine.referees import BrokenRuleError, demand

COLUMNS, ROWS = "abcde", "12345678"
CELLS = [column + row for row in ROWS for column in COLUMNS]
STRENGTH = "QA23456789"
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
OTHER = {"R": "B", "B": "R"}
SIDE = {"R": "1234", "B": "5678"}
FRONT, BACK = {"R": "4", "B": "5"}, {"R": "1", "B": "8"}

Card = tuple[str, str]
"""An owner and a rank."""


@cache
def off(cell: str, side: str, steps: int = 1) -> str:
    """Return the cell some steps away, which may be off the board."""
    x, y = STEPS[side]
    return chr(ord(cell[0]) + x * steps) + chr(ord(cell[1]) + y * steps)


def touch(one: str, other: str) -> bool:
    return one != other and all(abs(ord(a) - ord(b)) <= 1 for a, b in zip(one, other, strict=True))


@cache
def straight(start: str, end: str) -> list[str]:
    """Return the cells after one up to the other in a row or column; empty if they share neither."""
    for side in STEPS:
        way = [off(start, side, steps) for steps in range(1, 8)]
        if end in way:
            return way[: way.index(end) + 1]
    return []


@cache
def run_of(token: str) -> tuple[list[str], str, int]:
    """Return the cells of a marching run, the direction and the distance; no cells for invalid ends."""
    written = re.fullmatch(r"([a-e][1-8])(?:-([a-e][1-8]))?([NESW])([1-7])", token)
    demand(written is not None, "AGN-MOVE-1")
    assert written is not None
    first, last, side, steps = written.groups()
    way = straight(first, last) if last and first < last else []
    return [first, *way] if way or last is None else [], side, int(steps)


@dataclass
class Referee:
    """A game of Army Ants, kept in a dictionary of cells."""

    tags: Mapping[str, str]
    cards: dict[str, Card] = field(init=False, default_factory=dict)
    phase: str = field(init=False, default="setup")
    turn: str = field(init=False, default="R")
    last: str = field(init=False, default="")
    pair: int = field(init=False, default=1)
    done: dict[str, int] = field(init=False)
    series: list[str] = field(init=False, default_factory=list)
    placements: list[int] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.done = {"R": 0, "B": 0}
        for row, letters in zip(reversed(ROWS), self.tags["Setup"].split("/"), strict=True):
            for column, letter in zip(COLUMNS, letters, strict=True):
                if letter != ".":
                    self.cards[column + row] = ("R" if row in SIDE["R"] else "B", letter)
        for seat in "RB":
            demand(self.ranks(seat) == sorted("QAA2233445566778899"), "ARMY-BOARD-2")
            demand("c" + BACK[seat] not in self.cards, "ARMY-SETUP-1")

    def ranks(self, seat: str) -> list[str]:
        return sorted(rank for owner, rank in self.cards.values() if owner == seat)

    def after(self, token: str) -> Self:
        """Return the game after an action; this one stays unchanged."""
        game = self.copied()
        game.play(token)
        return game

    def copied(self) -> Self:
        game = object.__new__(type(self))
        vars(game).update(vars(self))
        game.cards, game.done, game.series = dict(self.cards), dict(self.done), list(self.series)
        return game

    def play(self, token: str) -> None:
        demand(self.phase != "over", "AGN-MOVE-4")
        if token == "draw":
            self.end([1, 1])
        elif token.startswith(("resign:", "timeout:")):
            demand(token[-1] == self.turn or token.startswith("resign:"), "AGN-ADMIN-1")
            self.end([2, 1] if token[-1] == "R" else [1, 2])
        else:
            self.act(token)

    def act(self, token: str) -> None:
        had = len(self.cards)
        if token == "QG":
            self.gambit()
        elif token == "pass":
            demand(self.phase == "battle" and not self.can_act(), "ARMY-TURN-3")
        elif "~" in token:
            self.swap(*token.split("~"))
        elif ">" in token:
            self.move_out(*token.split(">"))
        elif "x" in token:
            self.attack(*token.split("x"))
        else:
            self.march(token)
        self.follow(token, attacked=len(self.cards) < had)

    def check_own(self, cell: str, rule: str) -> None:
        demand(cell in self.cards and self.cards[cell][0] == self.turn, rule)

    # Actions

    def swap(self, one: str, other: str) -> None:
        demand(one in CELLS and other in CELLS and one < other and touch(one, other), "ARMY-SWAP-1")
        self.check_own(one, "ARMY-SWAP-1")
        self.check_own(other, "ARMY-SWAP-1")
        self.cards[one], self.cards[other] = self.cards[other], self.cards[one]

    def march(self, token: str) -> None:
        run, side, steps = run_of(token)
        demand(bool(run), "ARMY-MARCH-1")
        for cell in run:
            self.check_own(cell, "ARMY-MARCH-1")
        for cell in run:
            for step in range(1, steps + 1):
                demand(off(cell, side, step) in CELLS, "ARMY-MARCH-2")
                demand(off(cell, side, step) not in self.cards or off(cell, side, step) in run, "ARMY-MARCH-2")
        for cell in run:
            demand(self.phase == "battle" or off(cell, side, steps)[1] in SIDE[self.turn], "ARMY-SETUP-3")
        taken_up = {cell: self.cards.pop(cell) for cell in run}
        for cell, card in taken_up.items():
            self.cards[off(cell, side, steps)] = card

    def move_out(self, start: str, end: str) -> None:
        demand(self.phase == "battle", "ARMY-SETUP-2")
        self.check_own(start, "ARMY-OUT-1")
        demand(end in CELLS and start != end, "ARMY-OUT-1")
        if self.tags["Rules"] == "free":
            demand(end in self.wandering_from(start), "ARMY-OUT-1")
        else:
            corners = (end[0] + start[1], start[0] + end[1])
            ways = [straight(start, corner) + straight(corner, end) for corner in corners]
            demand(any(not self.cards.keys() & set(way) for way in ways), "ARMY-OUT-1")
        self.cards[end] = self.cards.pop(start)

    def wandering_from(self, start: str) -> set[str]:
        """Return the empty cells to which one step after the other leads over empty cells."""
        found: set[str] = set()
        to_try = [start]
        while to_try:
            cell = to_try.pop()
            beside = {off(cell, side) for side in STEPS} & set(CELLS) - self.cards.keys() - found
            found |= beside
            to_try += beside
        return found

    def attack(self, start: str, end: str) -> None:
        demand(self.phase == "battle", "ARMY-SETUP-2")
        self.check_own(start, "ARMY-ATTACK-1")
        demand(end in self.cards and self.cards[end][0] != self.turn, "ARMY-ATTACK-1")
        way = straight(start, end)
        demand(bool(way) and not self.cards.keys() & set(way[:-1]), "ARMY-ATTACK-1")
        attacker, prey = (STRENGTH.index(self.cards[cell][1]) for cell in (start, end))
        demand(self.cards[start][1] != "Q", "ARMY-ATTACK-3")
        demand(attacker >= prey, "ARMY-ATTACK-1")
        self.fight(start, end, equal=attacker == prey)

    def fight(self, start: str, end: str, *, equal: bool) -> None:
        winner = self.cards.pop(start)
        del self.cards[end]
        if not equal:
            self.cards[end] = winner

    def gambit(self) -> None:
        demand(self.phase == "setup" and self.done[self.turn] == 0, "ARMY-SETUP-4")
        (queen,) = (cell for cell, card in self.cards.items() if card == (self.turn, "Q"))
        demand(queen[1] == FRONT[self.turn], "ARMY-SETUP-4")
        self.cards["c" + BACK[self.turn]] = self.cards.pop(queen)
        self.done[self.turn] = 4

    # Consequences

    def follow(self, token: str, *, attacked: bool) -> None:
        self.last = self.turn
        if self.phase == "setup":
            self.done[self.turn] += 1
            self.begin_battle()
        else:
            self.series.append(self.meaning(token))
            self.look_for_an_end(attacked=attacked)
        if self.phase != "over":
            self.next_turn()

    def begin_battle(self) -> None:
        if self.done["R"] == self.done["B"] == 5:
            self.phase, self.last = "battle", "B"

    def next_turn(self) -> None:
        acted, self.turn = self.turn, OTHER[self.last]
        if self.phase == "setup" and self.done[self.turn] == 5:
            self.turn = self.last
        if self.turn in ("R", acted):
            self.pair += 1

    def meaning(self, token: str) -> str:
        """Return what makes two actions the same."""
        return token

    def look_for_an_end(self, *, attacked: bool) -> None:
        if self.queen_is_taken():
            self.end(self.places(self.turn))
        elif (attacked and self.only_queens()) or self.is_repeated():
            self.end([1, 1])

    def queen_is_taken(self) -> bool:
        return "Q" not in self.ranks(OTHER[self.turn])

    def only_queens(self) -> bool:
        return self.ranks("R") == self.ranks("B") == ["Q"]

    def is_repeated(self) -> bool:
        """Return whether the battle ends with the same series four times, of any even length."""
        played = self.series
        return any(
            played[-4 * n : -3 * n] == played[-3 * n : -2 * n] == played[-2 * n : -n] == played[-n:]
            for n in range(2, len(played) // 4 + 1, 2)
        )

    def places(self, winner: str) -> list[int]:
        return [1, 2] if winner == "R" else [2, 1]

    def end(self, placements: list[int]) -> None:
        self.phase, self.placements = "over", placements

    # Legality, by trying everything that can be written

    def allows(self, token: str) -> bool:
        try:
            self.after(token)
        except BrokenRuleError:
            return False
        return True

    def can_act(self) -> bool:
        return any(self.allows(token) for token in self.about_own_cards())

    def onward(self) -> dict[str, Self]:
        """Return every legal action and the game after it."""
        found, game = {}, self.copied()
        for token in [*self.about_own_cards(), "QG", "pass"]:
            try:
                game.play(token)
            except BrokenRuleError:
                continue  # a rejected action has changed nothing
            found[token], game = game, self.copied()
        return found

    def about_own_cards(self) -> list[str]:
        """Return everything that starts with a cell holding an own card: nothing else can be an own action."""
        own = [cell for cell, card in self.cards.items() if card[0] == self.turn]
        return [token for cell in own for token in BY_CELL[cell]]

    def happened(self, token: str, after: Self) -> dict[str, bool]:
        """Return the events of an action, in the terms explained in `fixtures/README.md`."""
        return {
            "attacks": "x" in token,
            "gambits": token == "QG",
            "passes": token == "pass",
            "draws": after.placements == [1, 1],
            "ends": after.phase == "over",
        }

    def state(self) -> dict[str, Any]:
        """Return the state in the record format."""
        return {
            "phase": self.phase,
            "turn": None if self.phase == "over" else self.turn,
            "pair": self.pair,
            "board": self.picture(lambda card: card[1]),
            "owner": self.picture(lambda card: card[0].lower()),
            "done": dict(self.done),
            "placements": self.placements,
        }

    def picture(self, letter: Any) -> str:
        return "/".join(
            "".join(letter(self.cards[column + row]) if column + row in self.cards else "." for column in COLUMNS)
            for row in reversed(ROWS)
        )


def _runs() -> list[str]:
    """Return every run of cells as written in a march."""
    return CELLS + [f"{one}-{other}" for one in CELLS for other in CELLS if one < other and straight(one, other)]


EVERY_TOKEN = [
    *(f"{one}~{other}" for one in CELLS for other in CELLS if one < other and touch(one, other)),
    *(f"{run}{side}{steps}" for run in _runs() for side in STEPS for steps in range(1, 8)),
    *(f"{one}>{other}" for one in CELLS for other in CELLS if one != other),
    *(f"{one}x{other}" for one in CELLS for other in CELLS if straight(one, other)),
    "QG",
    "pass",
]
"""Yield every well-formed token, sensible or not, except attacks around corners."""
BY_CELL = {cell: [token for token in EVERY_TOKEN if token.startswith(cell)] for cell in CELLS}
