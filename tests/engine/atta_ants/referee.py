"""An independent implementation of Atta Ants: slow and plain, without any code of the engine.

It is one long file because it is meant to be read beside the rules from beginning to end.
Every rule with an effect is a method or value of its own, so that a game can be played without it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any, Self

from tests.engine.referees import BrokenRuleError, demand

Cell = tuple[int, int]

NEST: Cell = (0, 0)
RING: tuple[Cell, ...] = ((-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}
TURNED = {"N": "E", "E": "S", "S": "W", "W": "N"}
RECONSTRUCTION = "NESW* NES* NES* NS* NS* NE* NE* N* NES# NS# NE# .# NESW NESW NESW NES NES NES NS NS NE NE N"
SYMBOLS = ["*"] * 8 + ["#"] * 4 + [""] * 11


def beside(cell: Cell, side: str) -> Cell:
    return cell[0] + STEPS[side][0], cell[1] + STEPS[side][1]


def symbol(code: str) -> str:
    return code[-1] if code[-1] in "*#" else ""


@cache
def trails(code: str) -> list[str]:
    return code.rstrip("*#").split("|") if code[0] != "." else []


@cache
def reaches(code: str, side: str) -> bool:
    return any(side in trail for trail in trails(code))


def quarter_turn(code: str) -> str:
    turned = ["".join(sorted((TURNED[side] for side in trail), key="NESW".index)) for trail in trails(code)]
    return ("|".join(sorted(turned, key=lambda trail: "NESW".index(trail[0]))) or ".") + symbol(code)


@cache
def rotations(code: str) -> set[str]:
    found = {code}
    for _ in range(3):
        code = quarter_turn(code)
        found.add(code)
    return found


def _ways_to_join(sides: str) -> list[list[str]]:
    """Return every way to join some of the sides by trails."""
    if not sides:
        return [[]]
    side, rest = sides[0], _ways_to_join(sides[1:])
    joined = [[*way[:at], side + way[at], *way[at + 1 :]] for way in rest for at in range(len(way))]
    return [*rest, *([side, *way] for way in rest), *joined]


EVERY_CARD = [
    ("|".join(sorted(way, key=lambda trail: "NESW".index(trail[0]))) or ".") + sign
    for way in _ways_to_join("NESW")
    for sign in ("", "*", "#")
]


@cache
def bodies(laden: tuple[str, ...]) -> list[str]:
    """Return every conceivable move: up to two steps and one leaf action, possibly on ants carrying a leaf."""
    walks = ["".join(steps) for length in range(3) for steps in product(STEPS, repeat=length)]
    acts = ["+", "-", *(f"x{name}" for name in laden)]
    acting = [walk[:at] + act + walk[at:] for walk in walks for at in range(len(walk) + 1) for act in acts]
    return [*walks[1:], *acting]


def is_move(token: str) -> bool:
    return token[2:3] == ":" and token[0] in "RYOB"


@cache
def parts_of(body: str) -> list[str]:
    return re.findall("x..|.", body)


@dataclass
class Ant:
    at: Cell
    leaf: bool = False
    moved: bool = False
    new: bool = False
    must_leave: bool = False
    has_left: bool = False


@dataclass
class Referee:
    """A game of Atta Ants, kept in dictionaries and lists."""

    tags: Mapping[str, str]
    cards: dict[Cell, str] = field(init=False)
    leaves: dict[Cell, int] = field(init=False, default_factory=dict)
    spiders: list[Cell] = field(init=False, default_factory=list)
    ants: dict[str, Ant] = field(init=False)
    round: int = field(init=False, default=1)
    phase: str = field(init=False, default="place")
    waiting: list[str] = field(init=False, default_factory=list)
    choices: dict[int, str] = field(init=False, default_factory=dict)
    out: set[str] = field(init=False, default_factory=set)
    gone: list[str] = field(init=False, default_factory=list)
    placements: list[int] | None = field(init=False, default=None)

    nest = "NESW"
    colony = 6
    rounds = 15
    leaves_on_a_card = 2
    spiders_on_a_card = 1
    ants_at_first = 2

    def __post_init__(self) -> None:
        self.online = self.tags["Rules"] == "online"
        self.seats = self.tags["Seats"].split()
        self.first = self.seats[0]
        self.deck = self.rounds
        self.eaten = dict.fromkeys(self.seats, 0)
        deck = self.tags.get("Deck", "printed").replace("reconstruction-1", RECONSTRUCTION)
        self.stock = list(SYMBOLS) if deck == "printed" else deck.split()
        self.by_symbol = deck == "printed"
        self.cards = {NEST: self.nest}
        for cell, code in zip(RING, self.tags["Setup"].split(), strict=True):
            self.stock.remove(self.held(code))
            demand(self.meets(cell, code), "ATTA-PLACE-2")
            self.put_card(cell, code)
        self.ants = {f"{seat}{number}": Ant(NEST) for seat in self.seats for number in range(1, self.ants_at_first + 1)}

    def after(self, token: str) -> Self:
        """Return the game after an action; this one stays unchanged."""
        game = self.copied()
        game.play(token)
        return game

    def copied(self) -> Self:
        """Return a copy of the game; ants are copied only when something happens to them."""
        game = object.__new__(type(self))
        vars(game).update(vars(self))
        game.cards, game.leaves, game.spiders = dict(self.cards), dict(self.leaves), list(self.spiders)
        game.ants = dict(self.ants)
        game.waiting, game.choices, game.stock = list(self.waiting), dict(self.choices), list(self.stock)
        game.eaten, game.out, game.gone = dict(self.eaten), set(self.out), list(self.gone)
        return game

    def onward(self) -> dict[str, Self]:
        """Return every legal action and the game after it."""
        found, game = {}, self.copied()
        for token in self.spellings():
            try:
                game.play(token)
            except BrokenRuleError:
                # A move may have started with ants and leaves; any other rejected action has changed nothing.
                game.ants, game.leaves = dict(self.ants), dict(self.leaves)
                continue
            found[token], game = game, self.copied()
        return found

    def spellings(self) -> list[str]:
        """Return conceivable actions: a card next to a card, any move of an ant, any step of a spider."""
        if self.phase == "place":
            around = sorted({beside(cell, side) for cell in self.cards for side in STEPS})
            return [f"{code}@{where}" for code in EVERY_CARD for where in ("-", *(f"{x},{y}" for x, y in around))]
        if self.phase == "ants":
            own = [name for name in self.ants if name[0] == self.waiting[0]]
            laden = tuple(name for name, ant in self.ants.items() if ant.leaf)
            return ["/", *(f"{name}:{body}" for name in own for body in bodies(laden))]
        return [f"S{at}:{side}" for at in range(1, len(self.spiders) + 1) for side in STEPS]

    def play(self, token: str) -> None:
        demand(self.phase != "over", "AGN-MOVE-4")
        if is_move(token):
            self.move(*token.split(":"))
        elif "@" in token:
            self.place(*token.split("@"))
        elif token == "draw":
            self.agree_draw()
        elif token.startswith(("resign:", "timeout:")):
            demand(token[-1] == self.turn or token.startswith("resign:"), "AGN-ADMIN-1")
            self.leave(token[-1])
        elif token == "/":
            self.end_turn()
        else:
            self.choose(int(token[1:].partition(":")[0]), token.partition(":")[2])

    def touch(self, name: str) -> Ant:
        """Return an ant to be changed: another game may share it."""
        self.ants[name] = Ant(**vars(self.ants[name]))
        return self.ants[name]

    def touch_all(self) -> list[Ant]:
        return [self.touch(name) for name in self.ants]

    @property
    def turn(self) -> str | None:
        if self.phase == "over":
            return None
        return self.waiting[0] if self.phase == "ants" else self.first

    # Cards

    def held(self, code: str) -> str:
        """Return what kind of deck card this is."""
        same = [held for held in self.stock if (held == symbol(code) if self.by_symbol else held in rotations(code))]
        demand(bool(same), "ATTA-DECK-2")
        return same[0]

    def meets(self, cell: Cell, code: str) -> bool:
        return all(
            reaches(code, side) == reaches(self.cards[beside(cell, side)], BACK[side])
            for side in STEPS
            if beside(cell, side) in self.cards
        )

    def fits(self, cell: Cell, code: str) -> bool:
        near_a_card = any(beside(cell, side) in self.cards for side in STEPS)
        return cell not in self.cards and near_a_card and self.meets(cell, code)

    def fits_somewhere(self, code: str) -> bool:
        around = {beside(cell, side) for cell in self.cards for side in STEPS}
        return any(self.fits(cell, turned) for cell in around for turned in rotations(code))

    def put_card(self, cell: Cell, code: str) -> None:
        self.cards[cell] = code
        if symbol(code) == "*":
            self.leaves[cell] = self.leaves_on_a_card
        if symbol(code) == "#":
            self.spiders += [cell] * self.spiders_on_a_card

    def place(self, code: str, where: str) -> None:
        demand(self.phase == "place", "ATTA-PLACE-3")
        held = self.held(code)
        if where == "-":
            demand(not self.fits_somewhere(code), "ATTA-PLACE-4")
        else:
            x, y = where.split(",")
            demand(self.fits((int(x), int(y)), code), "ATTA-PLACE-2")
            self.put_card((int(x), int(y)), code)
        self.stock.remove(held)
        self.deck -= 1
        self.phase = "ants"
        at = self.seats.index(self.first)
        self.waiting = [seat for seat in self.seats[at:] + self.seats[:at] if seat not in self.out]
        self.begin_turn()

    # Ants

    def begin_turn(self) -> None:
        for name in self.ants:
            ant = self.touch(name)
            ant.moved = False
            ant.must_leave = name[0] == self.waiting[0] and ant.at == NEST

    def move(self, name: str, body: str) -> None:
        demand(self.phase == "ants", "ATTA-PHASE-1")
        demand(name[0] == self.waiting[0] and name in self.ants, "ATTA-MOVE-1")
        demand(not self.ants[name].moved, "ATTA-MOVE-1")
        demand(not self.ants[name].new, "ATTA-NEST-3")
        self.check_body(body)
        ant = self.touch(name)
        came_by = ""
        home = False
        for part in parts_of(body):
            demand(not home, "ATTA-NEST-1")
            if part in STEPS:
                self.step(name, part, came_by)
                came_by = part
                home = ant.at == NEST and self.come_home(name)
            else:
                self.act_on_leaf(name, part)
        ant.moved = True

    def check_body(self, body: str) -> None:
        parts = parts_of(body)
        demand(len([part for part in parts if part in STEPS]) <= 2, "AGN-MOVE-1")
        demand(len([part for part in parts if part not in STEPS]) <= 1, "ATTA-LEAF-5")

    def step(self, name: str, side: str, came_by: str) -> None:
        ant = self.ants[name]
        target = beside(ant.at, side)
        demand(target in self.cards, "ATTA-MOVE-2")
        demand(target not in self.spiders, "ATTA-MOVE-4")
        if came_by:
            demand(self.leads_on(ant.at, BACK[came_by], side), "ATTA-MOVE-3")
            before = self.cards[beside(ant.at, BACK[came_by])]
            demand(reaches(before, came_by) and reaches(self.cards[target], BACK[side]), "ATTA-MOVE-3")
        if ant.at == NEST:
            ant.must_leave, ant.has_left = False, True
        demand(not (target == NEST and ant.has_left), "ATTA-NEST-5")
        ant.at = target
        if target == NEST:
            self.check_nest(name[0])

    def leads_on(self, cell: Cell, one: str, other: str) -> bool:
        """Return whether one trail on a card connects both sides."""
        return any(one in trail and other in trail for trail in trails(self.cards[cell]))

    def check_nest(self, seat: str) -> None:
        demand(sum(name[0] == seat and ant.at == NEST for name, ant in self.ants.items()) <= 2, "ATTA-NEST-2")

    def come_home(self, name: str) -> bool:
        """Return whether the ant that entered the nest stops there."""
        ant, seat = self.ants[name], name[0]
        if not ant.leaf:
            return False
        ant.leaf = False
        free = [number for number in range(1, self.colony + 1) if f"{seat}{number}" not in self.ants]
        if free:
            self.ants[f"{seat}{free[0]}"] = Ant(NEST, new=True)
        self.check_nest(seat)
        return True

    def act_on_leaf(self, name: str, part: str) -> None:
        ant = self.ants[name]
        if part == "-":
            demand(ant.leaf, "ATTA-LEAF-3")
            self.drop_leaf(ant)
            return
        demand(not ant.leaf, "ATTA-LEAF-1")
        if part == "+":
            demand(self.leaves.get(ant.at, 0) > 0, "ATTA-LEAF-2")
            self.leaves[ant.at] -= 1
        else:
            other = self.ants.get(part[1:])
            demand(other is not None and other.at == ant.at and other.leaf, "ATTA-LEAF-4")
            self.touch(part[1:]).leaf = False
        ant.leaf = True

    def drop_leaf(self, ant: Ant) -> None:
        if ant.leaf:
            ant.leaf = False
            self.leaves[ant.at] = self.leaves.get(ant.at, 0) + 1

    def end_turn(self) -> None:
        demand(self.phase == "ants", "ATTA-TURN-1")
        way_out = any(beside(NEST, side) not in self.spiders for side in STEPS)
        demand(not (way_out and any(ant.must_leave for ant in self.ants.values())), "ATTA-NEST-4")
        self.next_turn()

    def next_turn(self) -> None:
        for ant in self.touch_all():
            ant.moved = ant.must_leave = False
        self.waiting = self.waiting[1:]
        if self.waiting:
            self.begin_turn()
        else:
            self.begin_spiders()

    # Spiders

    def distance(self, start: Cell, goal: Cell) -> int | None:
        """Return the number of steps over cards, never through the nest."""
        reached, steps = {start}, 0
        while goal not in reached:
            further = {beside(cell, side) for cell in reached for side in STEPS} & self.open_to_spiders()
            if further <= reached:
                return None
            reached |= further
            steps += 1
        return steps

    def open_to_spiders(self) -> set[Cell]:
        return set(self.cards) - {NEST}

    def targets(self) -> list[Cell]:
        crowds: dict[Cell, int] = {}
        for ant in self.ants.values():
            crowds[ant.at] = crowds.get(ant.at, 0) + 1
        crowds.pop(NEST, None)
        return [cell for cell, crowd in crowds.items() if crowd == max(crowds.values())]

    def ways(self, spider: Cell) -> list[str]:
        """Return the first steps of all shortest paths to a nearest target."""
        far = {target: self.distance(spider, target) for target in self.targets()}
        lengths = [length for length in far.values() if length is not None]
        nearest = [target for target, length in far.items() if lengths and length == min(lengths)]
        return [
            side
            for side in STEPS
            if beside(spider, side) in self.cards
            and beside(spider, side) != NEST
            and any(self.distance(beside(spider, side), target) == min(lengths) - 1 for target in nearest)
        ]

    def everybody_is_home(self) -> bool:
        return all(ant.at == NEST for ant in self.ants.values())

    def all_ways(self) -> list[list[str]]:
        return [[] if self.everybody_is_home() else self.ways(spider) for spider in self.spiders]

    def begin_spiders(self) -> None:
        self.phase, self.waiting, self.choices = "spiders", [], {}
        if not self.undecided():
            self.move_spiders()

    def undecided(self) -> list[int]:
        return [at for at, ways in enumerate(self.all_ways(), 1) if len(ways) > 1 and at not in self.choices]

    def choose(self, number: int, side: str) -> None:
        demand(self.phase == "spiders", "ATTA-PHASE-1")
        demand(number == self.undecided()[0], "ATTA-SPIDER-5")
        demand(side in self.all_ways()[number - 1], "ATTA-SPIDER-4")
        self.choices[number] = side
        if not self.undecided():
            self.move_spiders()

    def move_spiders(self) -> None:
        ways = self.all_ways()
        for at, (spider, sides) in enumerate(zip(list(self.spiders), ways, strict=True)):
            side = self.choices.get(at + 1, sides[0] if sides else "")
            self.spiders[at] = beside(spider, side) if side else spider
        self.eat()
        self.end_round()

    def eat(self) -> None:
        for name, ant in list(self.ants.items()):
            if ant.at in self.spiders:
                self.drop_leaf(self.touch(name))
                del self.ants[name]
                self.eaten[name[0]] += 1

    # The end of a round

    def in_play(self, seat: str) -> int:
        return sum(name[0] == seat for name in self.ants)

    def end_round(self) -> None:
        self.put_out()
        if self.one_is_left() or self.one_has_all() or self.deck_is_empty():
            self.end()
            return
        self.round += 1
        self.phase = "place"
        self.pass_deck()
        for ant in self.touch_all():
            ant.new = ant.has_left = False

    def put_out(self) -> None:
        self.out |= {seat for seat in self.seats if not self.in_play(seat)}

    def one_is_left(self) -> bool:
        left = len(self.seats) - len(self.out)
        return left == 0 or (left == 1 and self.online)

    def one_has_all(self) -> bool:
        return any(self.in_play(seat) == 6 for seat in self.seats)

    def deck_is_empty(self) -> bool:
        return self.deck == 0

    def pass_deck(self) -> None:
        self.first = self.next_in_game(self.first)

    def next_in_game(self, seat: str) -> str:
        at = self.seats.index(seat)
        return next(other for other in self.seats[at + 1 :] + self.seats[: at + 1] if other not in self.out)

    def end(self, placements: Iterable[int] | None = None) -> None:
        self.phase = "over"
        self.placements = list(placements or self.rank())
        for ant in self.touch_all():
            ant.moved = ant.new = False

    def rank(self) -> list[int]:
        merits = [self.merit(seat) for seat in self.seats]
        return [1 + sum(other > merit for other in merits) for merit in merits]

    def merit(self, seat: str) -> tuple[int, ...]:
        return self.merit_of_leaver(seat) if seat in self.gone else (1, *self.merit_of_stayer(seat))

    def merit_of_stayer(self, seat: str) -> tuple[int, ...]:
        return self.in_play(seat), -self.eaten[seat] if self.online else 0

    def merit_of_leaver(self, seat: str) -> tuple[int, ...]:
        return 0, self.gone.index(seat), 0

    # Leaving

    def agree_draw(self) -> None:
        demand(len(self.seats) == 2, "AGN-ADMIN-2")
        self.end([1, 1])

    def leave(self, seat: str) -> None:
        demand(seat in self.seats and seat not in self.out, "AGN-ADMIN-1")
        acts = seat == self.turn
        self.out.add(seat)
        self.gone.append(seat)
        self.take_away(seat)
        if len(self.out) >= len(self.seats) - 1:
            self.end()
            return
        if seat == self.first:
            self.take_over()
        if self.phase == "spiders":
            self.begin_spiders()
        elif self.phase == "ants" and acts:
            self.next_turn()
        elif seat in self.waiting:
            self.waiting.remove(seat)

    def take_away(self, seat: str) -> None:
        for name in list(self.ants):
            if name[0] == seat:
                self.drop_leaf(self.touch(name))
                del self.ants[name]

    def take_over(self) -> None:
        self.first = self.next_in_game(self.first)

    def happened(self, token: str, after: Self) -> dict[str, bool]:
        """Return the events of an action, in the terms explained in `fixtures/README.md`."""
        return {
            "births": len(after.ants) > len(self.ants),
            "choices": token[0] == "S" and ":" in token,
            "meals": self.eaten != after.eaten,
            "thefts": "x" in token,
            "set_aside": token.endswith("@-"),
            "ends": after.phase == "over",
        }

    def state(self) -> dict[str, Any]:
        """Return the state in the record format."""
        return {
            "round": self.round,
            "phase": self.phase,
            "first": self.first,
            "turn": self.turn,
            "cards": {f"{x},{y}": code for (x, y), code in self.cards.items()},
            "leaves": {f"{x},{y}": count for (x, y), count in self.leaves.items() if count},
            "ants": {
                name: {"at": f"{ant.at[0]},{ant.at[1]}", "leaf": ant.leaf, "moved": ant.moved, "new": ant.new}
                for name, ant in self.ants.items()
            },
            "spiders": {f"S{at}": f"{x},{y}" for at, (x, y) in enumerate(self.spiders, 1)},
            "deck": self.deck,
            "eaten": dict(self.eaten),
            "out": [seat for seat in self.seats if seat in self.out],
            "placements": self.placements,
        }
