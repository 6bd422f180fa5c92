"""A position of Ant Trails that is changed in place: the only place that says what is legal and what an action does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.ant_trails.board import BORDERING, CELLS, HERE, NAMES, NOWHERE, OPEN, Lengths, Trails
from engine.ant_trails.rules.steps import ANT, END, PASS, TILE, Step
from engine.ant_trails.state import ANTS_A_TURN, COLLECTED, OVER, PLACE, TILES, State
from engine.ruleset import Outcome, Termination
from engine.words import words

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

PASSES_THAT_END: Final = 2
_make = tuple.__new__


class Position:
    """A mutable `State`: making a new state for every action would take most of the time (`bench/`)."""

    __slots__ = (
        "collected", "lying", "moved", "other", "outcome", "own", "pair", "passes", "phase", "placed", "seat", "table",
        "tiles",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        (
            self.table, self.phase, self.seat, self.pair, self.placed, ants, tiles, self.moved, self.collected,
            self.passes, self.outcome,
        ) = state  # fmt: skip
        self.own, self.other = Trails(ants[self.seat]), Trails(ants[1 - self.seat])
        """The trails of the seat whose turn it is, and those of the other one."""
        self.tiles, self.lying = list(tiles), [NOWHERE] * len(NAMES)
        """The cell of each tile, and for each cell the tile that is there."""
        for tile, cell in enumerate(tiles):
            if cell != COLLECTED:
                self.lying[cell] = tile

    def state(self) -> State:
        """Return the position as a value."""
        self._stop_placing()
        own, other = self.own.ants(), self.other.ants()
        ants = (other, own) if self.seat else (own, other)
        return _make(State, (
            self.table, self.phase, self.seat, self.pair, self.placed, ants,
            tuple(self.tiles), self.moved, self.collected, self.passes, self.outcome,
        ))  # fmt: skip

    def play(self, steps: Sequence[Step]) -> tuple[int, list[int]]:
        """Play actions up to the first illegal one; return how many, and the plies at which pairs of turns began."""
        plies, turn_starts = 0, list[int]()
        for step in list(steps):
            kind = step.kind
            if kind == ANT:
                if not self._may_place(step.begin):
                    break
                self.own.place(step.begin)
                self.placed += 1
                self.passes = 0
            elif not self.allows(step):
                break
            elif kind == TILE:
                self._carry(step.begin, step.end)
            else:
                self._end_turn(kind)
                if self.phase == PLACE and self.seat == 0:
                    turn_starts.append(plies + 1)
            plies += 1
        return plies, turn_starts

    def allows(self, step: Step) -> bool:
        """Return whether an action is legal."""
        kind = step.kind
        if kind == ANT:
            return self._may_place(step.begin)
        self._stop_placing()
        if kind == TILE:
            return self.phase == TILES and self._may_carry(step.begin, step.end)
        if kind == PASS:
            return self.phase == PLACE and not self.placed and not self.can_place()
        return kind == END and self.phase == TILES

    # Ants

    def _may_place(self, cell: i64) -> bool:
        """Return whether an ant may go to a cell (TRAILS-PLACE-1, 2)."""
        return (
            self.phase == PLACE and self.placed < ANTS_A_TURN and OPEN[self.own.cells[cell]]
            and self.lying[cell] < 0 and not self.other.cells[cell] & HERE
        )  # fmt: skip

    def can_place(self) -> bool:
        """Return whether there is a cell for another ant (TRAILS-PLACE-1, 2)."""
        own, other, lying = self.own.cells, self.other.cells, self.lying
        for cell in CELLS:  # noqa: SIM110 (mypyc makes a list of a generator)
            if OPEN[own[cell]] and lying[cell] < 0 and not other[cell] & HERE:
                return True
        return False

    def _stop_placing(self) -> None:
        """End the placing phase if no further ant can be placed: then tiles move (TRAILS-TURN-2).

        Called late, because usually another ant follows.
        """
        if self.placed and self.phase == PLACE and (self.placed == ANTS_A_TURN or not self.can_place()):
            self.phase = TILES

    # Tiles

    def _may_carry(self, begin: i64, end: i64) -> bool:
        """Return whether a tile may be carried from a cell to one beside it (TRAILS-TILE-1 to 3)."""
        own, tile = self.own.cells, self.lying[begin]
        if tile < 0 or self.moved >> tile & 1 or not own[end] & HERE or self.lying[end] >= 0:
            return False
        if not own[begin] & HERE:
            return not self.other.cells[begin] & HERE
        last = self.own.end_of_way(begin, end)
        return last != NOWHERE and own[last] & BORDERING != 0

    def _carry(self, begin: i64, end: i64) -> None:
        tile = self.lying[begin]
        self.moved |= 1 << tile
        self.lying[begin] = NOWHERE
        if self.own.cells[end] & BORDERING and not self.own.is_middle(end):
            self.tiles[tile] = COLLECTED
            black, red = self.collected
            self.collected = (black, (*red, tile)) if self.seat else ((*black, tile), red)
        else:
            self.tiles[tile], self.lying[end] = end, tile

    # The end of a turn and of the game

    def _end_turn(self, kind: i64) -> None:
        self.placed = self.moved = 0
        if kind == PASS:
            self.passes += 1
            if self.passes == PASSES_THAT_END:
                self.phase, self.outcome = OVER, self._outcome()
                return
        self.phase, self.own, self.other = PLACE, self.other, self.own
        self.pair += self.seat
        self.seat = 1 - self.seat

    def _outcome(self) -> Outcome:
        """Return how the game ended when both players passed (TRAILS-SCORE-1)."""
        own, other = self._score(self.own, self.seat), self._score(self.other, 1 - self.seat)
        places = 1 + (other > own), 1 + (own > other)
        ordered = places[self.seat], places[1 - self.seat]
        return outcome_of("TRAILS-END-1", ordered, Termination.PLAYED, own if own == other else -1)

    def _score(self, trails: Trails, seat: int) -> int:
        return Lengths(trails).longest + sum([self.table.points[tile] for tile in self.collected[seat]])


@cache
def outcome_of(rule: str, placements: tuple[int, int], how: Termination, shared: int = -1) -> Outcome:
    """Return how the game ended, with the rule that applies; `shared` is the score of both, if it decided nothing."""
    reason = _REASONS[rule, how, placements if how.by_leaving else ()]
    if shared >= 0:
        reason = words("{reason} Both have the same score, {score}.", reason=reason, score=shared)
    return Outcome(placements, rule, reason, how)


_REASONS = {
    ("TRAILS-END-1", Termination.PLAYED, ()): words("Both players passed, one after the other."),
    ("AGN-ADMIN-1", Termination.RESIGNED, (2, 1)): words("Black resigned."),
    ("AGN-ADMIN-1", Termination.RESIGNED, (1, 2)): words("Red resigned."),
    ("AGN-ADMIN-1", Termination.TIMED_OUT, (2, 1)): words("Black ran out of time."),
    ("AGN-ADMIN-1", Termination.TIMED_OUT, (1, 2)): words("Red ran out of time."),
    ("AGN-ADMIN-2", Termination.AGREED, ()): words("The players agreed to a draw."),
}

__all__ = ["Position", "outcome_of"]
