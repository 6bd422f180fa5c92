"""The actions of Atta Ants one after the other, and those that are legal."""

from collections.abc import Iterator, Sequence

from engine.atta_ants.rules import refusals
from engine.atta_ants.rules.candidates import candidates
from engine.atta_ants.rules.position import Position
from engine.atta_ants.rules.steps import Step, step
from engine.atta_ants.state import Action, State
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


def legal_actions(state: State) -> Iterator[Action]:
    """Return every action that is legal here, administrative ones left out."""
    position = Position(state)
    return (action for action in candidates(state, position) if position.allows(step(action)))


def stayed(state: State) -> Iterator[str]:
    """Return the ants that keep the colony to act from ending its turn (ATTA-NEST-4)."""
    position = Position(state)
    while (ant := position.must_leave()) >= 0:
        yield state.table.ant_name(ant)
        position.moved |= 1 << ant


def leave(state: State, how: Termination) -> State:
    """Return the position after the colony to act has resigned or run out of time (ATTA-LEAVE-1, ATTA-LEAVE-2)."""
    position = Position(state)
    position.leave(how)
    return position.state()


def agree_draw(state: State) -> State:
    """Return the position after both of two seats agreed to a draw (AGN-ADMIN-2)."""
    position = Position(state)
    position.end("AGN-ADMIN-2", Termination.AGREED)
    return position.state()


__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play", "stayed"]
