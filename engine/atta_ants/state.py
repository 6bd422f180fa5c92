"""A position of Atta Ants and the actions that lead from one to the next."""

from dataclasses import dataclass
from itertools import product
from typing import Any, Final, NamedTuple

from engine.atta_ants.board import NOWHERE, SIDES, Board, Card, Cell
from engine.rounds import Part, Round, state_of
from engine.ruleset import Outcome
from engine.words import words

COLONY: Final = 6
"""Ants of a colony, in play or not (ATTA-CARD-1)."""

COLONIES = {"R": words("Red"), "Y": words("Yellow"), "O": words("Orange"), "B": words("Brown")}
"""What people call the colonies, by the letters of the seats."""

ANT_NAMES = {f"{letter}{number}": at for at, (letter, number) in enumerate(product("RYOB", range(1, COLONY + 1)))}
"""Every ant that may be in a game, by its name."""
ABSENT: Final = len(ANT_NAMES)
"""Instead of the number of an ant whose colony does not play: no ant has it."""

PLACE: Final = "place"
ANTS: Final = "ants"
SPIDERS: Final = "spiders"
OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class Edition:
    """How the editions of the rules differ."""

    name: str
    last_colony_wins: bool
    """ATTA-END-2: the only colony left wins at the end of the round."""
    eaten_decides: bool
    """ATTA-RANK-1: with equally many ants in play, fewer ants eaten is better."""


class Table:
    """What stays the same throughout a game: the seats and the edition. The ruleset keeps one for each combination."""

    __slots__ = ("ants", "by_code", "edition", "numbers", "orders", "seats")

    def __init__(self, edition: Edition, seats: tuple[str, ...], *, by_code: bool) -> None:
        self.edition, self.seats = edition, seats
        self.by_code = by_code
        """Whether the deck is known card by card; else only how many leaf, spider and plain cards it holds."""
        names = [f"{seat}{number}" for seat in seats for number in range(1, COLONY + 1)]
        self.ants: dict[str, int] = {name: ant for ant, name in enumerate(names)}
        """The number of each ant, such as `R1`, throughout the game."""
        self.numbers: list[int] = [self.ants.get(name, ABSENT) for name in ANT_NAMES]
        """The same for every ant in ANT_NAMES, in their order; ABSENT for those of other colonies."""
        places = tuple(range(len(seats)))
        self.orders: list[tuple[int, ...]] = [places[first:] + places[:first] for first in places]
        """The seats in the order of their turns, for each that may be first player."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        known = "cards" if self.by_code else "symbols"
        return f"<Table {self.edition.name} {' '.join(self.seats)}, deck known by {known}>"

    def _values(self) -> tuple[Edition, tuple[str, ...], bool]:
        return self.edition, self.seats, self.by_code

    def ant_name(self, ant: int) -> str:
        """Return the name of an ant by its number."""
        return f"{self.seats[ant // COLONY]}{ant % COLONY + 1}"


class State(NamedTuple):
    """A position. Seats are numbered in seat order from 0, ants by `Table.ants`; sets of ants are bits."""

    table: Table
    board: Board
    stock: str
    """What may still come up, a character a card: of LETTERS, or of SYMBOL_LETTERS when the deck lists no cards."""
    round: int
    first: int
    """The seat that is first player in this round."""
    spiders: tuple[int, ...]
    """The slot of each spider, in the order in which they came into play."""
    phase: str
    queue: tuple[int, ...]
    """The seats whose turn in this round has not ended, the one to act first."""
    ants: tuple[int, ...]
    """The slot on which each ant stands; NOWHERE when it is not in play."""
    laden: int
    """The ants that carry a leaf."""
    moved: int
    """The ants that have moved in the turn under way."""
    new: int
    """The ants that came into play in this round."""
    leaves: tuple[int, ...]
    """How many leaves lie on each slot."""
    ways: tuple[str, ...]
    """While spiders are chosen for: the sides to which each of them may step."""
    chosen: tuple[str, ...]
    """The sides chosen so far for the spiders that have more than one way."""
    eaten: tuple[int, ...]
    out: frozenset[int]
    """The seats out of the game."""
    left: tuple[int, ...]
    """The seats that resigned or ran out of time, in that order."""
    outcome: Outcome | None

    @property
    def deck(self) -> int:
        """Cards not yet played."""
        return len(self.stock)


make_state = tuple.__new__
"""Makes a State of its fields in their order: by their names it would take five times as long."""


class Placing(NamedTuple):
    """`NE*@2,1`: a card is laid; `NE*@-`, without a cell: it is set aside."""

    card: Card
    cell: tuple[int, int] | None


class AntMove(NamedTuple):
    """`R1:+NN`: what an ant does, one part after the other: a step `N`, a leaf action `+`, `-` or `xY1`."""

    ant: str
    parts: tuple[str, ...]
    sides: tuple[int, ...]
    """For each part the side of the step, or NOWHERE for a leaf action."""


def ant_move(ant: str, parts: tuple[str, ...]) -> AntMove:
    """Return an ant's move from its parts."""
    return AntMove(ant, parts, tuple([SIDES.find(part) for part in parts]))


class EndTurn(NamedTuple):
    """`/`: a colony's turn ends."""


class SpiderStep(NamedTuple):
    """`S2:N`: the first player's choice for a spider."""

    number: int
    side: str


Action = Placing | AntMove | EndTurn | SpiderStep


def cell_name(cell: Cell) -> str:
    """Return a cell as records write it."""
    return f"{cell[0]},{cell[1]}"


def next_choice(state: State) -> int:
    """Return the spider whose step is chosen next, by its place in the order (ATTA-SPIDER-5)."""
    with_choice = [spider for spider, sides in enumerate(state.ways) if len(sides) > 1]
    return with_choice[len(state.chosen)]


def in_play(state: State, seat: int) -> int:
    """Return how many ants a colony has in play."""
    return COLONY - state.ants[seat * COLONY : (seat + 1) * COLONY].count(NOWHERE)


def outdone(state: State, first: list[int]) -> list[int]:
    """Return the seats with as many ants in play as the winner that rank lower because of ants eaten (ATTA-RANK-1)."""
    ants = in_play(state, first[0])
    others = (seat for seat in range(len(state.table.seats)) if seat not in first and seat not in state.left)
    return [seat for seat in others if in_play(state, seat) == ants]


def to_act(state: State) -> str | None:
    """Return the letter of the seat to act: in a turn its colony, otherwise the first player; None after the game."""
    if state.phase == OVER:
        return None
    return state.table.seats[state.queue[0] if state.phase == ANTS else state.first]


def round_of(state: State) -> Round:
    """Return how far the round has come: the card, the colonies' turns from the first player on, the spiders."""
    table = state.table
    playing = [seat for seat in table.orders[state.first] if seat not in state.out or seat in state.queue]
    turns = len(playing)
    now = {PLACE: 0, ANTS: turns + 1 - len(state.queue), SPIDERS: turns + 1, OVER: turns + 2}[state.phase]
    said = [(None, words("Card")), *((table.seats[seat], None) for seat in playing), (None, words("Spiders"))]
    parts = tuple(Part(state_of(at, now), seat, label) for at, (seat, label) in enumerate(said))
    return Round(words("Round {number}", number=state.round), parts)


def describe(state: State) -> dict[str, Any]:
    """Return the state as a replay shows it (the record format's description of the game)."""
    seats, cells = state.table.seats, [f"{x},{y}" for x, y in state.board.cells]
    over = state.phase == OVER
    return {
        "round": state.round,
        "phase": state.phase,
        "first": seats[state.first],
        "turn": to_act(state),
        "cards": {cell: card.code for cell, card in zip(cells, state.board.cards, strict=True)},
        "leaves": {cell: count for cell, count in zip(cells, state.leaves, strict=True) if count},
        "ants": {
            state.table.ant_name(ant): {
                "at": cells[slot],
                "leaf": bool(state.laden >> ant & 1),
                "moved": not over and bool(state.moved >> ant & 1),
                "new": not over and bool(state.new >> ant & 1),
            }
            for ant, slot in enumerate(state.ants)
            if slot != NOWHERE
        },
        "spiders": {f"S{i}": cells[slot] for i, slot in enumerate(state.spiders, 1)},
        "deck": state.deck,
        "eaten": dict(zip(seats, state.eaten, strict=True)),
        "out": [seats[seat] for seat in sorted(state.out)],
        "placements": list(state.outcome.placements) if state.outcome else None,
    }
