"""The distribution of ratings as a drawing: a bar for each range of points."""

from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from engine.scene.drawing import number
from engine.scene.svg import serialize
from games.web.boards import Drawn, drawn

_WIDTH, _HEIGHT = 640, 170
_LEFT, _RIGHT, _TOP, _FOOT = 4, 4, 22, 26
_LABELS = (100, 200, 250, 500, 1000, 2000)
"""Round numbers of points; of these the first by which there are not too many labels."""
_LABELS_MOST = 8
_GAP = 0.12
"""Between two bars, of a bar's width."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The number of players with ratings from the first to the last point."""

    first: int
    last: int
    players: int
    own: bool


def bars_from(counted: Mapping[int, int], step: int, own: int | None) -> tuple[Bar, ...]:
    """Return a bar for every range from 0 to the highest, including empty ones.

    :param own: the rating of the player whose bar is marked.
    """
    highest = max(counted, default=-step)
    return tuple(
        Bar(first, first + step - 1, counted.get(first, 0), own is not None and first <= own < first + step)
        for first in range(0, highest + step, step)
    )


def histogram(bars: tuple[Bar, ...], title: str, own: str) -> Drawn:
    """Draw bars side by side. :param own: what is written above the bar that is marked."""
    whole = Element("svg", {"class": "bars", "viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "role": "img"})
    SubElement(whole, "title").text = title
    width, most = (_WIDTH - _LEFT - _RIGHT) / len(bars), max(bar.players for bar in bars)
    for at, bar in enumerate(bars):
        _bar(whole, bar, (_LEFT + at * width, width), most)
        if bar.own:
            _above(whole, bar, (_LEFT + at * width, width), most, own)
    _axis(whole, bars, width)
    return drawn(serialize(whole))


def _height(bar: Bar, most: int) -> float:
    """Return a visible height, even for one player among a million."""
    return max(1.5, (_HEIGHT - _TOP - _FOOT) * bar.players / most) if bar.players else 0.0


def _bar(whole: Element, bar: Bar, span: tuple[float, float], most: int) -> None:
    (left, width), height = span, _height(bar, most)
    place = {
        "x": number(left + width * _GAP / 2),
        "y": number(_HEIGHT - _FOOT - height),
        "width": number(width * (1 - _GAP)),
        "height": number(height),
    }
    if bar.players:
        SubElement(whole, "rect", {"class": "bar bar-own" if bar.own else "bar", **place})


def _above(whole: Element, bar: Bar, span: tuple[float, float], most: int, words: str) -> None:
    middle = span[0] + span[1] / 2
    anchor = "start" if middle < _WIDTH / 8 else "end" if middle > _WIDTH * 7 / 8 else "middle"
    place = {"x": number(middle), "y": number(_HEIGHT - _FOOT - _height(bar, most) - 6), "text-anchor": anchor}
    SubElement(whole, "text", {"class": "bar-name", **place}).text = words


def _axis(whole: Element, bars: tuple[Bar, ...], width: float) -> None:
    foot = number(_HEIGHT - _FOOT)
    ends = {"x1": str(_LEFT), "x2": str(_WIDTH - _RIGHT), "y1": foot, "y2": foot}
    SubElement(whole, "line", {"class": "chart-grid", **ends})
    apart = next((step for step in _LABELS if bars[-1].last // step < _LABELS_MOST), _LABELS[-1])
    for at, bar in enumerate(bars):
        if bar.first % apart == 0:
            place = {"x": number(_LEFT + at * width), "y": str(_HEIGHT - 8)}
            SubElement(whole, "text", {"class": "chart-label", **place}).text = str(bar.first)
