"""When two positions of Atta Ants are the same: also turned or mirrored, in other colours, with ants renumbered."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

from engine.atta_ants.board import CARDS, NOWHERE, SIDES, Cell
from engine.atta_ants.likeness import SYMMETRIES, Symmetry
from engine.atta_ants.rules.position import Position
from engine.atta_ants.rules.steps import MOVE, Step
from engine.atta_ants.state import COLONY, OVER, State, cell_name
from engine.positions import PositionParts, Weights, beside_number

_AT: Final = "@"
_LEAF: Final = "leaf"
_SPIDER: Final = "spider"
_FLAGS: Final = 8
"""What an ant may be: laden, moved in this turn, come into play in this round."""


def _seen(symmetry: Symmetry) -> Callable[[str], str]:
    def seen(mark: str) -> str:
        what, _, place = mark.partition(_AT)
        if what in CARDS:
            return symmetry[mark]
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


def _beside(of: State | Position) -> Hashable:
    """Return whose turn it is, who is out of the game and how many ants of each colony were eaten."""
    seats, eaten, out = len(of.table.seats), tuple(of.eaten), tuple(sorted(of.out))
    if of.phase == OVER:
        return OVER, seats, eaten, out, of.left
    return of.phase, seats, of.first, of.queue, eaten, out, of.left


class _Site:
    """What everything weighs on one cell."""

    __slots__ = ("_cards", "_name", "ants", "leaf", "spiders")

    def __init__(self, cell: Cell) -> None:
        self._name = name = cell_name(cell)
        self._cards: dict[str, int] = {}
        seats = range(len(SIDES))
        self.ants = [[_WEIGHTS[_ant(seat, flags, cell)] for flags in range(_FLAGS)] for seat in seats]
        self.leaf = _WEIGHTS[f"{_LEAF}{_AT}{name}"]
        self.spiders = {side: _WEIGHTS[f"{_SPIDER}{side}{_AT}{name}"] for side in ("", *SIDES)}

    def card(self, code: str) -> int:
        """Return what a card weighs here."""
        found = self._cards.get(code)
        if found is None:
            found = self._cards[code] = _WEIGHTS[f"{code}{_AT}{self._name}"]
        return found


class _Sites(dict[Cell, _Site]):
    """The cells that came up so far: there are no more than cards reach."""

    def __missing__(self, cell: Cell) -> _Site:
        found = self[cell] = _Site(cell)
        return found


_SITES: Final = _Sites()


class _Tally:
    """The sum of the weights of all marks of a position that is changed in place, kept up to date action by action."""

    __slots__ = ("_each", "_laden", "_leaves", "_moved", "_new", "_position", "_sites", "_slots", "_spiders", "total")

    def __init__(self, position: Position) -> None:
        self._position = position
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
        if len(self._sites) < len(position.plane.cells):
            self._add_cards()
        if position.ants != self._slots:
            for ant, slot in enumerate(position.ants):
                if slot != self._slots[ant]:
                    self._weigh(ant)
        self.follow_move()
        sites, sides = self._sites, _sides(position)
        spiders = sum([sites[slot].spiders[side] for slot, side in zip(position.spiders, sides, strict=True)])
        self.total += spiders - self._spiders
        self._spiders = spiders

    def follow_move(self) -> None:
        """Bring the sum up to date after an ant's move: every ant that changes its place has other flags then, too."""
        position = self._position
        laden, moved, new = position.laden, position.moved, position.new
        changed: int = laden ^ self._laden | moved ^ self._moved | new ^ self._new
        self._laden, self._moved, self._new = laden, moved, new
        while changed:
            ant = changed.bit_length() - 1
            changed ^= 1 << ant
            self._weigh(ant)
        if position.leaves != self._leaves:
            self._count_leaves()

    def _weigh(self, ant: int) -> None:
        position = self._position
        slot = position.ants[ant]
        weight = self._sites[slot].ants[ant // COLONY][_flags_of(position, ant)] if slot >= 0 else 0
        self.total += weight - self._each[ant]
        self._each[ant], self._slots[ant] = weight, slot

    def _count_leaves(self) -> None:
        known = self._leaves
        for slot, count in enumerate(self._position.leaves):
            if count != known[slot]:
                self.total += self._sites[slot].leaf * (count - known[slot])
                known[slot] = count

    def _add_cards(self) -> None:
        plane, known = self._position.plane, len(self._sites)
        for cell, card in zip(plane.cells[known:], plane.cards[known:], strict=True):
            site = _SITES[cell]
            self._sites.append(site)
            self._leaves.append(0)
            self.total += site.card(card.code)


def _along(state: State, steps: Sequence[Step], _over: State | None) -> list[int]:
    """Return the numbers of a position and of those after some legal actions."""
    position = Position(state)
    tally = _Tally(position)
    beside = beside_number(_beside(position))
    totals, besides = [tally.total], [beside]
    for step in steps:
        position.play((step,))
        if step[0] == MOVE:
            tally.follow_move()
        else:
            tally.follow()
            beside = beside_number(_beside(position))
        totals.append(tally.total)
        besides.append(beside)
    return _WEIGHTS.numbers(totals, besides)


POSITIONS: Final = PositionParts(weights=_WEIGHTS, marks=_marks, beside=_beside, along=_along)

__all__ = ["POSITIONS"]
