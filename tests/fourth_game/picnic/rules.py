"""Legality, effects and outcome in Picnic. Every rejection names its rule."""

from collections.abc import Iterator
from operator import attrgetter

from engine.ruleset import IllegalMoveError, Outcome, TagError, Termination, accepted, one_by_one
from engine.words import marked, words

from .board import ANTS, MOST_CRUMBS, NAMES, SHORTEST, Row
from .state import Action, Placing, State, Walk, can_place, can_walk, reach, taken


def start(seats: tuple[str, ...], crumbs: Row) -> State:
    """Return the position before the first ant. :raises TagError: for a row that breaks PICNIC-CLOTH-1."""
    if not SHORTEST <= len(crumbs) <= len(NAMES):
        raise TagError("Setup", "PICNIC-CLOTH-1", "A row has {least} to {most} plates, this one has {plates}.",
                       least=SHORTEST, most=len(NAMES), plates=len(crumbs))  # fmt: skip
    if not any(crumbs) or all(crumbs) or max(crumbs) > MOST_CRUMBS:
        raise TagError("Setup", "PICNIC-CLOTH-1", "Up to {most} crumbs lie on a plate, on some plates and not on all.",
                       most=MOST_CRUMBS)  # fmt: skip
    nobody = (0,) * len(seats)
    return State(seats, crumbs, ((),) * len(seats), nobody, seat=0, round=1, left=(), outcome=None)


# Actions


def apply(state: State, action: Action) -> State:
    """Return the position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    if state.outcome:
        raise IllegalMoveError("AGN-MOVE-4", "The game already ended with the previous action.")
    for plate in action:
        if plate >= len(state.crumbs):
            raise _refuse("PICNIC-CLOTH-1", marked("There is no plate {plate}."), plate)
    return _next_turn(_place(state, action.plate) if isinstance(action, Placing) else _walk(state, action))


def step(action: Action) -> tuple[Action]:
    """Return an action ready for `play`: nothing can be computed before there is a position."""
    return (action,)


play = one_by_one(apply, attrgetter("round"))


def _place(state: State, plate: int) -> State:
    if len(state.ants[state.seat]) == ANTS:
        raise _refuse("PICNIC-PLACE-2", marked("All three ants are placed, none is left for {plate}."), plate)
    if state.crumbs[plate] or plate in taken(state):
        raise _refuse("PICNIC-PLACE-1", marked("An ant is placed on an empty plate, and {plate} is not empty."), plate)
    return _with_ants(state, (*state.ants[state.seat], plate))


def _walk(state: State, action: Walk) -> State:
    begin, end = action
    own = state.ants[state.seat]
    if begin not in own:
        raise _refuse("PICNIC-WALK-1", marked("No own ant sits at {plate}."), begin)
    if end not in reach(state, begin):
        raise _refuse("PICNIC-WALK-1", marked("An ant walks to the nearest crumbs on one side, and past no other ant: "
                      "not to {plate}."), end)  # fmt: skip
    eaten = tuple(have + (seat == state.seat) * state.crumbs[end] for seat, have in enumerate(state.eaten))
    crumbs = tuple(0 if plate == end else lying for plate, lying in enumerate(state.crumbs))
    state = _with_ants(state, tuple(end if ant == begin else ant for ant in own))
    return state._replace(crumbs=crumbs, eaten=eaten)


def _refuse(rule: str, template: str, plate: int) -> IllegalMoveError:
    return IllegalMoveError(rule, template, plate=NAMES[plate])


def _with_ants(state: State, ants: tuple[int, ...]) -> State:
    """Return the state with the ants of the seat to act moved."""
    return state._replace(ants=(*state.ants[: state.seat], ants, *state.ants[state.seat + 1 :]))


# Consequences of an action


def _next_turn(state: State) -> State:
    """Return the state in which the next seat able to act does so (PICNIC-TURN-1), or the game is over."""
    able = [seat for seat in range(len(state.seats)) if can_place(state, seat) or can_walk(state, seat)]
    if not any(state.crumbs) or not able:
        return _end(state, "PICNIC-END-1")
    following = next((seat for seat in able if seat > state.seat), able[0])
    return state._replace(seat=following, round=state.round + (following <= state.seat))


def _end(state: State, rule: str, how: Termination = Termination.PLAYED) -> State:
    placements = (1,) * len(state.seats) if how == Termination.AGREED else _rank(state)
    return state._replace(outcome=Outcome(placements, rule, _REASONS[rule], how))


_REASONS = {
    "PICNIC-END-1": words("No crumb is left that anybody could come to."),
    "PICNIC-LEAVE-1": words("At most one player has not left the game."),
    "AGN-ADMIN-2": words("The players agreed to a draw."),
}


def _rank(state: State) -> tuple[int, ...]:
    """Return the place of each seat (PICNIC-RANK-1, PICNIC-LEAVE-1)."""
    stayed = [
        (0, state.left.index(seat)) if seat in state.left else (1, eaten) for seat, eaten in enumerate(state.eaten)
    ]
    return tuple(1 + sum(other > own for other in stayed) for own in stayed)


def leave(state: State, letter: str, how: Termination) -> State:
    """Return the position after a seat resigned or ran out of time (PICNIC-LEAVE-1).

    :raises IllegalMoveError: if it had left before (AGN-ADMIN-1).
    """
    seat = state.seats.index(letter)
    if seat in state.left:
        raise IllegalMoveError("AGN-ADMIN-1", "This player has left the game.")
    ants = (*state.ants[:seat], (), *state.ants[seat + 1 :])
    state = state._replace(ants=ants, left=(*state.left, seat))
    if len(state.left) == len(state.seats) - 1:
        return _end(state, "PICNIC-LEAVE-1", how)
    return _next_turn(state) if seat == state.seat else state


def agree_draw(state: State) -> State:
    """Return the position after two seats agreed to a draw (AGN-ADMIN-2)."""
    return _end(state, "AGN-ADMIN-2", Termination.AGREED)


# Enumeration: candidates in a fixed order, filtered by `apply`, so that legality is written only once


def legal_actions(state: State) -> Iterator[Action]:
    """Yield every action that `apply` accepts here, except administrative ones."""
    return accepted(play, step, state, _candidates(state))


def _candidates(state: State) -> Iterator[Action]:
    yield from map(Placing, range(len(state.crumbs)))
    yield from (Walk(ant, plate) for ant in state.ants[state.seat] for plate in reach(state, ant))


__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play", "start", "step"]
