"""What is legal in Ant Trails, what an action does, and who has won. Every refusal names its rule."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from engine.ant_trails.board import BOARD, BORDER, NAMES, NEAR, NEIGHBOURS, bits, end_of_way, is_end, members
from engine.ant_trails.state import (
    ANTS_A_TURN,
    COLLECTED,
    OVER,
    PLACE,
    TILES,
    Action,
    EndTurn,
    Pass,
    Placing,
    State,
    Table,
    TileMove,
    empty_cells,
    score,
)
from engine.ruleset import IllegalMoveError, Outcome, TagError, accepted, one_by_one
from engine.words import marked

TILES_WORTH = {3: 4, 2: 4, 1: 4}
"""How many tiles are worth how many points (TRAILS-SETUP-1)."""
BESIDE_AT_MOST = 2
PASSES_THAT_END = 2


# Setup


def start(tiles: tuple[tuple[int, int], ...]) -> State:
    """The position before the first ant: twelve tiles on an empty board, and black begins (TRAILS-TURN-1).

    :param tiles: the cell and the points of each.
    :raises TagError: when they do not lie as TRAILS-SETUP-1 says, or not on the board (TRAILS-BOARD-1).
    """
    cells = tuple(cell for cell, _ in tiles)
    _check_cells(cells)
    points = tuple(worth for _, worth in tiles)
    if Counter(points) != TILES_WORTH:
        raise TagError("Setup", "TRAILS-SETUP-1", "Setup does not hold four tiles of 3, four of 2 and four of 1.")
    return State(
        table=Table(points), phase=PLACE, seat=0, pair=1, placed=0, ants=(0, 0), tiles=cells, moved=0,
        collected=((), ()), passes=0, outcome=None,
    )  # fmt: skip


def _check_cells(cells: tuple[int, ...]) -> None:
    for cell in cells:
        if not BOARD >> cell & 1:
            raise TagError("Setup", "TRAILS-BOARD-1", "{cell} in Setup is not on the board.", cell=NAMES[cell])
        if BORDER >> cell & 1:
            raise _wrong_setup(marked("A tile lies at {cell}, on the border."), cell)
        if bits(cells) & NEAR[cell]:
            raise _wrong_setup(marked("Another tile lies beside the one at {cell}."), cell)
    for before, cell in pairwise(cells):
        if cell == before:
            raise _wrong_setup(marked("Two tiles lie at {cell}."), cell)
        if cell < before:
            raise _wrong_setup(marked("The tile at {cell} is not in its place in the order of rows and numbers."), cell)


def _wrong_setup(template: str, cell: int) -> TagError:
    return TagError("Setup", "TRAILS-SETUP-1", template, cell=NAMES[cell])


# Actions


def apply(state: State, action: Action) -> State:
    """The position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    return _APPLY[type(action)](state, action)


def _check_on_board(*cells: int) -> None:
    for cell in cells:
        if not BOARD >> cell & 1:
            raise IllegalMoveError("TRAILS-BOARD-1", "{cell} is not on the board.", cell=NAMES[cell])


# Placing


def _place(state: State, action: Placing) -> State:
    if state.phase != PLACE:
        raise IllegalMoveError("TRAILS-TURN-2", "All ants of this turn are placed.")
    cell, seat = action.cell, state.seat
    _check_on_board(cell)
    _check_empty(state, cell)
    if refusal := _refusal_to_join(state.ants[seat], cell):
        raise refusal
    black, red = state.ants
    state = state._replace(
        placed=state.placed + 1, ants=(black, red | 1 << cell) if seat else (black | 1 << cell, red), passes=0
    )
    return state if state.placed < ANTS_A_TURN and _can_place(state) else state._replace(phase=TILES)


def _check_empty(state: State, cell: int) -> None:
    if (state.ants[0] | state.ants[1]) >> cell & 1:
        raise IllegalMoveError("TRAILS-PLACE-1", "An ant stands at {cell} already.", cell=NAMES[cell])
    if cell in state.tiles:
        raise IllegalMoveError("TRAILS-PLACE-1", "A bonus tile lies at {cell}.", cell=NAMES[cell])


def _refusal_to_join(own: int, cell: int) -> IllegalMoveError | None:
    """Why an ant on an empty cell would not go with its own ants beside it; none when it would (TRAILS-PLACE-2)."""
    beside = own & NEAR[cell]
    if not beside:
        return (
            None
            if BORDER >> cell & 1
            else _refuse(marked("{cell} is neither on the border nor beside an own ant."), cell)
        )
    if beside.bit_count() > BESIDE_AT_MOST:
        return _refuse(marked("{cell} is beside more than two own ants: trails do not branch."), cell)
    for ant in members(beside):
        if not is_end(own, ant):
            return _refuse(marked("{cell} is beside the ant at {ant}, which is no end of its trail."), cell, ant)
    return None


def _refuse(template: str, cell: int, ant: int = 0) -> IllegalMoveError:
    return IllegalMoveError("TRAILS-PLACE-2", template, cell=NAMES[cell], ant=NAMES[ant])


def _can_place(state: State) -> bool:
    """Whether the seat whose turn it is may place an ant anywhere."""
    own = state.ants[state.seat]
    return any(_refusal_to_join(own, cell) is None for cell in members(empty_cells(state, BOARD)))


# Tiles


def _move_tile(state: State, action: TileMove) -> State:
    if state.phase != TILES:
        raise _not_yet(state, marked("No tile moves before the ants of a turn are placed."))
    begin, end = action
    _check_on_board(begin, end)
    tile = _tile_at(state, begin)
    own = state.ants[state.seat]
    if own >> begin & 1:
        _check_carrying(own, begin, end)
    else:
        _check_picking_up(state, begin, end)
    _check_free(state, tile, end)
    return _moved(state, tile, end, collects=bool(BORDER >> end & 1) and is_end(own, end))


def _tile_at(state: State, cell: int) -> int:
    if cell not in state.tiles:
        raise IllegalMoveError("TRAILS-TILE-1", "There is no tile at {cell}.", cell=NAMES[cell])
    return state.tiles.index(cell)


def _check_picking_up(state: State, begin: int, end: int) -> None:
    if (state.ants[0] | state.ants[1]) >> begin & 1:
        raise _wrong_move(
            "TRAILS-TILE-1", marked("The tile at {begin} rides on an ant of the other colour."), begin, end
        )
    if not NEAR[begin] >> end & 1:
        raise _wrong_move(
            "TRAILS-TILE-1", marked("The tile at {begin} cannot go to {end}: that is not beside it."), begin, end
        )
    if not state.ants[state.seat] >> end & 1:
        raise _wrong_move("TRAILS-TILE-1", marked("No own ant stands at {end} to pick up the tile."), begin, end)


def _check_carrying(own: int, begin: int, end: int) -> None:
    if not own & NEAR[begin] & 1 << end:
        sentence = marked("The tile at {begin} can only go to an own ant beside it, not to {end}.")
        raise _wrong_move("TRAILS-TILE-2", sentence, begin, end)
    last = end_of_way(own, begin, end)
    if last is None:
        raise _wrong_move(
            "TRAILS-TILE-2", marked("The trail at {begin} is a loop: no tile is carried along it."), begin, end
        )
    if not BORDER >> last & 1:
        raise _wrong_move("TRAILS-TILE-2", marked("The way from {begin} to {end} leads to {last}, "
                          "an end that is not on the border."), begin, end, last)  # fmt: skip


def _check_free(state: State, tile: int, end: int) -> None:
    if state.moved >> tile & 1:
        raise IllegalMoveError("TRAILS-TILE-3", "The tile at {cell} has moved in this turn already.",
                               cell=NAMES[state.tiles[tile]])  # fmt: skip
    if end in state.tiles:
        raise IllegalMoveError("TRAILS-TILE-3", "The ant at {cell} holds a tile already.", cell=NAMES[end])


def _wrong_move(rule: str, template: str, begin: int, end: int, last: int = 0) -> IllegalMoveError:
    return IllegalMoveError(rule, template, begin=NAMES[begin], end=NAMES[end], last=NAMES[last])


def _moved(state: State, tile: int, end: int, *, collects: bool) -> State:
    tiles, seat = state.tiles, state.seat
    tiles = (*tiles[:tile], COLLECTED if collects else end, *tiles[tile + 1 :])
    moved = state.moved | 1 << tile
    if not collects:
        return state._replace(tiles=tiles, moved=moved)
    black, red = state.collected
    collected = (black, (*red, tile)) if seat else ((*black, tile), red)
    return state._replace(tiles=tiles, moved=moved, collected=collected)


# The end of a turn and of the game


def _end_turn(state: State, _: EndTurn) -> State:
    if state.phase != TILES:
        raise _not_yet(state, marked("No turn ends before its ants are placed."))
    return _next_turn(state)


def _pass(state: State, _: Pass) -> State:
    if state.phase != PLACE or state.placed:
        raise IllegalMoveError("TRAILS-PASS-1", "Nobody passes after placing an ant: / ends the turn.")
    if _can_place(state):
        raise IllegalMoveError("TRAILS-PASS-1", "Nobody passes who can place an ant.")
    state = state._replace(passes=state.passes + 1)
    return _end(state, "TRAILS-END-1") if state.passes == PASSES_THAT_END else _next_turn(state)


def _not_yet(state: State, sentence: str) -> IllegalMoveError:
    """The refusal of what comes after placing."""
    if state.phase == PLACE and not state.placed and not _can_place(state):
        return IllegalMoveError("TRAILS-PASS-1", "Who can place no ant passes, and does nothing else.")
    return IllegalMoveError("TRAILS-TURN-2", sentence)


def _next_turn(state: State) -> State:
    return state._replace(phase=PLACE, seat=1 - state.seat, pair=state.pair + state.seat, placed=0, moved=0)


def _end(state: State, rule: str, placements: tuple[int, int] | None = None) -> State:
    outcome = Outcome(placements or _rank(state), rule, _REASONS[rule])
    return state._replace(phase=OVER, placed=0, moved=0, outcome=outcome)


def _rank(state: State) -> tuple[int, int]:
    """The place of each seat (TRAILS-SCORE-1)."""
    black, red = score(state, 0), score(state, 1)
    return 1 + (red > black), 1 + (black > red)


def leave(state: State) -> State:
    """The position after the seat to act has resigned or run out of time: the other one wins (AGN-ADMIN-1)."""
    return _end(state, "AGN-ADMIN-1", (1, 2) if state.seat else (2, 1))


def agree_draw(state: State) -> State:
    """The position after both agreed on a draw (AGN-ADMIN-2)."""
    return _end(state, "AGN-ADMIN-2", (1, 1))


_REASONS = {
    "TRAILS-END-1": marked("Both players passed, one after the other."),
    "AGN-ADMIN-1": marked("A player left the game."),
    "AGN-ADMIN-2": marked("The players agreed on a draw."),
}


# Enumeration: candidates in a fixed order, judged by `apply` alone, so that legality is written once


def legal_actions(state: State) -> Iterator[Action]:
    """Every action that `apply` accepts here, administrative ones left out."""
    return accepted(one_by_one(apply, lambda _: 0), lambda action: (action,), state, _CANDIDATES[state.phase](state))


def _placings(state: State) -> Iterator[Action]:
    yield from map(Placing, members(empty_cells(state, BOARD)))
    yield Pass()


def _tile_moves(state: State) -> Iterator[Action]:
    for begin in sorted(cell for cell in state.tiles if cell != COLLECTED):
        yield from (TileMove(begin, end) for end in NEIGHBOURS[begin])
    yield EndTurn()


def _none(_: State) -> Iterator[Action]:
    return iter(())


_APPLY: dict[type, Callable[[State, Any], State]] = {
    Placing: _place,
    TileMove: _move_tile,
    EndTurn: _end_turn,
    Pass: _pass,
}
_CANDIDATES: dict[str, Callable[[State], Iterator[Action]]] = {PLACE: _placings, TILES: _tile_moves, OVER: _none}

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "start"]
