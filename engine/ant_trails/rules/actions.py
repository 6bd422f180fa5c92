"""Plays actions of Ant Trails and lists the legal ones."""

from collections.abc import Callable, Iterator, Sequence

from engine.ant_trails.board import NEIGHBOURS, members
from engine.ant_trails.rules import refusals
from engine.ant_trails.rules.position import Position, outcome_of
from engine.ant_trails.rules.steps import Step, step
from engine.ant_trails.state import (
    COLLECTED,
    OVER,
    PLACE,
    TILES,
    Action,
    EndTurn,
    Pass,
    Placing,
    State,
    TileMove,
    empty_cells,
)
from engine.ruleset import Played, Termination


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


def leave(state: State, how: Termination) -> State:
    """Return the position after the seat to act has resigned or run out of time: the other one wins (AGN-ADMIN-1)."""
    return _ended(state, "AGN-ADMIN-1", (1, 2) if state.seat else (2, 1), how)


def agree_draw(state: State) -> State:
    """Return the position after both players agreed to a draw (AGN-ADMIN-2)."""
    return _ended(state, "AGN-ADMIN-2", (1, 1), Termination.AGREED)


def _ended(state: State, rule: str, placements: tuple[int, int], how: Termination) -> State:
    """Return the position after the players ended the game: no new turn begins."""
    return state._replace(phase=OVER, placed=0, moved=0, outcome=outcome_of(rule, placements, how))


# Enumeration: candidates in a fixed order, judged by `Position` alone, so that legality is written once


def legal_actions(state: State) -> Iterator[Action]:
    """Return every legal action, except administrative ones."""
    position = Position(state)
    return (action for action in _CANDIDATES[state.phase](state) if position.allows(step(action)))


def _placings(state: State) -> Iterator[Action]:
    yield from map(Placing, members(empty_cells(state)))
    yield Pass()


def _tile_moves(state: State) -> Iterator[Action]:
    for begin in sorted(cell for cell in state.tiles if cell != COLLECTED):
        yield from (TileMove(begin, end) for end in NEIGHBOURS[begin])
    yield EndTurn()


def _none(_: State) -> Iterator[Action]:
    return iter(())


_CANDIDATES: dict[str, Callable[[State], Iterator[Action]]] = {PLACE: _placings, TILES: _tile_moves, OVER: _none}

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play"]
