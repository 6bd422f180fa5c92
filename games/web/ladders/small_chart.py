"""The course of a rating as a small drawing beside the rating itself: by date, level until the next game."""

from collections.abc import Sequence
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement

from engine.scene.drawing import number, polyline
from engine.scene.svg import serialize
from games.web.boards import Drawn, drawn

_WIDTH, _HEIGHT, _EDGE = 150, 54, 4

Course = Sequence[tuple[datetime, int]]
"""When a rating changed, and to what."""


def small_chart(course: Course, before: int, since: datetime, now: datetime) -> Drawn:
    """Draw a rating from one moment to another. It needs no words: the rating and its change are beside it.

    :param before: the rating before the first of the games; the line begins with the first game.
    """
    placed = _placed(_corners(course, before, since, now))
    foot = ((placed[-1][0], float(_HEIGHT)), (placed[0][0], float(_HEIGHT)))
    whole = Element("svg", {"class": "small-chart", "viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "aria-hidden": "true"})
    SubElement(whole, "polygon", {"class": "small-chart-below", "points": polyline((*placed, *foot))})
    SubElement(whole, "polyline", {"class": "small-chart-line", "points": polyline(placed)})
    x, y = placed[-1]
    SubElement(whole, "circle", {"class": "small-chart-now", "cx": number(x), "cy": number(y), "r": "2.5"})
    return drawn(serialize(whole))


def _corners(course: Course, before: int, since: datetime, now: datetime) -> list[tuple[float, int]]:
    """Return the corners of the line: how far along each is, from 0 to 1, and the rating."""
    whole, level, corners = (now - since).total_seconds(), before, list[tuple[float, int]]()
    for at, value in course:
        along = min(max((at - since).total_seconds() / whole, 0.0), 1.0)
        corners += [(along, level), (along, value)]
        level = value
    return [*corners, (1.0, level)]


def _placed(corners: Sequence[tuple[float, int]]) -> tuple[tuple[float, float], ...]:
    """Return where the corners lie in the drawing."""
    values = [value for _, value in corners]
    low, span, room = min(values), max(values) - min(values), _HEIGHT - 2 * _EDGE
    height = [(value - low) / span if span else 0.5 for value in values]
    return tuple(
        (_EDGE + (_WIDTH - 2 * _EDGE) * along, _HEIGHT - _EDGE - room * high)
        for (along, _), high in zip(corners, height, strict=True)
    )
