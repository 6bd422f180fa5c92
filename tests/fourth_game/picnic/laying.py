"""Laying out a game of Picnic: a row of ten plates."""

from engine.scene.values import GROUND, LOOSE, Box, Piece, Scene, in_order
from engine.touches import Kind, Laid, Laying, Spot, Way
from engine.words import Words, words

from .board import MOST_CRUMBS, NAMES
from .scene import PITCH, draw

_ROW = NAMES[:10]
_HALF = PITCH / 2


def _kinds(_: str | None, laid: Laid) -> tuple[tuple[Words, tuple[Kind, ...]], ...]:
    return ((words("Crumbs"), tuple(_kind(str(number), laid) for number in range(1, MOST_CRUMBS + 1))),)


def _kind(crumbs: str, laid: Laid) -> Kind:
    label = words("Crumbs: {crumbs}", crumbs=crumbs)
    left = len(_ROW) - len(laid)
    return Kind(crumbs, "crumbs", label, left, len(_ROW), (Way(crumbs, "crumbs", label),), crumbs)


def _setup(laid: Laid) -> str:
    return "".join(laid.get(plate, ".") for plate in _ROW)


def _scene(laid: Laid) -> Scene:
    pieces = [Piece(f"cell:{plate}", "plate", at * PITCH, 0, GROUND) for at, plate in enumerate(_ROW)]
    pieces += [
        Piece(f"crumbs:{plate}", "crumbs", _ROW.index(plate) * PITCH, 0, LOOSE, text=crumbs)
        for plate, crumbs in laid.items()
    ]
    return Scene(Box(-_HALF, -_HALF, PITCH * len(_ROW), PITCH), in_order(pieces), draw)


LAYING = Laying(
    spots=tuple(
        Spot(plate, words("Plate {plate}", plate=plate), (at * PITCH - _HALF, -_HALF, PITCH, PITCH))
        for at, plate in enumerate(_ROW)
    ),
    kinds=_kinds,
    fits=lambda *_: True,
    setup=_setup,
    scene=_scene,
    in_order=False,
)

__all__ = ["LAYING"]
