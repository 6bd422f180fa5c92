"""A position of Ant Trails and the actions that lead from one to the next."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.ant_trails.board import NAMES, longest, members
from engine.rounds import Round, in_turns
from engine.ruleset import Outcome
from engine.words import Words, words

SEATS = "BR"
"""Black and red, in turn order."""
_COLOURS: Final = (words("Black"), words("Red"))
ANTS_A_TURN: Final = 2
COLLECTED: Final = -1

PLACE: Final = "place"
TILES: Final = "tiles"
OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same throughout a game."""

    points: tuple[int, ...]
    """What each of the twelve tiles is worth. Tiles are numbered from 0, by the cells on which they lay at first."""


class State(NamedTuple):
    """A position. Seats are numbered from 0, black; sets of ants are bits by cells, sets of tiles bits by tiles."""

    table: Table
    phase: str
    seat: int
    """The seat whose turn it is, or was when the game ended."""
    pair: int
    placed: int
    """Ants placed in the turn under way."""
    ants: tuple[int, int]
    """Where the ants of each seat stand."""
    tiles: tuple[int, ...]
    """The cell of each tile; COLLECTED when it has left the board."""
    moved: int
    """The tiles that have moved in the turn under way."""
    collected: tuple[tuple[int, ...], tuple[int, ...]]
    """The tiles that each seat collected, in that order."""
    passes: int
    """Turns passed in succession."""
    outcome: Outcome | None


class Placing(NamedTuple):
    """`c5`: an ant is placed."""

    cell: int


class TileMove(NamedTuple):
    """`d6>e6`: a tile is picked up, or carried from ant to ant."""

    start: int
    end: int


class EndTurn(NamedTuple):
    """`/`: a turn ends."""


class Pass(NamedTuple):
    """`pass`: a whole turn, when there is no cell for an ant."""


Action = Placing | TileMove | EndTurn | Pass


def to_act(state: State) -> str | None:
    """Return the letter of the seat whose turn it is; None when the game is over."""
    return None if state.phase == OVER else SEATS[state.seat]


def points_of(state: State, seat: int) -> list[int]:
    """Return the points of the tiles that a seat collected, in the order of collecting."""
    return [state.table.points[tile] for tile in state.collected[seat]]


def score(state: State, seat: int) -> int:
    """Return the ants of a seat's longest trail and the points that it collected (TRAILS-SCORE-1)."""
    return longest(state.ants[seat]) + sum(points_of(state, seat))


def player(seat: int) -> Words:
    """Return a player's name for people, by colour."""
    return _COLOURS[seat]


def round_of(state: State) -> Round:
    """Return how far the pair of turns has come."""
    return Round(words("Move {number}", number=state.pair), in_turns(SEATS, to_act(state)))


def describe(state: State) -> dict[str, Any]:
    """Return the state as a replay shows it (the record format's description of the game)."""
    over = state.phase == OVER
    on_board = sorted((cell, tile) for tile, cell in enumerate(state.tiles) if cell != COLLECTED)
    return {
        "phase": state.phase,
        "turn": to_act(state),
        "pair": state.pair,
        "placed": state.placed,
        "ants": {letter: [NAMES[ant] for ant in members(ants)] for letter, ants in zip(SEATS, state.ants, strict=True)},
        "tiles": {NAMES[cell]: state.table.points[tile] for cell, tile in on_board},
        "moved": [NAMES[cell] for cell, tile in on_board if not over and state.moved >> tile & 1],
        "collected": {letter: points_of(state, seat) for seat, letter in enumerate(SEATS)},
        "longest": {letter: longest(ants) for letter, ants in zip(SEATS, state.ants, strict=True)},
        "passes": state.passes,
        "placements": list(state.outcome.placements) if state.outcome else None,
    }
