"""When two positions of Atta Ants are the same: also turned or mirrored, in other colours, with ants renumbered."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

from engine.atta_ants.board import CARDS, NOWHERE, SIDES, Cell
from engine.atta_ants.likeness import SYMMETRIES, Symmetry
from engine.atta_ants.rules.position import Position
from engine.atta_ants.rules.steps import Step
from engine.atta_ants.state import COLONY, OVER, State, cell_name
from engine.positions import PositionParts, Weights

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

    __slots__ = ("ants", "leaf", "spiders")

    def __init__(self, cell: Cell) -> None:
        name = cell_name(cell)
        seats = range(len(SIDES))
        self.ants = [[_WEIGHTS[_ant(seat, flags, cell)] for flags in range(_FLAGS)] for seat in seats]
        self.leaf = _WEIGHTS[f"{_LEAF}{_AT}{name}"]
        self.spiders = {side: _WEIGHTS[f"{_SPIDER}{side}{_AT}{name}"] for side in ("", *SIDES)}


class _Sites(dict[Cell, _Site]):
    """The cells that came up so far: there are no more than cards reach."""

    def __missing__(self, cell: Cell) -> _Site:
        found = self[cell] = _Site(cell)
        return found


_SITES: Final = _Sites()


class _Tally:
    """The weights of all marks of a position that is changed in place, added up anew where something changed."""

    __slots__ = ("_ants", "_cards", "_each", "_flags", "_leaves", "_leaves_at", "_position", "_sites", "_slots")

    def __init__(self, position: Position) -> None:
        self._position = position
        self._sites: list[_Site] = []
        self._cards = self._ants = self._leaves = 0
        self._leaves_at: list[int] = []
        self._slots = [NOWHERE] * len(position.ants)
        self._each = [0] * len(position.ants)
        """What each ant adds."""
        self._flags = 0, 0, 0

    def total(self) -> int:
        """Return the sum of the position as it is now."""
        position = self._position
        if len(self._sites) < len(position.plane.cells):
            self._add_cards()
        if position.leaves != self._leaves_at:
            self._leaves_at = position.leaves[:]
            leaves = zip(self._sites, position.leaves, strict=True)
            self._leaves = sum([site.leaf * count for site, count in leaves if count])
        self._move_ants()
        sites, sides = self._sites, _sides(position)
        spiders = [sites[slot].spiders[side] for slot, side in zip(position.spiders, sides, strict=True)]
        return self._cards + self._leaves + self._ants + sum(spiders)

    def _add_cards(self) -> None:
        plane, known = self._position.plane, len(self._sites)
        for cell, card in zip(plane.cells[known:], plane.cards[known:], strict=True):
            self._sites.append(_SITES[cell])
            self._cards += _WEIGHTS[f"{card.code}{_AT}{cell_name(cell)}"]

    def _move_ants(self) -> None:
        position, each, sites = self._position, self._each, self._sites
        laden, moved, new = position.laden, position.moved, position.new
        changed = laden ^ self._flags[0] | moved ^ self._flags[1] | new ^ self._flags[2]
        for ant, (slot, before) in enumerate(zip(position.ants, self._slots, strict=True)):
            if slot != before or changed >> ant & 1:
                weight = sites[slot].ants[ant // COLONY][_flags_of(position, ant)] if slot >= 0 else 0
                self._ants += weight - each[ant]
                each[ant] = weight
        self._slots, self._flags = position.ants[:], (laden, moved, new)


def _between(state: State, steps: Sequence[Step]) -> Iterator[int]:
    """Yield the numbers of the positions after some actions. None of them ends the game."""
    position = Position(state)
    tally = _Tally(position)
    for step in steps:
        position.play((step,))
        yield _WEIGHTS.number(tally.total(), _beside(position))


POSITIONS: Final = PositionParts(weights=_WEIGHTS, marks=_marks, beside=_beside, between=_between)

__all__ = ["POSITIONS"]
