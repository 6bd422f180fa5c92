"""What an action of Ant Trails did, in words."""

from collections.abc import Iterator

from engine.agn.administrative import parse_administrative
from engine.ant_trails.board import NAMES, NEAR, trail_of
from engine.ant_trails.state import (
    ANTS_A_TURN,
    COLLECTED,
    SEATS,
    TILES,
    Action,
    EndTurn,
    Pass,
    Placing,
    State,
    TileMove,
    player,
    score,
)
from engine.ruleset import Outcome, Termination
from engine.words import NOTHING_SAID, Words, marked, sentences, words

COLOURS = ("black", "red")
"""The colours' names, as classes, by seats."""


def caption(before: State | None, action: Action | None, state: State, token: str = "") -> Words:
    """Return what happened between two positions.

    :param before: none for the position before the first action.
    :param action: none when a seat left or both agreed to a draw; then the token says which.
    """
    if before is None:
        return words("Twelve bonus tiles lie on the board. {player} begins.", player=player(state.seat))
    return sentences(_what_was_done(before, action, state, token), _consequences(before, state))


def _what_was_done(before: State, action: Action | None, state: State, token: str) -> Words:
    match action:
        case Placing(cell):
            return placing_said(before, cell, state)
        case TileMove(start, end):
            return tile_said(before, start, end, state)
        case EndTurn():
            return words("{player} ends the turn.", player=player(before.seat))
        case Pass():
            return words("{player} can place no ant and passes.", player=player(before.seat))
    return _leaving(token)


def _leaving(token: str) -> Words:
    """Return who left, or that both agreed to a draw."""
    said = parse_administrative(token)
    if said is None:
        return NOTHING_SAID
    return words(_LEAVINGS[said.how], player=player(SEATS.index(said.letter)) if said.letter else "")


_LEAVINGS = {
    Termination.AGREED: marked("Both players agree to a draw."),
    Termination.TIMED_OUT: marked("{player} runs out of time."),
    Termination.RESIGNED: marked("{player} resigns."),
}


# Ants


def placing_said(before: State, cell: int, state: State) -> Words:
    """Say what an ant that is placed does to the trails of its colour."""
    return words(
        _PLACINGS[what_it_joins(before, cell)],
        player=player(before.seat),
        cell=NAMES[cell],
        ants=trail_of(state.ants[before.seat], cell).bit_count(),
    )


BEGINS, GROWS, JOINS, LOOPS = range(4)
_PLACINGS = (
    marked("{player} begins a trail at {cell}."),
    marked("{player} lengthens a trail to {ants} ants at {cell}."),
    marked("{player} joins two trails at {cell}, now one of {ants} ants."),
    marked("{player} closes a loop of {ants} ants at {cell}."),
)


def what_it_joins(before: State, cell: int) -> int:
    """Return what an ant placed on a cell does to the trails beside it."""
    own = before.ants[before.seat]
    beside = own & NEAR[cell]
    if not beside:
        return BEGINS
    if not beside & beside - 1:
        return GROWS
    return LOOPS if not beside & ~trail_of(own, beside.bit_length() - 1) else JOINS


# Tiles


def tile_said(before: State, start: int, end: int, state: State) -> Words:
    """Say how a tile is picked up or carried, and whether it is collected."""
    tile = before.tiles.index(start)
    riding, collected = before.ants[before.seat] >> start & 1, state.tiles[tile] == COLLECTED
    return words(
        _TILE_MOVES[riding, collected],
        player=player(before.seat),
        points=before.table.points[tile],
        start=NAMES[start],
        end=NAMES[end],
    )


_TILE_MOVES = {
    (0, False): marked("{player} picks up the tile of {points} at {start} with the ant at {end}."),
    (0, True): marked("{player} picks up the tile of {points} at {start} with the ant at {end}, and collects it."),
    (1, False): marked("{player} carries the tile of {points} from {start} to {end}."),
    (1, True): marked("{player} carries the tile of {points} from {start} to {end} and collects it."),
}


# Consequences


def _consequences(before: State, state: State) -> Iterator[Words]:
    """Yield consequences of the action: that there is no room for a second ant, or that the game ended."""
    if state.phase == TILES and before.placed + 1 == state.placed < ANTS_A_TURN:
        yield words("There is no room for a second ant.")
    if state.outcome:
        yield _end(state, state.outcome)


def _end(state: State, outcome: Outcome) -> Words:
    """Return who has won, or that nobody has; with the scores where they decided."""
    placements, by_score = outcome.placements, outcome.rule == "TRAILS-END-1"
    if len(set(placements)) == 1:
        how = (
            marked("The game is over: a draw, {most} to {least}.") if by_score else marked("The game is over: a draw.")
        )
    else:
        how = (
            marked("The game is over: {player} wins {most} to {least}.")
            if by_score
            else marked("The game is over: {player} wins.")
        )
    least, most = sorted(score(state, seat) for seat in range(len(COLOURS)))
    return words(how, player=player(placements.index(1)), most=most, least=least)
