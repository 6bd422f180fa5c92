"""A position of Picnic and the actions that lead from one to the next."""

from typing import Any, NamedTuple

from engine.rounds import Round, in_turns
from engine.ruleset import Outcome
from engine.words import words

from .board import ANTS, NAMES, Row, within_reach


class State(NamedTuple):
    """A position. Plates are numbered from 0, and so are seats, in turn order."""

    seats: tuple[str, ...]
    """The letters of the players."""
    crumbs: Row
    ants: tuple[tuple[int, ...], ...]
    """For each seat the plates of its ants, in order of placement."""
    eaten: tuple[int, ...]
    """For each seat the number of crumbs eaten."""
    seat: int
    """The seat whose turn it is, or was when the game ended."""
    round: int
    left: tuple[int, ...]
    """The seats that left the game, in order."""
    outcome: Outcome | None


class Placing(NamedTuple):
    """`c`: an ant is placed."""

    plate: int


class Walk(NamedTuple):
    """`c>f`: an ant walks to crumbs and eats them."""

    start: int
    end: int


Action = Placing | Walk


def to_act(state: State) -> str | None:
    """Return the letter of the seat to act; none when the game is over."""
    return None if state.outcome else state.seats[state.seat]


def round_of(state: State) -> Round:
    """How far the round has come."""
    return Round(words("Round {number}", number=state.round), in_turns(state.seats, to_act(state)))


def taken(state: State) -> frozenset[int]:
    """Return the plates with ants."""
    return frozenset(plate for ants in state.ants for plate in ants)


def can_place(state: State, seat: int) -> bool:
    """Return whether a seat has an ant to place and a free plate for it."""
    has_room = any(not crumbs and plate not in taken(state) for plate, crumbs in enumerate(state.crumbs))
    return seat not in state.left and len(state.ants[seat]) < ANTS and has_room


def can_walk(state: State, seat: int) -> bool:
    """Return whether an ant of a seat can reach crumbs."""
    return any(reach(state, ant) for ant in state.ants[seat])


def reach(state: State, ant: int) -> list[int]:
    """Return the plates an ant can walk to."""
    return list(within_reach(state.crumbs, taken(state), ant))


def describe(state: State) -> dict[str, Any]:
    """Return the state as shown in a replay."""
    of_seats = dict(zip(state.seats, zip(state.ants, state.eaten, strict=True), strict=True))
    return {
        "turn": to_act(state),
        "round": state.round,
        "crumbs": list(state.crumbs),
        "ants": {letter: [NAMES[plate] for plate in ants] for letter, (ants, _) in of_seats.items()},
        "eaten": {letter: eaten for letter, (_, eaten) in of_seats.items()},
        "left": [state.seats[seat] for seat in state.left],
        "placements": list(state.outcome.placements) if state.outcome else None,
    }
