"""When two positions of Atta Ants are the same: also turned or mirrored, in other colours, with ants renumbered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from engine.atta_ants.board import CARDS, NEST, NOWHERE, RING, SIDES, Cell
from engine.atta_ants.likeness import SYMMETRIES, Symmetry, views
from engine.atta_ants.rules.position import Position
from engine.atta_ants.rules.steps import MOVE, Step
from engine.atta_ants.state import COLONY, OVER, State, cell_name
from engine.positions import MASK, PositionParts, Weights, beside_number

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

_AT: Final = "@"
_LEAF: Final = "leaf"
_SPIDER: Final = "spider"
_RING: Final = slice(NEST + 1, NEST + 1 + len(RING))
"""The slots of the ring."""
_FLAGS: Final = 8
"""What an ant may be: laden, moved in this turn, come into play in this round."""


def _seen(symmetry: Symmetry) -> Callable[[str], str]:
    def seen(mark: str) -> str:
        what, _, place = mark.partition(_AT)
        if what in CARDS:
            return symmetry.placing(mark)
        x, y = map(int, place.split(","))
        if what[:-1] == _SPIDER:
            what = _SPIDER + symmetry.side(what[-1])
        return f"{what}{_AT}{cell_name(symmetry.cell(x, y))}"

    return seen


_WEIGHTS: Final = Weights([_seen(symmetry) for symmetry in SYMMETRIES])


def _ant(seat: int, flags: int, cell: Cell) -> str:
    return f"ant{seat}{flags}{_AT}{cell_name(cell)}"


def _marks(state: State) -> Iterator[str]:
    cells = state.board.cells
    for cell, card, leaves in zip(cells, state.board.cards, state.leaves, strict=True):
        yield f"{card.code}{_AT}{cell_name(cell)}"
        yield from [f"{_LEAF}{_AT}{cell_name(cell)}"] * leaves
    for ant, slot in enumerate(state.ants):
        if slot >= 0:
            yield _ant(ant // COLONY, _flags_of(state, ant), cells[slot])
    for slot, side in zip(state.spiders, _sides(state), strict=True):
        yield f"{_SPIDER}{side}{_AT}{cell_name(cells[slot])}"


def _flags_of(of: State | Position, ant: int) -> int:
    return (of.laden >> ant & 1) + 2 * (of.moved >> ant & 1) + 4 * (of.new >> ant & 1)


def _sides(of: State | Position) -> Sequence[str]:
    """Return for each spider the side that was chosen for it; empty where none was."""
    if not of.chosen:
        return [""] * len(of.spiders)
    chosen = iter(of.chosen)
    return [next(chosen, "") if len(sides) > 1 else "" for sides in of.ways]


def _beside(of: State | Position) -> tuple[Hashable, ...]:
    """Return whose turn it is; and who is out of the game and how many ants of each colony were eaten."""
    return _turn(of), _losses(of)


def _turn(of: State | Position) -> Hashable:
    seats = len(of.table.seats)
    return (OVER, seats) if of.phase == OVER else (of.phase, seats, of.first, of.queue)


def _losses(of: State | Position) -> Hashable:
    return tuple(of.eaten), tuple(sorted(of.out)), of.left


class _Site:
    """What everything weighs on one cell."""

    __slots__ = ("_name", "ants", "cards", "leaf", "spiders")

    def __init__(self, cell: Cell) -> None:
        self._name = name = cell_name(cell)
        self.cards: dict[str, int] = {}
        seats = range(len(SIDES))
        self.ants = [_WEIGHTS.first(_ant(seat, flags, cell)) for seat in seats for flags in range(_FLAGS)]
        """By its flags those of the first seat, then those of the second, and so on."""
        self.leaf = _WEIGHTS.first(f"{_LEAF}{_AT}{name}")
        self.spiders = {side: _WEIGHTS.first(f"{_SPIDER}{side}{_AT}{name}") for side in ("", *SIDES)}

    def card(self, code: str) -> int:
        """Return what a card weighs here."""
        found = self.cards.get(code)
        if found is None:
            found = self.cards[code] = _WEIGHTS.first(f"{code}{_AT}{self._name}")
        return found


_SITES: Final[dict[Cell, _Site]] = {}
"""The cells that came up so far: there are no more than cards reach."""


class _View(dict[Cell, _Site]):
    """Where each cell is seen in a symmetry."""

    def __init__(self, symmetry: Symmetry) -> None:
        super().__init__()
        self.symmetry = symmetry

    def __missing__(self, cell: Cell) -> _Site:
        seen = self.symmetry.cell(*cell)
        site = _SITES.get(seen)
        if site is None:
            site = _SITES[seen] = _Site(seen)
        self[cell] = site
        return site


_VIEWS: Final = [_View(symmetry) for symmetry in SYMMETRIES]


class _Tally:
    """The sum of the weights of all marks, as one symmetry sees them, of a position that is changed in place.

    It is kept up to date action by action.
    """

    __slots__ = (
        "_each", "_laden", "_leaves", "_moved", "_new", "_position", "_sites", "_slots", "_spiders", "_view", "total",
    )  # fmt: skip

    total: i64
    _laden: i64
    _moved: i64
    _new: i64
    _spiders: i64

    def __init__(self, position: Position, view: int) -> None:
        self._position = position
        self._view = _VIEWS[view]
        self.total = 0
        self._sites: list[_Site] = []
        self._leaves: list[int] = []
        self._slots = [NOWHERE] * len(position.ants)
        self._each = [0] * len(position.ants)
        """What each ant adds."""
        self._laden = self._moved = self._new = self._spiders = 0
        self.follow()

    def follow(self) -> None:
        """Bring the sum up to date after any action."""
        position = self._position
        if len(self._sites) < len(position.board.cells):
            self._add_cards()
        if position.ants != self._slots:
            for ant, slot in enumerate(position.ants):
                if slot != self._slots[ant]:
                    self._weigh(ant)
        self.follow_move()
        self.total -= self._spiders
        self._spiders = self._spiders_now()
        self.total += self._spiders

    def follow_move(self) -> None:
        """Bring the sum up to date after an ant's move: every ant that changes its place has other flags then, too."""
        position = self._position
        laden, moved, new = position.laden, position.moved, position.new
        changed: i64 = laden ^ self._laden | moved ^ self._moved | new ^ self._new
        self._laden, self._moved, self._new = laden, moved, new
        ant: i64 = 0
        while changed:
            if changed & 1:
                self._weigh(ant)
            changed >>= 1
            ant += 1
        if position.leaves != self._leaves:
            self._count_leaves()

    def _weigh(self, ant: i64) -> None:
        slot = self._position.ants[ant]
        weight: i64 = 0
        if slot >= 0:
            flags: i64 = (self._laden >> ant & 1) + 2 * (self._moved >> ant & 1) + 4 * (self._new >> ant & 1)
            weight = self._sites[slot].ants[_FLAGS * (ant // COLONY) + flags]
        self.total += weight - self._each[ant]
        self._each[ant], self._slots[ant] = weight, slot

    def _count_leaves(self) -> None:
        known = self._leaves
        for slot, count in enumerate(self._position.leaves):
            if count != known[slot]:
                self.total += self._sites[slot].leaf * (count - known[slot])
                known[slot] = count

    def _spiders_now(self) -> int:
        """Return what all spiders add."""
        position, found = self._position, 0
        if not position.chosen:
            for slot in position.spiders:
                found += self._sites[slot].spiders[""]
            return found
        symmetry = self._view.symmetry
        for slot, side in zip(position.spiders, _sides(position), strict=True):
            found += self._sites[slot].spiders[symmetry.side(side)]
        return found

    def _add_cards(self) -> None:
        board, known, codes = self._position.board, len(self._sites), self._view.symmetry.codes
        for cell, card in zip(board.cells[known:], board.cards[known:], strict=True):
            site = self._view[cell]
            self._sites.append(site)
            self._leaves.append(0)
            self.total += site.card(codes[card.code])


def _views(state: State) -> list[int]:
    """Return the symmetries that show the ring in the form chosen for it: its cards never change."""
    return views([card.code for card in state.board.cards[_RING]])


def _along(state: State, steps: Sequence[Step], _over: State | None) -> tuple[list[int], Callable[[], State]]:
    """Return the numbers of a position and of those after some legal actions, and what returns the last of them."""
    position = Position(state)
    tallies = [_Tally(position, view) for view in _views(state)]
    losses: i64 = beside_number(_losses(position))
    beside: i64 = beside_number(_turn(position)) + losses
    eaten, out = list(position.eaten), position.out
    numbers = [_number(tallies, beside)]
    for step in steps:
        position.play([step])
        if step.kind == MOVE:
            for tally in tallies:
                tally.follow_move()
        else:
            for tally in tallies:
                tally.follow()
            if position.eaten != eaten or position.out != out:
                losses, eaten, out = beside_number(_losses(position)), list(position.eaten), position.out
            beside = beside_number(_turn(position)) + losses
        numbers.append(_number(tallies, beside))
    return numbers, position.state


def _number(tallies: list[_Tally], beside: i64) -> int:
    least: i64 = tallies[0].total
    for tally in tallies:
        least = min(least, tally.total)
    return least + beside & MASK


POSITIONS: Final = PositionParts(weights=_WEIGHTS, marks=_marks, beside=_beside, views=_views, along=_along)

__all__ = ["POSITIONS"]
