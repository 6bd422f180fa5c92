"""A rating over time as a drawing: one point a game."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from engine.scene.drawing import number, polyline
from engine.scene.svg import serialize
from games.web.pages.drawn import Drawn, drawn

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _FOOT = 52, 12, 12, 30
_LINES = 4
"""About so many lines across."""
_DOTS = 60
"""Of more games than that only the line is drawn."""
_STEPS = (1, 2, 5)


def chart(ratings: Sequence[int], title: str) -> Drawn:
    """Ratings, game by game, as a line."""
    step = _step(max(ratings, default=0))
    top = step * (max(ratings, default=0) // step + 1)
    whole = Element("svg", {"class": "chart", "viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "role": "img"})
    SubElement(whole, "title").text = title
    for value in range(0, top + 1, step):
        _line_across(whole, value, top)
    _games(whole, len(ratings))
    points = tuple((_x(at, len(ratings)), _y(value, top)) for at, value in enumerate(ratings))
    SubElement(whole, "polyline", {"class": "chart-line", "points": polyline(points)})
    for x, y in points[-1:] if len(points) > _DOTS else points:
        SubElement(whole, "circle", {"class": "chart-dot", "cx": number(x), "cy": number(y), "r": "3"})
    return drawn(serialize(whole))


def _step(most: int) -> int:
    """A round number of which a few make up the height."""
    power = 10
    while power * _STEPS[-1] * _LINES <= most:
        power *= 10
    return next((power * step for step in _STEPS if power * step * _LINES > most), power * 10)


def _x(at: int, count: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (at / (count - 1) if count > 1 else 0.5)


def _y(value: int, top: int) -> float:
    return _HEIGHT - _FOOT - (_HEIGHT - _FOOT - _TOP) * value / top


def _line_across(whole: Element, value: int, top: int) -> None:
    y = number(_y(value, top))
    SubElement(whole, "line", {"class": "chart-grid", "x1": str(_LEFT), "x2": str(_WIDTH - _RIGHT), "y1": y, "y2": y})
    label = SubElement(whole, "text", {"class": "chart-label", "x": str(_LEFT - 8), "y": y, "dy": ".35em"})
    label.set("text-anchor", "end")
    label.text = str(value)


def _games(whole: Element, count: int) -> None:
    """The numbers of the first game and the last one."""
    for at in sorted({0, count - 1}):
        anchor = "middle" if count == 1 else "start" if at == 0 else "end"
        place = {"x": number(_x(at, count)), "y": str(_HEIGHT - 8), "text-anchor": anchor}
        SubElement(whole, "text", {"class": "chart-label", **place}).text = str(at + 1)
