"""Why an action of Ant Trails is not legal: the reason that a person would name first."""

from engine.ant_trails.board import BOARD, BORDER, NAMES, NEAR, NOWHERE, Trails, members
from engine.ant_trails.rules.position import Position
from engine.ant_trails.state import PLACE, TILES, Action, EndTurn, Placing, State, TileMove
from engine.ruleset import IllegalMoveError
from engine.words import marked

BESIDE_AT_MOST = 2


def of(state: State, action: Action) -> IllegalMoveError:
    """Return why an action is not legal."""
    match action:
        case Placing(cell):
            return _of_placing(state, cell)
        case TileMove(begin, end):
            return _of_tile_move(state, begin, end)
        case EndTurn():
            return _not_yet(state, marked("A turn cannot end before all its ants are placed."))
    if state.phase != PLACE or state.placed:
        return IllegalMoveError("TRAILS-PASS-1", "An ant was placed this turn, so it ends with /, not with pass.")
    return IllegalMoveError("TRAILS-PASS-1", "A player can pass only when no ant can be placed.")


def _off_board(*cells: int) -> IllegalMoveError | None:
    for cell in cells:
        if not BOARD >> cell & 1:
            return IllegalMoveError("TRAILS-BOARD-1", "{cell} is not on the board.", cell=NAMES[cell])
    return None


def _not_yet(state: State, sentence: str) -> IllegalMoveError:
    """Return the refusal of an action that has to wait until placing is over."""
    if state.phase == PLACE and not state.placed and not Position(state).can_place():
        return IllegalMoveError("TRAILS-PASS-1", "No ant can be placed, so the whole turn is pass.")
    return IllegalMoveError("TRAILS-TURN-2", sentence)


# Placing


def _of_placing(state: State, cell: int) -> IllegalMoveError:
    if state.phase != PLACE:
        return IllegalMoveError("TRAILS-TURN-2", "All ants of this turn are already placed.")
    return _off_board(cell) or _taken(state, cell) or _refusal_to_join(state.ants[state.seat], cell)


def _taken(state: State, cell: int) -> IllegalMoveError | None:
    if (state.ants[0] | state.ants[1]) >> cell & 1:
        return IllegalMoveError("TRAILS-PLACE-1", "There is already an ant on {cell}.", cell=NAMES[cell])
    if cell in state.tiles:
        return IllegalMoveError(
            "TRAILS-PLACE-1", "An ant needs an empty cell; there is a bonus tile on {cell}.", cell=NAMES[cell]
        )
    return None


def _refusal_to_join(own: int, cell: int) -> IllegalMoveError:
    """Return why an ant cannot be placed on an empty cell beside its own ants (TRAILS-PLACE-2)."""
    beside = own & NEAR[cell]
    if not beside:
        return _refuse(marked("{cell} is neither on the border nor next to an ant of the same colour."), cell)
    if beside.bit_count() > BESIDE_AT_MOST:
        return _refuse(marked("{cell} is next to more than two ants of the same colour; trails cannot branch."), cell)
    trails = Trails(own)
    ant = next(ant for ant in members(beside) if trails.is_middle(ant))
    return _refuse(marked("{cell} is next to the ant on {ant}, which is not an end of its trail."), cell, ant)


def _refuse(template: str, cell: int, ant: int = 0) -> IllegalMoveError:
    return IllegalMoveError("TRAILS-PLACE-2", template, cell=NAMES[cell], ant=NAMES[ant])


# Tiles


def _of_tile_move(state: State, begin: int, end: int) -> IllegalMoveError:
    if state.phase != TILES:
        return _not_yet(state, marked("Tiles cannot move before all ants of the turn are placed."))
    if refusal := _off_board(begin, end):
        return refusal
    if begin not in state.tiles:
        return IllegalMoveError("TRAILS-TILE-1", "There is no tile on {cell}.", cell=NAMES[begin])
    own = state.ants[state.seat]
    refusal = _of_carrying(own, begin, end) if own >> begin & 1 else _of_picking_up(state, begin, end)
    return refusal or _not_free(state, begin, end)


def _of_picking_up(state: State, begin: int, end: int) -> IllegalMoveError | None:
    if (state.ants[0] | state.ants[1]) >> begin & 1:
        sentence = marked("The tile on {begin} is carried by an ant of the other colour.")
    elif not NEAR[begin] >> end & 1:
        sentence = marked("The tile on {begin} cannot move to {end}: the two cells are not adjacent.")
    elif not state.ants[state.seat] >> end & 1:
        sentence = marked("Only an ant of the player to move can pick up a tile; there is none on {end}.")
    else:
        return None
    return _wrong_move("TRAILS-TILE-1", sentence, begin, end)


def _of_carrying(own: int, begin: int, end: int) -> IllegalMoveError | None:
    if not own & NEAR[begin] & 1 << end:
        sentence = marked("The tile on {begin} can move only to an adjacent ant of the same colour, not to {end}.")
        return _wrong_move("TRAILS-TILE-2", sentence, begin, end)
    last = Trails(own).end_of_way(begin, end)
    if last == NOWHERE:
        sentence = marked("The trail at {begin} is a loop; tiles cannot be carried along a loop.")
        return _wrong_move("TRAILS-TILE-2", sentence, begin, end)
    if not BORDER >> last & 1:
        sentence = marked("From {begin} towards {end} the trail ends at {last}, which is not on the border.")
        return _wrong_move("TRAILS-TILE-2", sentence, begin, end, last)
    return None


def has_moved(cell: int) -> IllegalMoveError:
    """Return why a tile cannot move that has moved in this turn."""
    return IllegalMoveError("TRAILS-TILE-3", "The tile on {cell} has already moved this turn.", cell=NAMES[cell])


def no_ant_beside(cell: int) -> IllegalMoveError:
    """Return why a tile cannot move that no ant of the player to move can pick up."""
    sentence = marked("The tile on {cell} cannot move: no ant of the player to move is next to it.")
    return IllegalMoveError("TRAILS-TILE-1", sentence, cell=NAMES[cell])


def _not_free(state: State, begin: int, end: int) -> IllegalMoveError:
    if state.moved >> state.tiles.index(begin) & 1:
        return has_moved(begin)
    return IllegalMoveError("TRAILS-TILE-3", "The ant on {cell} is already carrying a tile.", cell=NAMES[end])


def _wrong_move(rule: str, template: str, begin: int, end: int, last: int = 0) -> IllegalMoveError:
    return IllegalMoveError(rule, template, begin=NAMES[begin], end=NAMES[end], last=NAMES[last])


__all__ = ["has_moved", "no_ant_beside", "of"]
