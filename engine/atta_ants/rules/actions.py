"""Plays actions of Atta Ants and lists the legal ones."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.atta_ants.board import NEST, distances
from engine.atta_ants.rules import refusals
from engine.atta_ants.rules.candidates import candidates
from engine.atta_ants.rules.position import Position
from engine.atta_ants.rules.steps import Step, step
from engine.atta_ants.state import COLONIES, Action, State
from engine.ruleset import IllegalMoveError, Termination
from engine.steps import Played


class Hunt(NamedTuple):
    """Where a spider is and where it would go."""

    slot: int
    distance: int
    """Steps to the nearest target; -1 where there is none or no way to it."""
    steps: tuple[int, ...]
    """The slots to which it may step; none when it stays."""


def apply(state: State, action: Action) -> State:
    """Return the position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    position = Position(state)
    if position.play([step(action)])[0] == 0:
        raise refusals.of(state, action)
    return position.state()


def play(state: State, steps: Sequence[Step]) -> Played[State]:
    """Play actions up to the first illegal one."""
    position = Position(state)
    plies, turn_starts = position.play(steps if isinstance(steps, list) else list(steps))
    return Played(position.state(), plies, turn_starts)


def legal_actions(state: State) -> Iterator[Action]:
    """Return every legal action, except administrative ones."""
    position = Position(state)
    return (action for action in candidates(state, position) if position.allows(step(action)))


def stayed(state: State) -> Iterator[str]:
    """Return the ants because of which the colony to act may not end its turn (ATTA-NEST-4)."""
    position = Position(state)
    while (ant := position.must_leave()) >= 0:
        yield state.table.ant_name(ant)
        position.idle ^= 1 << ant


def hunts(state: State) -> tuple[Hunt, ...]:
    """Return, for each spider, where it would go if the round ended now (ATTA-SPIDER-1 to 4)."""
    position = Position(state)
    targets, steps = position.targets(), position.spider_steps()
    goals = [slot for slot in range(len(state.board.cells)) if targets >> slot & 1]
    board, far = state.board, distances(state.board, goals, state.spiders)
    return tuple([
        Hunt(slot, far[slot], tuple([other for other in board.around(slot) if other > NEST and bits >> other & 1]))
        for slot, bits in zip(state.spiders, steps, strict=True)
    ])  # fmt: skip


def targets(state: State) -> list[int]:
    """Return the slots to which spiders go: those with the most ants (ATTA-SPIDER-1, 2)."""
    found = Position(state).targets()
    return [slot for slot in range(len(state.board.cells)) if found >> slot & 1]


def leave(state: State, letter: str, how: Termination) -> State:
    """Return the position after a colony has resigned or run out of time (ATTA-LEAVE-1, ATTA-LEAVE-2).

    :raises IllegalMoveError: if the colony is no longer in the game (AGN-ADMIN-1).
    """
    position = Position(state)
    seat = state.table.seats.index(letter)
    if seat in position.out:
        raise IllegalMoveError("AGN-ADMIN-1", "{colony} is no longer in the game.", colony=COLONIES[letter])
    position.leave(seat, how)
    return position.state()


def agree_draw(state: State) -> State:
    """Return the position after both players of a game of two agreed to a draw (AGN-ADMIN-2)."""
    position = Position(state)
    position.end("AGN-ADMIN-2", Termination.AGREED)
    return position.state()


__all__ = ["Hunt", "agree_draw", "apply", "hunts", "leave", "legal_actions", "play", "stayed", "targets"]
