"""How the bonus tiles of Ant Trails are laid out."""

from collections import Counter
from typing import Final

from engine.ant_trails.board import BORDER, CELLS, NAMES, NEAR
from engine.ant_trails.rules.setup import TILES_WORTH
from engine.ant_trails.scene import cell_pieces, tile_piece
from engine.ant_trails.scene.drawings import draw
from engine.ant_trails.scene.layout import BOX, LABELS, RADIUS, centre
from engine.scene.values import Scene, in_order
from engine.touches import Kind, Laid, Laying, Spot, Way
from engine.words import Words, words

_CELLS: Final = {NAMES[cell]: cell for cell in CELLS if not BORDER >> cell & 1}
"""Where tiles may lie (TRAILS-SETUP-1)."""
_HALF: Final = round(RADIUS * 0.8, 1)


def _spot(name: str, cell: int) -> Spot:
    x, y = centre(cell)
    return Spot(name, words("Cell {cell}", cell=name), (x - _HALF, y - _HALF, 2 * _HALF, 2 * _HALF))


def _kinds(_: str | None, laid: Laid) -> tuple[tuple[Words, tuple[Kind, ...]], ...]:
    whole, lying = Counter(map(str, TILES_WORTH)), Counter(laid.values())
    tiles = tuple(_kind(points, of - lying[points], of) for points, of in sorted(whole.items(), reverse=True))
    return ((words("Bonus tiles"), tiles),)


def _kind(points: str, left: int, of: int) -> Kind:
    label = words("Tile of {points}", points=points)
    return Kind(points, "tile", label, left, of, (Way(points, "tile", label),), points)


def _fits(laid: Laid, key: str, _: str) -> bool:
    return not any(NEAR[_CELLS[key]] >> _CELLS[other] & 1 for other in laid)


def _in_order(laid: Laid) -> list[tuple[int, str]]:
    return sorted((_CELLS[name], points) for name, points in laid.items())


def _setup(laid: Laid) -> str:
    return " ".join(f"{NAMES[cell]}={points}" for cell, points in _in_order(laid))


def _scene(laid: Laid) -> Scene:
    tiles = [tile_piece(tile, cell, int(points), carried=False) for tile, (cell, points) in enumerate(_in_order(laid))]
    return Scene(BOX, in_order([*cell_pieces(), *tiles]), draw, labels=LABELS)


LAYING: Final = Laying(
    spots=tuple(_spot(name, cell) for name, cell in _CELLS.items()),
    kinds=_kinds,
    fits=_fits,
    setup=_setup,
    scene=_scene,
    in_order=False,
)

__all__ = ["LAYING"]
