"""Cards, their trails, and the plane on which they lie: only geometry, no rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

    Around = tuple[i64, i64, i64, i64]
    """The slots north, east, south and west of a cell; NOWHERE where there is none."""

SIDES: Final = "NESW"
NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3
STEP = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""How x and y change by a step to each side; y grows north (ATTA-PLACE-1)."""

PLAIN: Final = ""
LEAF: Final = "*"
SPIDER: Final = "#"
LEAVES_ON_A_CARD: Final = 2
NEST: Final = 0
"""The slot of the nest: cards are known by the order in which they came, and the nest was first."""
NOWHERE: Final = -1

NO_ROOM: Final = (-2, -2, -2, -2)
"""Instead of the slots around a cell on which a card may not be laid."""

Cell = tuple[int, int]


class Card:
    """A card as it lies (ATTA-CARD-2). There is one object for each, so two of them are the same or differ."""

    __slots__ = ("code", "edges", "joined", "kind", "letter", "symbol", "through")

    edges: i64
    """Bit s is set when a trail reaches side s."""
    through: i64
    """What `joined` says in one number: four bits for each side."""

    def __init__(self, code: str, symbol: str, joined: tuple[int, int, int, int], kind: str) -> None:
        self.code, self.symbol = code, symbol
        self.joined = joined
        """For each side, the sides that its trail reaches as bits, itself among them; 0 for grass."""
        self.edges = sum([1 << side for side, sides in enumerate(joined) if sides])
        self.through = sum([sides << 4 * side for side, sides in enumerate(joined)])
        self.kind = kind
        """The same for all rotations of a card and for no other: the first of their codes."""
        self.letter = ""
        """The same in one character (see `LETTERS`)."""

    def __repr__(self) -> str:
        return self.code


def letter_of(card: Card, *, by_code: bool) -> str:
    """Return what stands for a card in the deck: for its kind if the deck lists its cards, else for its symbol."""
    return card.letter if by_code else SYMBOL_LETTERS[card.symbol]


def leaves_on(card: Card) -> int:
    """Return how many leaves a card brings with it (ATTA-SETUP-2)."""
    return LEAVES_ON_A_CARD if card.symbol == LEAF else 0


def opposite(side: int) -> int:
    """Return the side that faces a side."""
    return side ^ 2


def _partitions(sides: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every way to divide some of the sides among trails that do not meet."""
    if not sides:
        yield ()
        return
    first, rest = sides[0], sides[1:]
    for trails in _partitions(rest):
        yield trails
        yield ((first,), *trails)
        for i, trail in enumerate(trails):
            yield tuple(sorted((*trails[:i], (first, *trail), *trails[i + 1 :])))


def _code(trails: Iterable[Iterable[int]]) -> str:
    return "|".join("".join(SIDES[side] for side in sorted(trail)) for trail in sorted(map(sorted, trails))) or "."


def _turned(trails: Iterable[Iterable[int]], quarters: int) -> list[list[int]]:
    return [[(side + quarters) % 4 for side in trail] for trail in trails]


def _card(trails: tuple[tuple[int, ...], ...], symbol: str) -> Card:
    masks = {side: sum(1 << other for other in trail) for trail in trails for side in trail}
    joined = masks.get(0, 0), masks.get(1, 0), masks.get(2, 0), masks.get(3, 0)
    kind = min(_code(_turned(trails, quarters)) for quarters in range(4)) + symbol
    return Card(_code(trails) + symbol, symbol, joined, kind)


def _plainest_first(trails: tuple[tuple[int, ...], ...]) -> tuple[int, int, tuple[tuple[int, ...], ...]]:
    return len(trails), -sum(map(len, trails)), trails


CARDS: dict[str, Card] = {
    card.code: card
    for symbol in (PLAIN, LEAF, SPIDER)
    for trails in sorted(set(_partitions((NORTH, EAST, SOUTH, WEST))), key=_plainest_first)
    for card in (_card(trails, symbol),)
}
"""Every card that can be written, by its code: 52 courses of trails, with leaf, spider or neither."""

SYMBOL_LETTERS: Final = {LEAF: "*", SPIDER: "#", PLAIN: "."}
"""What stands for a card in a deck of which only the symbols are known."""
LETTERS: Final = {kind: chr(ord("A") + at) for at, kind in enumerate(sorted({card.kind for card in CARDS.values()}))}
"""What stands for a card in a deck that lists its cards: a character for each kind, in the order of the kinds."""
KINDS: Final = {letter: kind for kind, letter in LETTERS.items()}
for _each in CARDS.values():
    _each.letter = LETTERS[_each.kind]

NEST_CARD = CARDS["NESW"]
"""ATTA-CARD-3: the nest is a crossing."""


_ROW: Final = 64
"""How much greater the number of a cell is than that of the cell south of it."""
_REACH: Final = 24
"""Cards reach no further from the nest: there are 24 with the nest, 9 of them side by side (ATTA-CARD-1)."""
_BEYOND: Final = _ROW * _ROW
"""The number of all cells that are further away. None of those beside it has a card."""


def cell_number(cell: Cell) -> int:
    """Return a number by which the slot of a cell is found."""
    x, y = cell
    return x + _ROW * y if -_REACH <= x <= _REACH and -_REACH <= y <= _REACH else _BEYOND


class Board:
    """The cards on the table. A slot is a card's number in the order in which they were laid, from 0, the nest.

    A board that is part of a state is not changed any more: `Position` lays cards on a copy.
    """

    __slots__ = ("_at", "beside", "cards", "cells", "near", "trails")

    def __init__(
        self, cells: list[Cell], cards: list[Card], near: list[int], beside: list[int], trails: list[int],
        at: dict[int, int],
    ) -> None:  # fmt: skip
        self.cells, self.cards = cells, cards
        self.near = near
        """What is around each slot, four numbers a slot: at `4 * slot + side` the slot at its side."""
        self.beside = beside
        """The same as bits, one number a slot."""
        self.trails = trails
        """For each slot, what `Card.through` says."""
        self._at = at
        """The slot of each cell that holds a card, by the cell's number."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.cells == other.cells and self.cards == other.cards

    def __hash__(self) -> int:
        return hash((tuple(self.cells), tuple(self.cards)))

    def __repr__(self) -> str:
        laid = [f"{card.code}@{x},{y}" for (x, y), card in zip(self.cells, self.cards, strict=True)]
        return f"<Board {' '.join(laid)}>"

    def copy(self) -> Board:
        """Return a board with the same cards, to lay others on it."""
        return Board(
            self.cells.copy(), self.cards.copy(), self.near.copy(), self.beside.copy(), self.trails.copy(),
            self._at.copy(),
        )  # fmt: skip

    def with_cards(self, cards: list[Card]) -> Board:
        """Return a board with other cards in the same places."""
        return Board(self.cells, cards, self.near, self.beside, [card.through for card in cards], self._at)

    def slot_at(self, cell: Cell) -> int:
        """Return the slot of a cell; NOWHERE if it has no card."""
        return self._at.get(cell_number(cell), NOWHERE)

    def around(self, slot: int) -> list[int]:
        """Return the slots north, east, south and west of a slot; NOWHERE where there is none."""
        return self.near[4 * slot : 4 * slot + 4]

    def room(self, number: i64, edges: i64) -> Around:
        """Return the slots around a cell, by its number; NO_ROOM if such edges do not fit there (ATTA-PLACE-2)."""
        at, trails = self._at, self.trails
        north: i64 = at.get(number + _ROW, NOWHERE)
        east: i64 = at.get(number + 1, NOWHERE)
        south: i64 = at.get(number - _ROW, NOWHERE)
        west: i64 = at.get(number - 1, NOWHERE)
        if north & east & south & west < 0 or number in at:  # all are NOWHERE, -1, if the sign is left of all
            return NO_ROOM
        if (
            (north >= 0 and (trails[north] >> _TRAIL_SOUTH ^ edges >> NORTH) & 1)
            or (east >= 0 and (trails[east] >> _TRAIL_WEST ^ edges >> EAST) & 1)
            or (south >= 0 and (trails[south] >> _TRAIL_NORTH ^ edges >> SOUTH) & 1)
            or (west >= 0 and (trails[west] >> _TRAIL_EAST ^ edges >> WEST) & 1)
        ):
            return NO_ROOM
        return north, east, south, west

    def lay(self, cell: Cell, number: i64, card: Card, around: Around) -> None:
        """Lay a card without checking whether it fits."""
        slot: i64 = len(self.cells)
        north, east, south, west = around
        near = self.near
        near.append(north)
        near.append(east)
        near.append(south)
        near.append(west)
        self.beside.append(0)
        if north >= 0:
            self._join(slot, north, SOUTH)
        if east >= 0:
            self._join(slot, east, WEST)
        if south >= 0:
            self._join(slot, south, NORTH)
        if west >= 0:
            self._join(slot, west, EAST)
        self.cells.append(cell)
        self.cards.append(card)
        self.trails.append(card.through)
        self._at[number] = slot

    def _join(self, slot: i64, other: i64, side: i64) -> None:
        """Note that a new slot is at a side of another one."""
        self.near[4 * other + side] = slot
        self.beside[other] |= 1 << slot
        self.beside[slot] |= 1 << other


_TRAIL_NORTH: Final = 5 * NORTH
_TRAIL_EAST: Final = 5 * EAST
_TRAIL_SOUTH: Final = 5 * SOUTH
_TRAIL_WEST: Final = 5 * WEST
"""The bits of `Card.through` that say whether a trail reaches a side: whether that side is joined to itself."""

NEST_ALONE: Final = Board([(0, 0)], [NEST_CARD], [NOWHERE] * len(SIDES), [0], [NEST_CARD.through], {0: NEST})


def lay(board: Board, cell: Cell, card: Card) -> Board:
    """Return the board with one more card, without checking whether it fits."""
    more = board.copy()
    north, east, south, west = slots_around(board, cell)
    more.lay(cell, cell_number(cell), card, (north, east, south, west))
    return more


def slots_around(board: Board, cell: Cell) -> tuple[int, int, int, int]:
    """Return the cards beside a cell; NOWHERE where there is none."""
    x, y = cell
    find = board.slot_at
    return find((x, y + 1)), find((x + 1, y)), find((x, y - 1)), find((x - 1, y))


RING: tuple[Cell, ...] = ((-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))
"""ATTA-SETUP-1: north-west, north, north-east, west, east, south-west, south, south-east of the nest."""


def _ring_of(card: Card) -> Board:
    board = NEST_ALONE
    for cell in RING:
        board = lay(board, cell, card)
    return board


_RING = _ring_of(NEST_CARD)


def lay_ring(ring: Sequence[Card]) -> Board:
    """Return the nest and the cards around it, in the order of RING, without checking whether they fit."""
    cards = [NEST_CARD, *ring]
    return _RING.with_cards(cards)


def _meetings() -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return, for each place in the ring, the sides on which a card meets earlier slots, and those slots."""
    slots = range(NEST + 1, NEST + 1 + len(RING))
    around = [tuple(enumerate(_RING.around(slot))) for slot in slots]
    return tuple([
        tuple([(side, other) for side, other in sides if NOWHERE < other < slot])
        for slot, sides in zip(slots, around, strict=True)
    ])  # fmt: skip


_MEETINGS: Final = _meetings()


def fits_ring(card: Card, place: int, cards: Sequence[Card]) -> bool:
    """Return whether a card at a place in the ring meets earlier ones trail to trail, grass to grass (ATTA-PLACE-2).

    :param cards: the nest and the cards of the ring before this place, and any after them.
    """
    for side, other in _MEETINGS[place]:  # noqa: SIM110 (a generator for each of many thousand cards is slow)
        if card.edges >> side & 1 != cards[other].edges >> (side ^ 2) & 1:
            return False
    return True


def misfit(cards: Sequence[Card]) -> int | None:
    """Return the first slot of the nest and the ring, or its beginning, whose card does not fit (ATTA-PLACE-2)."""
    for slot in range(NEST + 1, len(cards)):
        if not fits_ring(cards[slot], slot - 1, cards):
            return slot
    return None


_FACING: Final = tuple([edges >> 2 | edges << 2 & 15 for edges in range(16)])
"""For the sides of a card, as bits, those that face them."""


def edges_wanted(board: Board, around: Sequence[int]) -> tuple[int, int]:
    """Return the sides with a neighbouring card, and those of them with a trail, both as bits."""
    facing, trails, side, cards = 0, 0, 1, board.cards
    for slot in around:
        if slot >= 0:
            facing |= side
            if _FACING[cards[slot].edges] & side:
                trails |= side
        side += side
    return facing, trails


def open_cells(board: Board) -> list[Cell]:
    """Return the empty cells next to a card, from south-west to north-east."""
    beside = {(x + dx, y + dy) for x, y in board.cells for dx, dy in STEP}
    return sorted(beside.difference(board.cells), key=lambda cell: (cell[1], cell[0]))


def places(board: Board, kind: str) -> bool:
    """Return whether a card of a kind fits anywhere, in any rotation."""
    wanted = [edges_wanted(board, slots_around(board, cell)) for cell in open_cells(board)]
    return any(card.edges & facing == trails for card in ROTATIONS[kind] for facing, trails in wanted)


HALF: Final = 12
"""Slots are found from their bits in two halves: there are at most twice as many (ATTA-CARD-1)."""
LOW: Final = (1 << HALF) - 1
LOWER: Final = tuple([tuple([slot for slot in range(HALF) if bits >> slot & 1]) for bits in range(LOW + 1)])
UPPER: Final = tuple([tuple([HALF + slot for slot in slots]) for slots in LOWER])
"""The slots of a half, by the number that its bits make."""


def distances(board: Board, targets: Iterable[int], seekers: Iterable[int]) -> list[int]:
    """Return for each slot the steps to the nearest target, never through the nest (ATTA-SPIDER-3).

    -1 for the nest and for slots further away than every seeker.
    """
    steps, queue = [-1] * len(board.cells), list(targets)
    for slot in queue:
        steps[slot] = 0
    sought = set(seekers).difference(queue)
    for slot in queue:
        further = steps[slot] + 1
        for other in board.around(slot):
            if other > NEST and steps[other] < 0:
                steps[other] = further
                queue.append(other)
                if other in sought:
                    sought.remove(other)
        if not sought:
            break
    return steps


def turned(card: Card, quarters: int) -> Card:
    """Return a card turned clockwise by some quarters."""
    trails = {sides for sides in card.joined if sides}
    sides = [[side for side in range(len(SIDES)) if trail >> side & 1] for trail in trails]
    return CARDS[_code(_turned(sides, quarters)) + card.symbol]


def _rotations() -> dict[str, tuple[Card, ...]]:
    kinds: dict[str, list[Card]] = {}
    for card in CARDS.values():
        kinds.setdefault(card.kind, []).append(card)
    return {kind: tuple(cards) for kind, cards in kinds.items()}


ROTATIONS = _rotations()
"""The cards of each kind as they may lie."""
