"""How the actions and the bonus tiles of Ant Trails are written."""

import re
from functools import cache

from engine.ant_trails.board import NAMES
from engine.ant_trails.state import Action, EndTurn, Pass, Placing, TileMove
from engine.ruleset import MoveSyntaxError, TagError

_CELL = {name: cell for cell, name in enumerate(NAMES)}
"""Every cell that can be written; whether it is on the board is a matter of the rules."""
_TILE = re.compile(r"([a-k](?:[1-9]|1[01]))=([0-9])")
_END_OF_TURN = "/"
_PASSING = "pass"
_ONTO = ">"


def parse_action(token: str) -> Action:
    """Parse a token. :raises MoveSyntaxError: when it is not a placing, a tile move, `/` or `pass`."""
    if token == _END_OF_TURN:
        return EndTurn()
    if token == _PASSING:
        return Pass()
    if token in _CELL:
        return Placing(_CELL[token])
    start, _, end = token.partition(_ONTO)
    if start not in _CELL or end not in _CELL:
        raise MoveSyntaxError("AGN-MOVE-1", "{token!r} is not an action of Ant Trails.", token=token)
    if start == end:
        raise MoveSyntaxError("AGN-MOVE-1", "{token!r} starts and ends on the same cell.", token=token)
    return TileMove(_CELL[start], _CELL[end])


def format_action(action: Action) -> str:
    """Write an action; undoes `parse_action`."""
    match action:
        case Placing(cell):
            return NAMES[cell]
        case TileMove(start, end):
            return f"{NAMES[start]}{_ONTO}{NAMES[end]}"
        case Pass():
            return _PASSING
    return _END_OF_TURN


def parse_tiles(text: str) -> tuple[tuple[int, int], ...]:
    """Read the `Setup` tag: the cell and the points of each tile. :raises TagError: (TRAILS-SETUP-1)."""
    return tuple(map(_parse_tile, text.split(" ")))


@cache
def _parse_tile(word: str) -> tuple[int, int]:
    match = _TILE.fullmatch(word)
    if match is None:
        raise TagError("Setup", "TRAILS-SETUP-1", "{word!r} in Setup is not a tile such as d6=3.", word=word)
    return _CELL[match[1]], int(match[2])
