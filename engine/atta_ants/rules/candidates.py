"""What could be tried in a position of Atta Ants, in a fixed order. Whether it is legal is not asked here."""

from collections.abc import Callable, Iterator

from engine.atta_ants.board import CARDS, NOWHERE, ROTATIONS, SIDES, edges_wanted, open_cells, places
from engine.atta_ants.state import (
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
    kind_of,
    next_choice,
)


def candidates(state: State) -> Iterator[Action]:
    """Everything that may be legal here."""
    return _OF_PHASE[state.phase](state)


def _placings(state: State) -> Iterator[Action]:
    in_stock = [card for card in CARDS.values() if kind_of(state.table, card) in state.stock]
    for cell in open_cells(state.board):
        facing, trails = edges_wanted(state.board, cell)
        yield from (Placing(card, cell) for card in in_stock if card.edges & facing == trails)
    nowhere = {kind for kind in ROTATIONS if not places(state.board, kind)}
    yield from (Placing(card, None) for card in in_stock if card.kind in nowhere)


def _ant_moves(state: State) -> Iterator[Action]:
    seat = state.queue[0]
    bodies = list(_bodies(state))
    for ant in range(seat * COLONY, (seat + 1) * COLONY):
        name = state.table.ant_name(ant)
        if _is_free(state, ant):
            yield from (ant_move(name, body) for body in bodies)
    yield EndTurn()


def _is_free(state: State, ant: int) -> bool:
    return state.ants[ant] != NOWHERE and not (state.moved | state.new) >> ant & 1


def _bodies(state: State) -> Iterator[tuple[str, ...]]:
    """Everything an ant could do in one move, were it allowed: up to two steps and up to one leaf action."""
    walks = [(), *((side,) for side in SIDES), *((one, two) for one in SIDES for two in SIDES)]
    carriers = [f"x{state.table.ant_name(ant)}" for ant in range(len(state.ants)) if state.laden >> ant & 1]
    for walk in walks:
        if walk:
            yield walk
        for place in range(len(walk) + 1):
            yield from ((*walk[:place], act, *walk[place:]) for act in ("+", "-", *carriers))


def _choices(state: State) -> Iterator[Action]:
    spider = next_choice(state)
    return (SpiderStep(spider + 1, side) for side in state.ways[spider])


def _none(_: State) -> Iterator[Action]:
    return iter(())


_OF_PHASE: dict[str, Callable[[State], Iterator[Action]]] = {
    PLACE: _placings,
    ANTS: _ant_moves,
    SPIDERS: _choices,
    OVER: _none,
}

__all__ = ["candidates"]
