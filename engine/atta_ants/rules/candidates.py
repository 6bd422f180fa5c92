"""Actions to try in a position of Atta Ants, in a fixed order. `Position` alone decides which are legal."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

from engine.atta_ants.board import CARDS, ROTATIONS, SIDES, edges_wanted, letter_of, open_cells, places, slots_around
from engine.atta_ants.rules.position import Position
from engine.atta_ants.rules.steps import DROP, NO_PARTS, PARTS, ROB, TAKE, packed
from engine.atta_ants.state import (
    ANT_NAMES,
    ANTS,
    COLONY,
    OVER,
    PLACE,
    SPIDERS,
    Action,
    EndTurn,
    Placing,
    SpiderStep,
    State,
    ant_move,
    next_choice,
)

Parts = tuple[int, ...]

_WALKS: tuple[Parts, ...] = tuple(walk for steps in range(3) for walk in product(range(len(SIDES)), repeat=steps))
"""At most two steps, the fewest first."""
_KEPT = 1 << 14
"""Moves that a process remembers."""


def candidates(state: State, position: Position) -> Iterator[Action]:
    """Return everything that may be legal here."""
    return _OF_PHASE[state.phase](state, position)


def _placings(state: State, _: Position) -> Iterator[Action]:
    stock = set(state.stock)
    in_stock = [card for card in CARDS.values() if letter_of(card, by_code=state.table.by_code) in stock]
    for cell in open_cells(state.board):
        facing, trails = edges_wanted(state.board, slots_around(state.board, cell))
        yield from [Placing(card, cell) for card in in_stock if card.edges & facing == trails]
    nowhere = {kind for kind in ROTATIONS if not places(state.board, kind)}
    yield from [Placing(card, None) for card in in_stock if card.kind in nowhere]


def _ant_moves(state: State, position: Position) -> Iterator[Action]:
    seat = state.queue[0]
    names = [state.table.ant_name(ant) for ant in range(len(state.ants))]
    acts = (TAKE, DROP, *[ROB + ANT_NAMES[name] for ant, name in enumerate(names) if state.laden >> ant & 1])
    for ant in range(seat * COLONY, (seat + 1) * COLONY):
        for parts in _moves(position, ant, acts):
            yield _move(names[ant], parts)
    yield EndTurn()


@lru_cache(maxsize=_KEPT)
def _move(ant: str, parts: Parts) -> Action:
    return ant_move(ant, tuple([PARTS[part] for part in parts]))


def _moves(position: Position, ant: int, acts: Parts) -> Iterator[Parts]:
    """Yield moves of at most two steps and one leaf action, if they are also legal without their last part."""
    legal: set[Parts] = {()} if position.may_walk(ant, NO_PARTS) else set()
    for walk in _WALKS:
        for parts in _with_acts(walk, acts, legal):
            if parts[:-1] in legal and position.may_walk(ant, packed(parts)):
                legal.add(parts)
                yield parts


def _with_acts(walk: Parts, acts: Parts, legal: set[Parts]) -> Iterator[Parts]:
    """Yield a walk alone and, if it is legal so far, with each leaf action at its end."""
    if walk:
        yield walk
    for place in range(len(walk) + 1):
        if walk[:place] in legal:
            yield from [(*walk[:place], act, *walk[place:]) for act in acts]


def _choices(state: State, _: Position) -> Iterator[Action]:
    spider = next_choice(state)
    for side in state.ways[spider]:
        yield SpiderStep(spider + 1, side)


def _none(_: State, __: Position) -> Iterator[Action]:
    yield from ()


_OF_PHASE: dict[str, Callable[[State, Position], Iterator[Action]]] = {
    PLACE: _placings,
    ANTS: _ant_moves,
    SPIDERS: _choices,
    OVER: _none,
}

__all__ = ["candidates"]
