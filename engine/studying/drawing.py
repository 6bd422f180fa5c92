"""Drawing a position of a chapter with its marks."""

from math import dist, hypot
from xml.etree.ElementTree import Element, SubElement

from engine.scene import Scene, union
from engine.scene.svg import board, serialize
from engine.studying.playing import PlayedTree, cells
from engine.studying.values import ROOT, Mark
from engine.words import Translate, untranslated

Point = tuple[float, float]
_HEAD = 0.34
"""Length of an arrow's head, as a share of the distance between cells."""


def draw(played: PlayedTree, at: int, translate: Translate = untranslated) -> tuple[str, Scene]:
    """Return the picture of the position after an action, as SVG, and its scene."""
    scene = played.scene(at)
    whole = board(scene, union([scene]), labelled=True, translate=translate)
    marks = played.tree.marks if at == ROOT else played.tree.nodes[at].marks
    if marks:
        group = SubElement(whole, "g", {"class": "study-marks", "fill": "none", "stroke-linecap": "round"})
        known = cells(scene)
        size = distance(list(known.values()))
        for mark in marks:
            group.append(_mark(mark, known, size))
    return serialize(whole), scene


def distance(points: list[Point]) -> float:
    """Return the smallest distance between two cells."""
    return min((dist(points[0], other) for other in points[1:]), default=80.0)


def _mark(mark: Mark, known: dict[str, Point], size: float) -> Element:
    x, y = known[mark.cell]
    if not mark.to:
        shape = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{size * 0.42:.1f}"}
        return _cased("circle", shape, mark.colour, size)
    return _cased("path", {"d": _arrow((x, y), known[mark.to], size)}, mark.colour, size)


def _cased(name: str, shape: dict[str, str], colour: str, size: float) -> Element:
    """Return a shape in a colour over a white casing."""
    group = Element("g", {"class": f"study-mark {colour}"})
    SubElement(group, name, {**shape, "class": "casing", "stroke-width": f"{size * 0.13:.1f}"})
    SubElement(group, name, {**shape, "class": "line", "stroke-width": f"{size * 0.075:.1f}"})
    return group


def _arrow(begin: Point, end: Point, size: float) -> str:
    """Return the path of an arrow that ends just before the middle of a cell."""
    (x, y), (to_x, to_y) = begin, end
    length = hypot(to_x - x, to_y - y)
    along, across = (to_x - x) / length, (to_y - y) / length
    tip = to_x - along * size * 0.12, to_y - across * size * 0.12
    back = _HEAD * size
    foot = tip[0] - along * back, tip[1] - across * back
    wings = [(foot[0] - across * side, foot[1] + along * side) for side in (back * 0.55, -back * 0.55)]
    (one_x, one_y), (other_x, other_y) = wings
    return (
        f"M{x:.1f} {y:.1f}L{tip[0]:.1f} {tip[1]:.1f}"
        f"M{one_x:.1f} {one_y:.1f}L{tip[0]:.1f} {tip[1]:.1f}L{other_x:.1f} {other_y:.1f}"
    )
