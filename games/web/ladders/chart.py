"""Strength and ranks over time as drawings: one point a game, or a month, at even steps or by date."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from engine.scene.drawing import number, polyline
from engine.scene.svg import serialize
from games.web.boards import Drawn, drawn

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _FOOT = 60, 12, 12, 30
_LINES = 4
"""About so many lines across."""
_DOTS = 60
"""Of more games than that only the line is drawn."""
_STEPS = (1, 2, 5)


class Scale(NamedTuple):
    """What the height of a drawing means."""

    foot: int
    top: int
    lines: Sequence[int]
    """Values at which a line goes across."""

    def y(self, value: int) -> float:
        """Return how far down a value lies."""
        return _HEIGHT - _FOOT - (_HEIGHT - _FOOT - _TOP) * (value - self.foot) / (self.top - self.foot)


class Estimate(NamedTuple):
    """An estimate of strength: its mean and its uncertainty, in rating points."""

    mu: float
    sigma: float


def chart(line: Sequence[Estimate], title: str) -> Drawn:
    """Draw strength, game by game."""
    last = len(line) - 1
    return course(line, along(range(last + 1)), title, ends=("1", str(last + 1)) if last else ("1",))


def places(line: Sequence[Estimate], way: Sequence[float]) -> list[tuple[float, float]]:
    """Return where the points of a course lie in its drawing."""
    return _places([round(one.mu) for one in line], way, _of_estimates(line))


def course(line: Sequence[Estimate], way: Sequence[float], title: str, *, ends: Sequence[str]) -> Drawn:
    """Draw strength as a line in the band of its uncertainty.

    :param way: the position of each from left to right, from 0 to 1.
    :param ends: the labels below the first and the last one.
    """
    scale = _of_estimates(line)
    above = _places([round(one.mu + one.sigma) for one in line], way, scale)
    below = _places([round(one.mu - one.sigma) for one in line], way, scale)
    return _line([round(one.mu) for one in line], way, scale, title, ends, band=(*above, *reversed(below)))


def rank_course(ranks: Sequence[int], way: Sequence[float], title: str, *, ends: Sequence[str]) -> Drawn:
    """Draw ranks as a line, the first rank at the top; parameters as for ratings."""
    return _line(ranks, way, _of_ranks(ranks), title, ends)


def _line(
    values: Sequence[int],
    way: Sequence[float],
    scale: Scale,
    title: str,
    ends: Sequence[str],
    *,
    band: Sequence[tuple[float, float]] = (),
) -> Drawn:
    whole = Element("svg", {"class": "chart", "viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "role": "img"})
    SubElement(whole, "title").text = title
    for value in scale.lines:
        _line_across(whole, value, scale)
    _ends(whole, ends)
    points = _places(values, way, scale)
    if band:
        SubElement(whole, "polygon", {"class": "chart-band", "points": polyline(tuple(band))})
    SubElement(whole, "polyline", {"class": "chart-line", "points": polyline(tuple(points))})
    for x, y in points[-1:] if len(points) > _DOTS else points:
        SubElement(whole, "circle", {"class": "chart-dot", "cx": number(x), "cy": number(y), "r": "3"})
    return drawn(serialize(whole))


def _places(values: Sequence[int], way: Sequence[float], scale: Scale) -> list[tuple[float, float]]:
    return [(_x(at), scale.y(value)) for at, value in zip(way, values, strict=True)]


def along(values: Sequence[float]) -> list[float]:
    """Return how far each value lies between the first and the last."""
    first, last = values[0], values[-1]
    if last > first:
        return [(value - first) / (last - first) for value in values]
    return [at / (len(values) - 1) if len(values) > 1 else 0.5 for at in range(len(values))]


def _step(most: int, least: int = 10) -> int:
    """Return a round number as the distance between grid lines, at least `least`."""
    power = least
    while power * _STEPS[-1] * _LINES <= most:
        power *= 10
    return next((power * step for step in _STEPS if power * step * _LINES > most), power * 10)


def _of_estimates(line: Sequence[Estimate]) -> Scale:
    """Return a scale between round numbers below and above all bands."""
    least = min(round(one.mu - one.sigma) for one in line)
    most = max(round(one.mu + one.sigma) for one in line)
    step = _step(most - least)
    foot, top = step * (least // step), step * (most // step + 1)
    return Scale(foot, top, range(foot, top + 1, step))


def _of_ranks(ranks: Sequence[int]) -> Scale:
    """Return a scale from the first rank at the top to a round one."""
    step = _step(max(ranks), least=1)
    foot = step * (max(ranks) // step + 1)
    return Scale(foot, 1, [1, *range(step if step > 1 else 2, foot + 1, step)])


def _x(way: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * way


def _line_across(whole: Element, value: int, scale: Scale) -> None:
    y = number(scale.y(value))
    SubElement(whole, "line", {"class": "chart-grid", "x1": str(_LEFT), "x2": str(_WIDTH - _RIGHT), "y1": y, "y2": y})
    label = SubElement(whole, "text", {"class": "chart-label", "x": str(_LEFT - 8), "y": y, "dy": ".35em"})
    label.set("text-anchor", "end")
    label.text = str(value)


def _ends(whole: Element, ends: Sequence[str]) -> None:
    for at, said in enumerate(ends):
        anchor, way = ("middle", 0.5) if len(ends) == 1 else (("start", 0.0), ("end", 1.0))[at]
        place = {"x": number(_x(way)), "y": str(_HEIGHT - 8), "text-anchor": anchor}
        SubElement(whole, "text", {"class": "chart-label", **place}).text = said
