"""Cards, their trails, and the plane on which they lie: only geometry, no rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

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

Cell = tuple[int, int]
Around = tuple[int, ...]
"""The slots north, east, south and west of a cell; NOWHERE where there is none."""
NOBODY: Final[Around] = (NOWHERE, NOWHERE, NOWHERE, NOWHERE)


class Card(NamedTuple):
    """A card as it lies (ATTA-CARD-2)."""

    code: str
    symbol: str
    edges: int
    """Bit s is set when a trail reaches side s."""
    joined: tuple[int, int, int, int]
    """For each side, the sides that its trail reaches as bits, itself among them; 0 for grass."""
    through: int
    """The same in one number: four bits for each side."""
    kind: str
    """The same for all rotations of a card and for no other: the first of their codes."""


def kind_of(card: Card, *, by_code: bool) -> str:
    """Return how a card is counted in the deck: as itself if the deck lists its cards, else by its symbol."""
    return card.kind if by_code else card.symbol


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
    return Card(
        code=_code(trails) + symbol,
        symbol=symbol,
        edges=sum(1 << side for side in masks),
        joined=joined,
        through=sum(sides << 4 * side for side, sides in enumerate(joined)),
        kind=min(_code(_turned(trails, quarters)) for quarters in range(4)) + symbol,
    )


def _plainest_first(trails: tuple[tuple[int, ...], ...]) -> tuple[int, int, tuple[tuple[int, ...], ...]]:
    return len(trails), -sum(map(len, trails)), trails


CARDS: dict[str, Card] = {
    card.code: card
    for symbol in (PLAIN, LEAF, SPIDER)
    for trails in sorted(set(_partitions((NORTH, EAST, SOUTH, WEST))), key=_plainest_first)
    for card in (_card(trails, symbol),)
}
"""Every card that can be written, by its code: 52 courses of trails, with leaf, spider or neither."""

NEST_CARD = CARDS["NESW"]
"""ATTA-CARD-3: the nest is a crossing."""


class _Places(dict[Cell, int]):
    """A dictionary that is never changed once it is made, so that it can be part of a hashable value."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return len(self)

    def __eq__(self, other: object) -> bool:
        # Repeated here because a compiled class that defines its own hash does not inherit the comparison.
        return dict.__eq__(self, other)


class Board(NamedTuple):
    """The cards on the table. A slot is a card's number in the order in which they were laid, from 0, the nest."""

    cells: tuple[Cell, ...]
    cards: tuple[Card, ...]
    near: tuple[int, ...]
    """What is around each slot, four numbers a slot: at `4 * slot + side` the slot at its side."""
    beside: tuple[int, ...]
    """The same as bits, one number a slot."""
    trails: tuple[int, ...]
    """For each slot, what `Card.through` says."""
    at: _Places
    """The slot of each cell that holds a card."""

    def around(self, slot: int) -> tuple[int, ...]:
        """Return the slots north, east, south and west of a slot; NOWHERE where there is none."""
        return self.near[4 * slot : 4 * slot + 4]


NEST_ALONE = Board(((0, 0),), (NEST_CARD,), NOBODY, (0,), (NEST_CARD.through,), _Places({(0, 0): NEST}))


class Plane:
    """A mutable `Board`, to which cards are added in place."""

    __slots__ = ("_laid", "at", "beside", "cards", "cells", "near", "trails")

    def __init__(self, board: Board) -> None:
        self._laid: Board | None = board
        self.cells, self.cards = list(board.cells), list(board.cards)
        self.near, self.beside, self.trails = list(board.near), list(board.beside), list(board.trails)
        self.at: dict[Cell, int] = board.at

    def lay(self, cell: Cell, card: Card, around: Around) -> None:
        """Lay a card without checking whether it fits."""
        if self._laid is not None:
            self._laid, self.at = None, dict(self.at)
        near, beside = self.near, self.beside
        slot: i64 = len(self.cells)
        side: i64 = 0
        bits: i64 = 0
        other: i64
        for other in around:
            if other >= 0:
                near[4 * other + (side ^ 2)] = slot
                beside[other] |= 1 << slot
                bits |= 1 << other
            side += 1  # noqa: SIM113 (mypyc counts faster so)
        near += around
        beside.append(bits)
        self.cells.append(cell)
        self.cards.append(card)
        self.trails.append(card.through)
        self.at[cell] = slot

    def board(self) -> Board:
        """Return the plane as a value."""
        if self._laid is None:
            self._laid = Board(
                tuple(self.cells), tuple(self.cards), tuple(self.near), tuple(self.beside), tuple(self.trails),
                _Places(self.at),
            )  # fmt: skip
        return self._laid


def lay(board: Board, cell: Cell, card: Card) -> Board:
    """Return the board with one more card, without checking whether it fits."""
    plane = Plane(board)
    plane.lay(cell, card, slots_around(board, cell))
    return plane.board()


def slots_around(board: Board | Plane, cell: Cell) -> Around:
    """Return the cards beside a cell."""
    x, y = cell
    find = board.at.get
    return find((x, y + 1), NOWHERE), find((x + 1, y), NOWHERE), find((x, y - 1), NOWHERE), find((x - 1, y), NOWHERE)


RING: tuple[Cell, ...] = ((-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))
"""ATTA-SETUP-1: north-west, north, north-east, west, east, south-west, south, south-east of the nest."""


def _ring_of(card: Card) -> Board:
    board = NEST_ALONE
    for cell in RING:
        board = lay(board, cell, card)
    return board


_RING = _ring_of(NEST_CARD)


def lay_ring(ring: tuple[Card, ...]) -> Board:
    """Return the nest and the cards around it, in the order of RING, without checking whether they fit."""
    cards = (NEST_CARD, *ring)
    return Board(_RING.cells, cards, _RING.near, _RING.beside, tuple([card.through for card in cards]), _RING.at)


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


def edges_wanted(board: Board | Plane, around: Around) -> tuple[int, int]:
    """Return the sides with a neighbouring card, and those of them with a trail, both as bits."""
    facing, trails, side, cards = 0, 0, 1, board.cards
    for slot in around:
        if slot >= 0:
            facing |= side
            if _FACING[cards[slot].edges] & side:
                trails |= side
        side += side
    return facing, trails


def open_cells(board: Board | Plane) -> list[Cell]:
    """Return the empty cells next to a card, from south-west to north-east."""
    beside = {(x + dx, y + dy) for x, y in board.cells for dx, dy in STEP}
    return sorted(beside - board.at.keys(), key=lambda cell: (cell[1], cell[0]))


def places(board: Board | Plane, kind: str) -> bool:
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
