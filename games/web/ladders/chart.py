"""A rating over time as a drawing: one point a game, at even steps or by date."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from engine.scene.drawing import number, polyline
from engine.scene.svg import serialize
from games.web.boards import Drawn, drawn

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _FOOT = 52, 12, 12, 30
_LINES = 4
"""About so many lines across."""
_DOTS = 60
"""Of more games than that only the line is drawn."""
_STEPS = (1, 2, 5)


def chart(ratings: Sequence[int], title: str) -> Drawn:
    """Draw ratings, game by game, as a line."""
    last = len(ratings) - 1
    along = [at / last if last else 0.5 for at in range(len(ratings))]
    return course(ratings, along, title, ends=("1", str(last + 1)) if last else ("1",))


def places(ratings: Sequence[int], along: Sequence[float]) -> list[tuple[float, float]]:
    """Return where the points of a course lie in its drawing."""
    _, top = _scale(ratings)
    return [(_x(way), _y(value, top)) for way, value in zip(along, ratings, strict=True)]


def course(ratings: Sequence[int], along: Sequence[float], title: str, *, ends: Sequence[str]) -> Drawn:
    """Draw ratings as a line.

    :param along: the position of each from left to right, from 0 to 1.
    :param ends: the labels below the first and the last one.
    """
    step, top = _scale(ratings)
    whole = Element("svg", {"class": "chart", "viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "role": "img"})
    SubElement(whole, "title").text = title
    for value in range(0, top + 1, step):
        _line_across(whole, value, top)
    _ends(whole, ends)
    points = places(ratings, along)
    SubElement(whole, "polyline", {"class": "chart-line", "points": polyline(tuple(points))})
    for x, y in points[-1:] if len(points) > _DOTS else points:
        SubElement(whole, "circle", {"class": "chart-dot", "cx": number(x), "cy": number(y), "r": "3"})
    return drawn(serialize(whole))


def _step(most: int) -> int:
    """Return a round number as the distance between grid lines."""
    power = 10
    while power * _STEPS[-1] * _LINES <= most:
        power *= 10
    return next((power * step for step in _STEPS if power * step * _LINES > most), power * 10)


def _scale(ratings: Sequence[int]) -> tuple[int, int]:
    """Return the step from line to line, and the value at the top."""
    step = _step(max(ratings, default=0))
    return step, step * (max(ratings, default=0) // step + 1)


def _x(way: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * way


def _y(value: int, top: int) -> float:
    return _HEIGHT - _FOOT - (_HEIGHT - _FOOT - _TOP) * value / top


def _line_across(whole: Element, value: int, top: int) -> None:
    y = number(_y(value, top))
    SubElement(whole, "line", {"class": "chart-grid", "x1": str(_LEFT), "x2": str(_WIDTH - _RIGHT), "y1": y, "y2": y})
    label = SubElement(whole, "text", {"class": "chart-label", "x": str(_LEFT - 8), "y": y, "dy": ".35em"})
    label.set("text-anchor", "end")
    label.text = str(value)


def _ends(whole: Element, ends: Sequence[str]) -> None:
    for at, words in enumerate(ends):
        anchor, way = ("middle", 0.5) if len(ends) == 1 else (("start", 0.0), ("end", 1.0))[at]
        place = {"x": number(_x(way)), "y": str(_HEIGHT - 8), "text-anchor": anchor}
        SubElement(whole, "text", {"class": "chart-label", **place}).text = words
