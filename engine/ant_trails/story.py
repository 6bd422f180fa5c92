"""What matters in a game of Ant Trails: trails joined and closed to loops, tiles collected."""

from collections.abc import Iterator
from typing import Final

from engine.ant_trails.board import trail_of
from engine.ant_trails.scene.captions import JOINS, LOOPS, placing_said, tile_said, what_it_joins
from engine.ant_trails.state import COLLECTED, SEATS, Action, Placing, State, TileMove, score
from engine.events import Event, Kind, SeatName, StoryParts, Turning
from engine.rounds import pair_called
from engine.words import Words, counted, words

TILE, LOOP, JOINED = "tile", "loop", "joined"
_KINDS = {JOINS: JOINED, LOOPS: LOOP}


def events(before: State, action: Action | None, state: State) -> Iterator[Event]:
    """Yield what happened between two positions."""
    letter = SEATS[before.seat]
    if isinstance(action, Placing):
        kind = _KINDS.get(what_it_joins(before, action.cell))
        if kind:
            ants = trail_of(state.ants[before.seat], action.cell).bit_count()
            yield Event(kind, letter, placing_said(before, action.cell, state), ants)
    elif isinstance(action, TileMove):
        tile = before.tiles.index(action.start)
        if state.tiles[tile] == COLLECTED:
            said = tile_said(before, action.start, action.end, state)
            yield Event(TILE, letter, said, state.table.points[tile])


def merits(state: State) -> tuple[int, ...]:
    """Return the score of each seat (TRAILS-SCORE-1)."""
    return tuple([score(state, seat) for seat in range(len(SEATS))])


def _collected(count: int, player: SeatName, when: Words) -> Words:
    return counted(
        "{player} collected a tile of {count} point in {when}.",
        "{player} collected tiles for {count} points in {when}.",
        count,
        player=player,
        when=when,
    )


STORY: Final[StoryParts[State, Action]] = StoryParts(
    kinds=(
        Kind(TILE, words("tile"), "tile"),
        Kind(LOOP, words("loop"), "loop"),
        Kind(JOINED, words("joined"), "join"),
    ),
    events=events,
    chart="score",
    merits=merits,
    when=pair_called,
    turning=Turning(TILE, _collected),
)

__all__ = ["STORY"]
