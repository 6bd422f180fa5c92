"""What the actions of Ant Trails do, where they are legal, and how a game ends."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from engine.ant_trails.board import BOARD, BORDER, NEAR, NEIGHBOURS, NOWHERE, Trails, bits, members
from engine.ant_trails.rules import refusals
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
    TileMove,
    empty_cells,
    score,
)
from engine.ruleset import Outcome, Played, accepted
from engine.words import marked

PASSES_THAT_END = 2


# Actions


def apply(state: State, action: Action) -> State:
    """The position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    played = play(state, (step(action),))
    if not played.plies:
        raise refusals.of(state, action)
    return played.state


_PLACE, _MOVE, _END, _PASS, _NEVER = range(5)

Step = tuple[int, int, int, int, int]
"""Kind, and of a tile's move the cells from and to which it goes; then both as bits. An ant is placed at the first."""


@lru_cache(maxsize=None, typed=True)
def step(action: Action) -> Step:
    """An action as `play` takes it."""
    match action:
        case Placing(cell):
            return (_PLACE if BOARD >> cell & 1 else _NEVER), cell, 0, 1 << cell, 0
        case TileMove(begin, end):
            beside = BOARD >> begin & NEAR[begin] >> end & 1
            return (_MOVE if beside else _NEVER), begin, end, 1 << begin, 1 << end
        case EndTurn():
            return _END, 0, 0, 0, 0
    return _PASS, 0, 0, 0, 0


def play(state: State, steps: Sequence[Step]) -> Played[State]:  # noqa: C901, PLR0912, PLR0915 (see below)
    """Plays actions up to the first that is not legal: here alone stands which are, and what they do.

    One long loop over local values, for here verification spends its time: `bench/` shows it five times as quick as a
    function for every action and a position after each.
    """
    _, phase, seat, pair, placed, ants, cells, moved, collected, passes, _ = state
    if phase == OVER:
        return Played(state, 0, ())
    own, other = Trails(ants[seat]), Trails(ants[1 - seat])
    tiles, tiled = list(cells), bits([cell for cell in cells if cell != COLLECTED])
    empty = BOARD & ~(own.ants | other.ants | tiled)
    placing, plies, grown = phase == PLACE, 0, list[int]()
    for kind, begin, end, from_, to in steps:
        if kind == _PLACE:
            if not placing or not own.open & empty & from_:
                break
            own.place(begin)
            empty ^= from_
            placed += 1
            passes = 0
            placing = placed < ANTS_A_TURN and own.open & empty != 0
        elif kind == _MOVE:
            if placing or not tiled & from_ or not own.ants & to or tiled & to:
                break
            tile = tiles.index(begin)
            if moved >> tile & 1:
                break
            if own.ants & from_:
                last = own.end_of_way(begin, end)
                if last == NOWHERE or not BORDER >> last & 1:
                    break
            elif other.ants & from_:
                break
            else:
                empty |= from_
            moved |= 1 << tile
            tiled ^= from_
            if BORDER & to and not own.full & to:
                tiles[tile] = COLLECTED
                black, red = collected
                collected = (black, (*red, tile)) if seat else ((*black, tile), red)
            else:
                tiles[tile] = end
                tiled |= to
        else:
            if kind == _PASS:
                if not placing or placed or own.open & empty:
                    break
                passes += 1
            elif placing or kind == _NEVER:
                break
            placed = moved = 0
            if passes == PASSES_THAT_END:
                plies += 1
                break
            own, other, placing = other, own, True
            if seat:
                grown.append(plies + 1)
            seat = 1 - seat
        plies += 1
    after = state._replace(
        phase=PLACE if placing else TILES,
        seat=seat,
        pair=pair + len(grown),
        placed=placed,
        ants=(other.ants, own.ants) if seat else (own.ants, other.ants),
        tiles=tuple(tiles),
        moved=moved,
        collected=collected,
        passes=passes,
    )
    return Played(_end(after, "TRAILS-END-1") if passes == PASSES_THAT_END else after, plies, grown)


# The end


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


# Enumeration: candidates in a fixed order, judged by `play` alone, so that legality is written once


def legal_actions(state: State) -> Iterator[Action]:
    """Every action that is legal here, administrative ones left out."""
    return accepted(play, step, state, _CANDIDATES[state.phase](state))


def _placings(state: State) -> Iterator[Action]:
    yield from map(Placing, members(empty_cells(state)))
    yield Pass()


def _tile_moves(state: State) -> Iterator[Action]:
    for begin in sorted(cell for cell in state.tiles if cell != COLLECTED):
        yield from (TileMove(begin, end) for end in NEIGHBOURS[begin])
    yield EndTurn()


def _none(_: State) -> Iterator[Action]:
    return iter(())


_CANDIDATES: dict[str, Callable[[State], Iterator[Action]]] = {PLACE: _placings, TILES: _tile_moves, OVER: _none}

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play", "step"]
