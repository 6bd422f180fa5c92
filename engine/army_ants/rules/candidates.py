"""Actions to try in a position of Army Ants, in a fixed order. `apply` alone decides which are legal."""

from collections.abc import Callable, Iterator
from itertools import chain

from engine.army_ants.board import (
    BLACK,
    EAST,
    EVERYWHERE,
    FURTHEST,
    NORTH,
    NOTHING,
    RED,
    SIDES,
    cells_of,
    first_on,
    neighbours_after,
    rays,
    reached,
    ways,
)
from engine.army_ants.state import (
    BATTLE,
    OVER,
    SETUP,
    Action,
    Attack,
    Gambit,
    Pass,
    State,
    attack,
    free_move_out,
    march,
    move_out,
    swap,
)


def candidates(state: State, *, free: bool = False) -> Iterator[Action]:
    """Return everything that may be legal here, by the standard or by the free rules."""
    for some in _OF_PHASE[state.phase]:
        yield from _free_moves_out(state) if free and some is _moves_out else some(state)


def smallest(state: State) -> Iterator[Action]:
    """Return actions of which one is legal in the battle, unless only a pass is: whatever goes far can go one step."""
    return chain(_swaps(state), _single_steps(state), all_attacks(state))


def _single_steps(state: State) -> Iterator[Action]:
    for cell in _own(state):
        for side in range(len(SIDES)):
            yield march(cell, cell, side, 1)


def _own(state: State) -> list[int]:
    return cells_of(state.held[state.seat])


def all_attacks(state: State) -> Iterator[Attack]:
    """Yield, for each own card, attacks on the first card in each direction, unless that is an own one."""
    everybody, theirs = state.held[RED] | state.held[BLACK], state.held[1 - state.seat]
    for cell in _own(state):
        for way in ways(cell):
            met = first_on(way, everybody)
            if met & theirs:
                yield attack(cell, met.bit_length() - 1)


def attacks_on(state: State, target: int) -> Iterator[Attack]:
    """Yield attacks on a cell by the first own card in each direction from it."""
    everybody, own = state.held[RED] | state.held[BLACK], state.held[state.seat]
    for way in ways(target):
        met = first_on(way, everybody)
        if met & own:
            yield attack(met.bit_length() - 1, target)


def _swaps(state: State) -> Iterator[Action]:
    own = state.held[state.seat]
    for one in cells_of(own):
        for other in neighbours_after(one):
            if own >> other & 1:
                yield swap(one, other)


def _marches(state: State) -> Iterator[Action]:
    """Yield marches of every run in every direction, as far as the path is free."""
    everybody = state.held[RED] | state.held[BLACK]
    for first, last in _runs(state.held[state.seat]):
        for side in range(len(SIDES)):
            for steps in range(1, FURTHEST + 1):
                action = march(first, last, side, steps)
                if action.path & everybody:
                    break
                yield action


def _runs(own: int) -> Iterator[tuple[int, int]]:
    """Yield the ends of every unbroken part of a row or a column."""
    for first in cells_of(own):
        yield first, first
        for side in (NORTH, EAST):
            for last in rays(first)[side]:
                if not own >> last & 1:
                    break
                yield first, last


def _moves_out(state: State) -> Iterator[Action]:
    empty = [cell for cell, card in enumerate(state.cards) if card == NOTHING]
    for cell in _own(state):
        for end in empty:
            yield move_out(cell, end)


def _free_moves_out(state: State) -> Iterator[Action]:
    empty = EVERYWHERE & ~(state.held[RED] | state.held[BLACK])
    for cell in _own(state):
        for end in cells_of(reached(1 << cell, empty)):
            yield free_move_out(cell, end)


def _gambits(_: State) -> Iterator[Action]:
    return iter((Gambit(),))


def _passes(_: State) -> Iterator[Action]:
    return iter((Pass(),))


_OF_PHASE: dict[str, tuple[Callable[[State], Iterator[Action]], ...]] = {
    SETUP: (_gambits, _swaps, _marches),
    BATTLE: (all_attacks, _swaps, _marches, _moves_out, _passes),
    OVER: (),
}
