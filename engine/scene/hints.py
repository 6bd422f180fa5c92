"""A scene with answers: a tick on each cell where an action is allowed, a cross where it is not."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from xml.etree.ElementTree import Element

from engine.scene.drawing import group, path, shape
from engine.scene.values import TOP, Piece, Scene, in_order

_ALLOWED, _REFUSED = "allowed", "refused"
_RADIUS = "15"
_STROKES = {_ALLOWED: "M-7 .5 L-2 6 L7.5 -5.5", _REFUSED: "M-5.5 -5.5 L5.5 5.5 M-5.5 5.5 L5.5 -5.5"}


def tried(scene: Scene, answers: Mapping[str, bool]) -> Scene:
    """Return the scene with a mark on every cell in question.

    :param answers: by a cell's name, whether the action is allowed there.
    :raises KeyError: when the scene has no piece `cell:NAME`.
    """
    ground = {piece.id: piece for piece in scene.pieces}
    marks = [_answer(ground[f"cell:{cell}"], allowed=allowed) for cell, allowed in answers.items()]
    return replace(scene, pieces=in_order([*scene.pieces, *marks]), draw=partial(_draw, scene.draw))


def _answer(cell: Piece, *, allowed: bool) -> Piece:
    name = _ALLOWED if allowed else _REFUSED
    return Piece(cell.id.replace("cell:", "tried:"), name, cell.x, cell.y, TOP)


def _draw(others: Callable[[str], Element], name: str) -> Element:
    return group(shape("circle", "paper", r=_RADIUS), path(name, _STROKES[name])) if name in _STROKES else others(name)
