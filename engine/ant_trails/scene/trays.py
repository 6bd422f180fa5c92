"""The trays beside the board of Ant Trails: each player's score and collected tiles."""

from collections.abc import Iterator

from engine.ant_trails.board import longest
from engine.ant_trails.scene.captions import COLOURS
from engine.ant_trails.scene.traces import tile_id
from engine.ant_trails.state import SEATS, State, player, points_of, score, to_act
from engine.scene.drawing import LIGHT
from engine.scene.values import Box, Count, Mark, Piece, Tray, tray_summary
from engine.words import Words, words

COUNTS = _TRAIL, _TILES, _SCORE = words("longest trail"), words("tiles"), words("score")
"""What a score sheet counts, in its order."""
_BOX = Box(0, 0, 204, 46)
_ANT = 24
"""Where the seat's ant stands."""
_ROW = 5
"""More tiles than these lie in two rows."""


def trays(state: State) -> tuple[Tray, ...]:
    """Return the trays in seat order."""
    return tuple(_tray(state, seat) for seat in range(len(SEATS)))


def sheets(state: State) -> tuple[tuple[Count, ...], ...]:
    """Return the score sheet of each seat, in seat order."""
    return tuple(_counts(state, seat) for seat in range(len(SEATS)))


def _tray(state: State, seat: int) -> Tray:
    counts, marks = _counts(state, seat), _marks(state, seat)
    place = state.outcome.placements[seat] if state.outcome else None
    return Tray(
        seat=SEATS[seat],
        colour=COLOURS[seat],
        name=player(seat),
        counts=counts,
        marks=marks,
        place=place,
        box=_BOX,
        pieces=(_ant(seat), *_tiles(state, seat)),
        said=_said(player(seat), counts, marks, place),
    )


def _counts(state: State, seat: int) -> tuple[Count, ...]:
    return (
        Count("trail", _TRAIL, longest(state.ants[seat])),
        Count("tiles", _TILES, sum(points_of(state, seat))),
        Count("score", _SCORE, score(state, seat)),
    )


def _marks(state: State, seat: int) -> tuple[Mark, ...]:
    left = state.outcome is not None and state.outcome.termination.by_leaving and state.seat == seat
    return (
        Mark("turn", words("to act"), to_act(state) == SEATS[seat]),
        Mark("passed", words("passed"), _has_passed(state, seat)),
        Mark("left", words("left the game"), left),
    )


def _has_passed(state: State, seat: int) -> bool:
    """Return whether the seat's last turn was a pass and no ant has been placed since."""
    return state.passes > 1 or (state.passes == 1 and state.seat != seat)


def _ant(seat: int) -> Piece:
    symbol = ("ant-round", "ant-square")[seat]
    return Piece("ant", symbol, _ANT, _BOX.height / 2, size=0.9, classes=("ant", f"seat-{COLOURS[seat]}"))


def _tiles(state: State, seat: int) -> Iterator[Piece]:
    """Yield the tiles in the order in which they were collected: a row of five, or two rows of smaller ones."""
    tiles = state.collected[seat]
    few = len(tiles) <= _ROW
    step, size, rise = (30, 0.9, 0) if few else (25, 0.66, 11)
    for place, tile in enumerate(tiles):
        across, down = (place, 0) if few else (place // 2, 2 * (place % 2) - 1)
        x, y = 2 * _ANT + 13 + across * step, _BOX.height / 2 + down * rise
        points = str(state.table.points[tile])
        yield Piece(tile_id(tile), "tile", x, y, size=size, classes=("tile", LIGHT), text=points)


def _said(name: Words, counts: tuple[Count, ...], marks: tuple[Mark, ...], place: int | None) -> Words:
    trail, tiles, total = (count.value for count in counts)
    said = words("{player}: longest trail {trail}, tiles {tiles}, score {score}",
                 player=name, trail=trail, tiles=tiles, score=total)  # fmt: skip
    return tray_summary(said, marks, place)
