"""A scene that shows a mistake: the refused piece, the piece that it conflicts with, and where actions were legal."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from math import atan2, degrees, hypot
from typing import NamedTuple
from xml.etree.ElementTree import Element

from engine.scene.drawing import ellipse, group, number, path, shape
from engine.scene.values import TOP, Piece, Point, Scene, in_order

GHOST = "refused-piece"
"""The class of the piece that was refused."""

_FOOT = 20
"""How far the sign of the refusal stands from the middle of the piece, in both directions."""
_RING = 24
_DOT = 8.5
_HALO = 15
_BAR = "offence-"


class Mistake(NamedTuple):
    """A refused action, as it can be shown on the board."""

    at: Point | None
    """Where the refused piece would be; none for what is not done on the board."""
    pieces: tuple[Piece, ...] = ()
    """The refused pieces."""
    offended: Point | None = None
    """Where the piece is that they offend."""
    open_to: tuple[Point, ...] = ()
    """Where actions were legal."""
    played: Point | None = None
    """Where the action was that was played in fact."""


def mistaken(scene: Scene, mistake: Mistake) -> Scene:
    """Return the scene with the marks of a mistake above all pieces. It must be drawn with what `drawing` returns."""
    ghosts = [replace(piece, id=f"~{piece.id}", layer=TOP, classes=(*piece.classes, GHOST)) for piece in mistake.pieces]
    return replace(scene, pieces=in_order([*scene.pieces, *ghosts, *_marks(mistake)]))


def drawing(others: Callable[[str], Element]) -> Callable[[str], Element]:
    """Return a function that draws a game's symbols and these marks."""
    return partial(_draw, others)


def _marks(mistake: Mistake) -> Iterable[Piece]:
    # Their ids sort last, so that they are drawn above all pieces and above the refused one.
    for place in mistake.open_to:
        if place != mistake.played:
            yield _mark("open", "open", place)
    if mistake.played:
        yield _mark("played", "open-played" if mistake.played in mistake.open_to else "played", mistake.played)
    if mistake.at is None:
        return
    if mistake.offended and mistake.offended != mistake.at:
        yield _bar(mistake.at, mistake.offended)
        yield _mark("offended", "offended", mistake.offended)
    yield _mark("refused", "refused-ring", mistake.at)
    x, y = mistake.at
    yield _mark("stop", "refused-stop", (x - _FOOT, y + _FOOT))


def _mark(kind: str, symbol: str, place: Point, turn: float = 0) -> Piece:
    x, y = place
    return Piece(f"~~{kind}:{number(x)},{number(y)}", symbol, x, y, TOP, turn, classes=("mark",))


def _bar(start: Point, end: Point) -> Piece:
    """Return a bar between two rings."""
    (x, y), (u, v) = start, end
    length = round(max(hypot(u - x, v - y) - 2 * _RING, 1), 1)
    middle = round((x + u) / 2, 1), round((y + v) / 2, 1)
    return _mark("bar", f"{_BAR}{number(length)}", middle, round(degrees(atan2(v - y, u - x)), 1))


def _draw(others: Callable[[str], Element], name: str) -> Element:
    if name.startswith(_BAR):
        return _drawn_bar(float(name.removeprefix(_BAR)))
    return _DRAWINGS[name]() if name in _DRAWINGS else others(name)


def _drawn_bar(length: float) -> Element:
    course = f"M{number(-length / 2)} 0H{number(length / 2)}"
    return group(path("mark-edge", course), path("refused", course))


def _ring(radius: float, **more: str) -> Element:
    edge = shape("circle", "mark-edge", r=number(radius))
    return group(edge, shape("circle", "refused", r=number(radius), **more))


def _dot() -> Element:
    return ellipse("mark-dot", 0, 0, _DOT, _DOT)


def _halo(radius: float, *inside: Element) -> Element:
    r = number(radius)
    return group(shape("circle", "mark-edge", r=r), shape("circle", "allowed", r=r), *inside)


def _stop() -> Element:
    octagon = "M-4.5-11H4.5L11-4.5V4.5L4.5 11H-4.5L-11 4.5V-4.5Z"
    return group(path("mark-stop", octagon), path("mark-cut", "M-4-4L4 4M4-4L-4 4"))


_DRAWINGS = {
    "open": _dot,
    "open-played": lambda: _halo(_HALO, _dot()),
    "played": lambda: _halo(_RING),
    "offended": lambda: _ring(_RING),
    "refused-ring": lambda: _ring(_RING, stroke_dasharray="7 5.6"),
    "refused-stop": _stop,
}
