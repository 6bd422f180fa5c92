"""A position of Atta Ants that is changed in place: the only place that says what is legal and what an action does.

Long because all of that is in one class: what an action changes should not have to be looked for elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.atta_ants.board import (
    HALF,
    LOW,
    LOWER,
    NEST,
    NO_ROOM,
    NOWHERE,
    SIDES,
    SPIDER,
    UPPER,
    leaves_on,
    letter_of,
    places,
)
from engine.atta_ants.rules.ending import Merits, ended, ended_by_players
from engine.atta_ants.rules.steps import CHOOSE, DROP, END, MOVE, NO_PARTS, PART, PART_BITS, ROB, TAKE, Step
from engine.atta_ants.state import ANTS, COLONY, OVER, PLACE, SPIDERS, State, make_state
from engine.ruleset import Termination

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

    from engine.atta_ants.board import Around

    Walk = tuple[i64, i64, i64, i64, i64, bool]
    """Where an ant is after its move, who then carries leaves, at which slot it acted on a leaf and how that changed
    the leaves there, which ant came into play, and whether the nest has stopped it. What there is none of is NOWHERE.
    """

NEST_HOLDS: Final = 2
NO_WALK: Final[Walk] = (NOWHERE, 0, NOWHERE, 0, NOWHERE, False)
"""Of an ant's move that is not legal."""

ASIDE: Final = (NOWHERE, NOWHERE, NOWHERE, NOWHERE)
"""Around a card that is set aside."""

_NOBODYS: Final = -2 * COLONY
_COLONY_BITS: Final = (1 << COLONY) - 1
_NAMED: Final = [
    "".join([name for side, name in enumerate(SIDES) if sides >> side & 1]) for sides in range(1 << len(SIDES))
]
"""Sets of sides as they are written, by their bits."""


class Position:
    """A mutable `State`: making a new state for every action would take most of the time (`bench/`)."""

    __slots__ = (
        "_own", "ants", "board", "chosen", "counts", "crowds", "eaten", "first", "idle", "laden", "leaves", "left",
        "new", "numbers", "out", "outcome", "phase", "queue", "round", "spiders", "stock", "table", "turn", "ways",
        "webs",
    )  # fmt: skip

    laden: i64
    idle: i64
    """The ants of the colony whose turn it is, in play or not, that did not move yet and may move."""
    new: i64
    turn: i64
    """The first ant of the colony whose turn it is."""
    webs: i64
    """The slots with spiders."""

    def __init__(self, state: State) -> None:
        (
            self.table, self.board, self.stock, self.round, self.first, self.spiders, self.phase, self.queue, ants,
            self.laden, moved, self.new, leaves, self.ways, self.chosen, eaten, self.out, self.left, self.outcome,
        ) = state  # fmt: skip
        self._own = False
        """Whether the board is this position's own, and no state's."""
        self.ants, self.leaves, self.eaten, self.numbers = list(ants), list(leaves), list(eaten), self.table.numbers
        self.begin_turn()
        self.idle &= ~moved
        self.webs = _bits(self.spiders)
        self.crowds = [0] * len(leaves)
        """How many ants are on each slot. What it says of the nest is of no use."""
        self.counts = [0] * len(eaten)
        """How many ants each colony has in play."""
        slot: i64
        ant: i64 = 0
        for slot in ants:
            if slot >= 0:
                self.crowds[slot] += 1
                self.counts[ant // COLONY] += 1
            ant += 1  # noqa: SIM113 (mypyc counts faster so)

    def state(self) -> State:
        """Return the position as a value."""
        self._own = False
        fields = (
            self.table, self.board, self.stock, self.round, self.first, self.spiders, self.phase, self.queue,
            tuple(self.ants), self.laden, self.moved, self.new, tuple(self.leaves), self.ways, self.chosen,
            tuple(self.eaten), self.out, self.left, self.outcome,
        )  # fmt: skip
        return make_state(State, fields)

    @property
    def moved(self) -> i64:
        """The ants that have moved in the turn under way."""
        return _COLONY_BITS << self.turn & ~(self.idle | self.new) if self.turn >= 0 else 0

    def allows(self, step: Step) -> bool:
        """Return whether an action is legal."""
        kind = step.kind
        if kind == MOVE:
            return self.may_walk(self.numbers[step.code], step.parts)
        if kind == END:
            return self.may_end()
        return self.may_choose(step.code, step.parts) if kind == CHOOSE else self.room(step) != NO_ROOM

    def play(self, steps: list[Step]) -> tuple[int, list[int]]:  # noqa: C901 (the loop of `bench/`)
        """Play actions up to the first illegal one; return how many, and the plies at which rounds began.

        Long because most actions are moves of ants, and these are made here without another call.
        """
        plies, turn_starts = 0, list[int]()
        ants, crowds, leaves, numbers, number = self.ants, self.crowds, self.leaves, self.numbers, self.round
        for step in steps:
            kind = step.kind
            if kind == MOVE:
                ant: i64 = numbers[step.code]
                slot, laden, leaf_at, change, child, _ = self.walk(ant, step.parts)
                if slot < 0:
                    break
                self.laden = laden
                self.idle ^= 1 << ant
                crowds[ants[ant]] -= 1
                crowds[slot] += 1
                ants[ant] = slot
                if change:
                    leaves[leaf_at] += change
                if child >= 0:
                    self._bear(child)
                plies += 1
                continue  # no round begins
            if kind == END:
                if not self.may_end():
                    break
                self.next_turn()
            elif kind == CHOOSE:
                if not self.may_choose(step.code, step.parts):
                    break
                self._choose(step.parts)
            elif not self._lay(step):
                break
            plies += 1
            if self.round != number:
                number = self.round
                turn_starts.append(plies)
        return plies, turn_starts

    # Placing

    def room(self, step: Step) -> Around:
        """Return the slots around a cell on which a card may be laid; NO_ROOM if it may not be.

        For a card to be set aside that is ASIDE (ATTA-PLACE-2 to 4, ATTA-DECK-2).
        """
        card = step.card
        if self.phase != PLACE or card is None or letter_of(card, by_code=self.table.by_code) not in self.stock:
            return NO_ROOM
        if step.cell is None:
            return NO_ROOM if places(self.board, card.kind) else ASIDE
        return self.board.room(step.code, card.edges)

    def _lay(self, step: Step) -> bool:
        """Lay a card or set it aside; return False if that is not legal."""
        card, around = step.card, self.room(step)
        if card is None or around == NO_ROOM:
            return False
        at = self.stock.find(letter_of(card, by_code=self.table.by_code))
        self.stock = self.stock[:at] + self.stock[at + 1 :]
        if step.cell is not None:
            if not self._own:
                self.board, self._own = self.board.copy(), True
            if card.symbol == SPIDER:
                slot = len(self.leaves)
                self.spiders, self.webs = (*self.spiders, slot), self.webs | 1 << slot
            self.board.lay(step.cell, step.code, card, around)
            self.leaves.append(leaves_on(card))
            self.crowds.append(0)
        order = self.table.orders[self.first]
        self.phase = ANTS
        self.queue = tuple([seat for seat in order if seat not in self.out]) if self.out else order
        self.begin_turn()
        return True

    # Ants

    def may_walk(self, ant: i64, parts: i64) -> bool:
        """Return whether an ant's move is legal, its parts `packed`."""
        return self.walk(ant, parts)[0] >= 0

    def walk(self, ant: i64, parts: i64) -> Walk:  # noqa: C901, PLR0911, PLR0912 (see below)
        """Return where an ant's move leads; NO_WALK if it is not legal.

        Long because most actions are ant moves and every call costs time (`bench/`): one return for every rule.
        """
        if not self.idle >> ant & 1:
            return NO_WALK
        ants, board = self.ants, self.board
        slot: i64 = ants[ant]
        if slot < 0:
            return NO_WALK
        laden: i64 = self.laden
        bit: i64 = 1 << ant
        came_by: i64 = NOWHERE
        leaf_at: i64 = NOWHERE
        change: i64 = 0
        child: i64 = NOWHERE
        home = False
        while parts != NO_PARTS:
            part, parts = parts & PART, parts >> PART_BITS
            if home:
                return NO_WALK
            if part < TAKE:
                target: i64 = board.near[4 * slot + part]
                if target < 0 or self.webs >> target & 1:
                    return NO_WALK
                if came_by >= 0 and not board.trails[slot] >> 4 * (came_by ^ 2) + part & 1:
                    return NO_WALK
                slot, came_by = target, part
                if target == NEST:
                    first = self.turn
                    home = laden & bit != 0
                    born = home and self.counts[ant // COLONY] < COLONY
                    if ants[ant] == NEST or ants[first : first + COLONY].count(NEST) + 1 + born > NEST_HOLDS:
                        return NO_WALK
                    laden &= ~bit
                    if born:
                        child = ants.index(NOWHERE, first)
                continue
            if leaf_at >= 0 or (laden & bit != 0) != (part == DROP):
                return NO_WALK
            leaf_at = slot
            laden ^= bit
            if part == TAKE:
                if not self.leaves[slot]:
                    return NO_WALK
                change = -1
            elif part == DROP:
                change = 1
            else:
                robbed: i64 = self.numbers[part - ROB]
                if not laden >> robbed & 1 or ants[robbed] != slot or robbed == ant:
                    return NO_WALK
                laden ^= 1 << robbed
        return slot, laden, leaf_at, change, child, home

    def _bear(self, child: i64) -> None:
        """Let an ant come into play in the nest (ATTA-NEST-3)."""
        self.ants[child] = NEST
        self.counts[child // COLONY] += 1
        self.new |= 1 << child
        self.idle &= ~self.new

    def may_end(self) -> bool:
        """Return whether a turn may end (ATTA-TURN-1, ATTA-NEST-4)."""
        return self.turn >= 0 and self.must_leave() == NOWHERE

    def must_leave(self) -> i64:
        """Return an ant because of which the colony may not end its turn yet (ATTA-NEST-4); NOWHERE if it may."""
        ants, ant = self.ants, self.turn
        idle: i64 = self.idle >> ant if ant >= 0 else 0
        while idle:
            if idle & 1 and ants[ant] == NEST:
                return ant if self.board.beside[NEST] & ~self.webs else NOWHERE
            idle >>= 1
            ant += 1
        return NOWHERE

    def begin_turn(self) -> None:
        """Begin the turn of the first colony of the queue; nobody's, if there is none."""
        if self.queue:
            self.turn = self.queue[0] * COLONY
            self.idle = _COLONY_BITS << self.turn & ~self.new
        else:
            self.turn, self.idle = _NOBODYS, 0

    def next_turn(self) -> None:
        """Begin the turn of the next colony, or the spiders."""
        self.queue = self.queue[1:]
        self.begin_turn()
        if not self.queue:
            self.begin_spiders()

    # Spiders

    def begin_spiders(self) -> None:
        """Move the spiders, or let the first player choose for them first."""
        steps, spiders = self.spider_steps(), list[int]()
        bits: i64
        spider: i64 = 0
        for bits in steps:
            if bits & bits - 1:
                self.phase, self.chosen = SPIDERS, ()
                self.ways = tuple([self._sides(self.spiders[at], steps[at]) for at in range(len(steps))])
                return
            spiders.append(_slot_of(bits) if bits else self.spiders[spider])
            spider += 1  # noqa: SIM113 (mypyc counts faster so)
        self.ways = self.chosen = ()
        self._end_round(tuple(spiders))

    def _sides(self, slot: i64, reached: i64) -> str:
        """Return the sides at which some neighbours of a slot lie."""
        near, sides = self.board.near, 0
        side: i64
        for side in range(len(SIDES)):
            other: i64 = near[4 * slot + side]
            if other > NEST and reached >> other & 1:
                sides |= 1 << side
        return _NAMED[sides]

    def spider_steps(self) -> list[int]:
        """Return the slots to which each spider may step, as bits (ATTA-SPIDER-2 to 4); none if no spider moves.

        The search goes outwards from the targets, one step at a time (ATTA-SPIDER-3), until it reaches a spider.
        """
        steps, webs, beside = [0] * len(self.spiders), self.webs, self.board.beside
        ring: i64 = self.targets()
        seen: i64 = ring | 1 << NEST
        slot: i64
        while ring and webs & ~seen:
            around: i64 = 0
            for slot in LOWER[ring & LOW]:
                around |= beside[slot]
            for slot in UPPER[ring >> HALF]:
                around |= beside[slot]
            around &= ~seen
            seen |= around
            if around & webs:
                for spider, slot in enumerate(self.spiders):
                    if around >> slot & 1:
                        steps[spider] = beside[slot] & ring
            ring = around
        return steps

    def targets(self) -> i64:
        """Return the slots with the most ants, as bits; 0 when all ants are in the nest (ATTA-SPIDER-1, 2)."""
        crowds = self.crowds
        crowds[NEST] = 0
        most: i64 = 1
        targets: i64 = 0
        bit: i64 = 1
        crowd: i64
        for crowd in crowds:
            if crowd > most:
                most, targets = crowd, bit
            elif crowd == most:
                targets |= bit
            bit <<= 1
        return targets

    def next_choice(self) -> int:
        """Return the spider whose step is chosen next, by its place in the order (ATTA-SPIDER-5), or NOWHERE."""
        chosen, spider = len(self.chosen), 0
        for sides in self.ways:
            if len(sides) > 1:
                if not chosen:
                    return spider
                chosen -= 1
            spider += 1  # noqa: SIM113 (mypyc counts faster so)
        return NOWHERE

    def may_choose(self, spider: int, side: int) -> bool:
        """Return whether the first player may choose a side for a spider (ATTA-SPIDER-4, 5)."""
        return self.phase == SPIDERS and spider == self.next_choice() and SIDES[side] in self.ways[spider]

    def _choose(self, side: int) -> None:
        self.chosen = (*self.chosen, SIDES[side])
        if self.next_choice() != NOWHERE:
            return
        near, spiders, chosen = self.board.near, list[int](), 0
        slot: i64
        for slot in self.spiders:
            sides = self.ways[len(spiders)]
            if len(sides) > 1:
                sides = self.chosen[chosen]
                chosen += 1
            spiders.append(near[4 * slot + SIDES.find(sides)] if sides else slot)
        self._end_round(tuple(spiders))

    def _end_round(self, spiders: tuple[int, ...]) -> None:
        """Move all spiders at once and let them eat (ATTA-SPIDER-7); then begin the next round or end the game."""
        self.spiders, self.webs = spiders, _bits(spiders)
        for slot in spiders:
            if self.crowds[slot]:
                self._eat()
        if 0 in self.counts:
            self.out = self.out.union([seat for seat, count in enumerate(self.counts) if not count])
        rule = self._ending_rule()
        if rule:
            self.end(rule)
            return
        self.round += 1
        self.first = self.next_colony(self.first)
        self.phase, self.queue, self.new, self.ways, self.chosen = PLACE, (), 0, (), ()
        self.begin_turn()

    def _eat(self) -> None:
        webs = self.webs
        slot: i64
        for ant, slot in enumerate(self.ants):
            if slot >= 0 and webs >> slot & 1:
                self._remove(ant)
                self.eaten[ant // COLONY] += 1

    def _remove(self, ant: int) -> None:
        """Remove an ant from play; a leaf that it carried stays on its card."""
        slot = self.ants[ant]
        if slot >= 0:
            self.leaves[slot] += self.laden >> ant & 1
            self.laden &= ~(1 << ant)
            self.crowds[slot] -= 1
            self.counts[ant // COLONY] -= 1
            self.ants[ant] = NOWHERE

    # The end of a round and of the game

    def _ending_rule(self) -> str:
        """Return the rule by which the game is over at the end of a round (ATTA-END-2 to 4), if it is."""
        colonies = len(self.counts) - len(self.out)
        if not colonies or (colonies == 1 and self.table.edition.last_colony_wins):
            return "ATTA-END-2"
        if COLONY in self.counts:
            return "ATTA-END-3"
        return "" if self.stock else "ATTA-END-4"

    def next_colony(self, seat: int) -> int:
        """Return the next seat in seat order that is still in the game (ATTA-END-5)."""
        seats = len(self.counts)
        seat = (seat + 1) % seats
        while seat in self.out:
            seat = (seat + 1) % seats
        return seat

    def end(self, rule: str, how: Termination = Termination.PLAYED) -> None:
        """End the game."""
        merits = Merits(self.table.seats, self.counts, self.eaten, self.left, self.table.edition.eaten_decides)
        played = how == Termination.PLAYED
        self.outcome = ended(rule, merits) if played else ended_by_players(rule, merits, how)
        self.phase, self.queue, self.new, self.ways, self.chosen = OVER, (), 0, (), ()
        self.begin_turn()

    def leave(self, seat: int, how: Termination) -> None:
        """Remove a colony from the game: it resigned or ran out of time (ATTA-LEAVE-1, ATTA-LEAVE-2)."""
        for ant in range(seat * COLONY, (seat + 1) * COLONY):
            self._remove(ant)
        self.out, self.left = self.out | {seat}, (*self.left, seat)
        if len(self.counts) - len(self.out) <= 1:
            self.end("ATTA-LEAVE-1", how=how)
            return
        if seat == self.first:
            self.first = self.next_colony(seat)
        if self.phase == SPIDERS:
            self.begin_spiders()
        elif seat in self.queue[:1]:
            self.next_turn()
        else:
            self.queue = tuple([other for other in self.queue if other != seat])


def _slot_of(bit: i64) -> int:
    """Return the slot that a single bit stands for."""
    low = LOWER[bit & LOW]
    return low[0] if low else UPPER[bit >> HALF][0]


def _bits(slots: tuple[int, ...]) -> i64:
    found: i64 = 0
    slot: i64
    for slot in slots:
        found |= 1 << slot
    return found


__all__ = ["NO_WALK", "Position"]
