"""Plays actions of Ant Trails and lists the legal ones."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.ant_trails.board import CELLS, NEIGHBOURS
from engine.ant_trails.rules import refusals
from engine.ant_trails.rules.position import Position, outcome_of
from engine.ant_trails.rules.steps import Step, step
from engine.ant_trails.state import (
    COLLECTED,
    OVER,
    PLACE,
    SEATS,
    TILES,
    Action,
    EndTurn,
    Pass,
    Placing,
    State,
    TileMove,
)
from engine.ruleset import Termination
from engine.steps import Played

_make = tuple.__new__


def apply(state: State, action: Action) -> State:
    """Return the position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    position = Position(state)
    if position.play((step(action),))[0] == 0:
        raise refusals.of(state, action)
    return position.state()


def play(state: State, steps: Sequence[Step]) -> Played[State]:
    """Play actions up to the first illegal one."""
    position = Position(state)
    plies, turn_starts = position.play(steps)
    return Played(position.state(), plies, turn_starts)


def leave(state: State, letter: str, how: Termination) -> State:
    """Return the position after a seat has resigned or run out of time: the other one wins (AGN-ADMIN-1)."""
    return _ended(state, "AGN-ADMIN-1", (1, 2) if letter == SEATS[1] else (2, 1), how)


def agree_draw(state: State) -> State:
    """Return the position after both players agreed to a draw (AGN-ADMIN-2)."""
    return _ended(state, "AGN-ADMIN-2", (1, 1), Termination.AGREED)


def _ended(state: State, rule: str, placements: tuple[int, int], how: Termination) -> State:
    """Return the position after the players ended the game: no new turn begins."""
    table, _, seat, pair, _, ants, tiles, _, collected, passes, _ = state
    outcome = outcome_of(rule, placements, how)
    return _make(State, (table, OVER, seat, pair, 0, ants, tiles, 0, collected, passes, outcome))


# Enumeration: candidates in a fixed order, judged by `Position` alone, so that legality is written once


def legal_actions(state: State) -> Iterator[Action]:
    """Return every legal action, except administrative ones."""
    position = Position(state)
    return (action for action, asked in _CANDIDATES[state.phase](state) if position.allows(asked))


Candidate = tuple[Action, Step]


def _placings(_: State) -> Iterable[Candidate]:
    return _PLACINGS


def _tile_moves(state: State) -> Iterator[Candidate]:
    for begin in sorted([cell for cell in state.tiles if cell != COLLECTED]):
        yield from _TILE_MOVES[begin]
    yield from _END


def _none(_: State) -> Iterable[Candidate]:
    return ()


def _ready(*actions: Action) -> tuple[Candidate, ...]:
    return tuple([(action, step(action)) for action in actions])


_PLACINGS = _ready(*map(Placing, CELLS), Pass())
_TILE_MOVES = {begin: _ready(*[TileMove(begin, end) for end in NEIGHBOURS[begin]]) for begin in CELLS}
"""For each cell the moves of a tile on it."""
_END = _ready(EndTurn())
_CANDIDATES: dict[str, Callable[[State], Iterable[Candidate]]] = {PLACE: _placings, TILES: _tile_moves, OVER: _none}

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play"]
