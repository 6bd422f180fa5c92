"""What to notice in a position of Ant Trails: tiles that can move, trail ends at the border, cells for ants."""

from engine.ant_trails.board import BORDER, NAMES, NEAR, members
from engine.ant_trails.rules import legal_actions
from engine.ant_trails.scene.layout import centre
from engine.ant_trails.scene.traces import tile_id
from engine.ant_trails.state import OVER, PLACE, SEATS, TILES, Placing, State, TileMove, player
from engine.insights import Arrow, Insight
from engine.words import words

_ENDS_BELOW = 2
"""An ant with fewer neighbours of its colour is an end of its trail."""


def insights(state: State) -> tuple[Insight, ...]:
    """Return what to notice; nothing once the game is over."""
    if state.phase == OVER:
        return ()
    return (_tiles(state), *(_ends(state, seat) for seat in range(len(SEATS))), *_cells(state))


def _tiles(state: State) -> Insight:
    """Return the tiles that the player to act could move if placing were over."""
    moves = [action for action in legal_actions(state._replace(phase=TILES)) if isinstance(action, TileMove)]
    tiles = tuple(dict.fromkeys(tile_id(state.tiles.index(move.start)) for move in moves))
    facts = tuple(
        words("The tile of {points} at {start} can go to {end}.",
              points=state.table.points[state.tiles.index(move.start)], start=NAMES[move.start], end=NAMES[move.end])
        for move in moves
    )  # fmt: skip
    arrows = tuple(Arrow((centre(move.start), centre(move.end))) for move in moves)
    return Insight("tiles", words("Tiles that can move"), facts, tiles, arrows)


def _ends(state: State, seat: int) -> Insight:
    """Return the ends of a player's trails at the border, where tiles are collected (TRAILS-TILE-3)."""
    ants = state.ants[seat]
    ends = [ant for ant in members(ants & BORDER) if (NEAR[ant] & ants).bit_count() < _ENDS_BELOW]
    said = words("{player}: trail ends at the border", player=player(seat))
    facts = (words("Ends at the border: {cells}.", cells=", ".join(NAMES[ant] for ant in ends)),) if ends else ()
    return Insight(f"ends-{SEATS[seat]}", said, facts, tuple(f"ant:{NAMES[ant]}" for ant in ends))


def _cells(state: State) -> tuple[Insight, ...]:
    """Return the cells on which the player to act may place an ant, during the placing phase."""
    cells = [action.cell for action in legal_actions(state) if isinstance(action, Placing)]
    if state.phase != PLACE or not cells:
        return ()
    facts = (words("An ant may be placed on {cells}.", cells=", ".join(NAMES[cell] for cell in cells)),)
    return (Insight("cells", words("Cells for an ant"), facts, tuple(f"cell:{NAMES[cell]}" for cell in cells)),)


__all__ = ["insights"]
