"""What to touch for an action of Ant Trails: a cell for an ant, or a tile and its destination."""

from typing import Final

from engine.ant_trails.board import NAMES
from engine.ant_trails.laying import LAYING
from engine.ant_trails.misses import meant
from engine.ant_trails.scene import SHAPES
from engine.ant_trails.scene.captions import COLOURS
from engine.ant_trails.scene.layout import centre
from engine.ant_trails.scene.traces import tile_id
from engine.ant_trails.state import Action, Pass, Placing, State, TileMove
from engine.scene.values import WALKING
from engine.touches import CHOICE, Ghost, Spelling, Touch, Touching
from engine.words import words


def _spell(state: State, action: Action) -> tuple[Spelling, ...]:
    match action:
        case Placing(cell):
            return ((_cell(cell, NAMES[cell])._replace(ghosts=(_ant(cell, state.seat),)),),)
        case TileMove(start, end):
            return (_tile(state, start, end),)
        case Pass():
            return ((Touch(f"{CHOICE}pass", "pass", words("Pass")),),)
    return ((Touch(f"{CHOICE}/", "/", words("End turn")),),)


def _cell(cell: int, part: str) -> Touch:
    return Touch(f"cell:{NAMES[cell]}", part, words("Cell {cell}", cell=NAMES[cell]))


def _ant(cell: int, seat: int) -> Ghost:
    return Ghost(
        f"ant:{NAMES[cell]}", *centre(cell), 0, f"ant-{SHAPES[seat]}", WALKING, classes=("ant", f"seat-{COLOURS[seat]}")
    )


def _tile(state: State, start: int, end: int) -> Spelling:
    tile = state.tiles.index(start)
    label = words("Tile of {points} at {cell}", points=state.table.points[tile], cell=NAMES[start])
    ghost, way = Ghost(tile_id(tile), *centre(end)), (centre(start), centre(end))
    return Touch(tile_id(tile), NAMES[start], label), _cell(end, f">{NAMES[end]}")._replace(ghosts=(ghost,), way=way)


TOUCHING: Final[Touching[State, Action]] = Touching(spell=_spell, meant=meant, laying=LAYING)

__all__ = ["TOUCHING"]
