"""How things are drawn: the palette, shapes, and the drawings that several games share."""

import re
from collections.abc import Mapping
from itertools import cycle
from types import MappingProxyType
from xml.etree.ElementTree import Element

from engine.scene.values import Point

INK = "#1F1A14"

PALETTE: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "grass": {"fill": "#A9C48C", "stroke": "#7E9A62", "stroke-width": "1.4"},
    "tuft": {"fill": "none", "stroke": "#7E9A62", "stroke-width": "1.5", "stroke-linecap": "round"},
    "bloom": {"fill": "#F4EFD8", "stroke": "#7E9A62", "stroke-width": ".6"},
    "trail": {"fill": "#E9D8A6"},
    "trail-edge": {"fill": "none", "stroke": "#C7AE74", "stroke-width": "1.8"},
    "earth": {"fill": "#B98F58", "stroke": "#7B5B31", "stroke-width": "1.6", "stroke-linejoin": "round"},
    "earth-deep": {"fill": "#A67C47", "stroke": "#8E6839", "stroke-width": "1"},
    "hole": {"fill": "#35271A", "stroke": "#5C4326", "stroke-width": "1.6"},
    "crumb": {"fill": "#8E6839"},
    "print-leaf": {"fill": "#3F7A3C", "stroke": "#2C5A2B", "stroke-width": "1"},
    "print-web": {"fill": "none", "stroke": "#4C5A4A", "stroke-width": "1.1", "stroke-linecap": "round"},
    "leaf": {"fill": "#6DB04C", "stroke": INK, "stroke-width": "1.6", "stroke-linejoin": "round"},
    "vein": {"fill": "none", "stroke": "#E4F1CF", "stroke-width": "1.2", "stroke-linecap": "round"},
    "limb": {"fill": "none", "stroke": INK, "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round"},
    "body": {"fill": "currentColor", "stroke": INK, "stroke-width": "1.8", "stroke-linejoin": "round"},
    "spider": {"fill": "#2B2433", "stroke": INK, "stroke-width": "1.8"},
    "paper": {"fill": "#FBF8F1", "stroke": INK, "stroke-width": "1.6"},
    "twig": {"fill": "none", "stroke": "#7B5B31", "stroke-width": "3.2", "stroke-linecap": "round"},
    "bar": {"fill": "currentColor"},
    "shelf": {"fill": "#E9D8A6"},
    "band": {"fill": "currentColor"},
    "band-edge": {"fill": "none", "stroke": INK, "stroke-width": "1.8"},
    "rim": {"fill": "#F2C230"},
    "gold": {"fill": "#F2C230", "stroke": INK, "stroke-width": "1.6", "stroke-linejoin": "round"},
    "gold-vein": {"fill": "none", "stroke": "#FBE08A", "stroke-width": "1.2", "stroke-linecap": "round"},
    "allowed": {"fill": "none", "stroke": "#256B3A", "stroke-width": "3.6", "stroke-linecap": "round",
                "stroke-linejoin": "round"},
    "refused": {"fill": "none", "stroke": "#A32A1C", "stroke-width": "3.6", "stroke-linecap": "round"},
    "mark-edge": {"fill": "none", "stroke": "#FBF8F1", "stroke-width": "8", "stroke-linecap": "round"},
    "mark-dot": {"fill": "#1F5F38", "stroke": "#FBF8F1", "stroke-width": "3"},
    "mark-stop": {"fill": "#A32A1C", "stroke": "#FBF8F1", "stroke-width": "2.6", "stroke-linejoin": "round"},
    "mark-cut": {"fill": "none", "stroke": "#FBF8F1", "stroke-width": "2.6", "stroke-linecap": "round"},
    "slot": {"fill": "none", "stroke": "#9A7F45", "stroke-width": "1.6", "stroke-dasharray": "0 4",
             "stroke-linecap": "round"},
})  # fmt: skip
"""The kinds of shapes: each is a class, and these attributes make the picture right where no style sheet is."""

SEATS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "seat-red": ("#C0341D", "#FFFFFF"),
    "seat-yellow": ("#F2C230", INK),
    "seat-orange": ("#E8792B", INK),
    "seat-brown": ("#6B3F22", "#FFFFFF"),
    "seat-black": ("#2B2B33", "#FFFFFF"),
})  # fmt: skip
"""The colour of each seat's pieces, and that of the numbers on them."""

LIGHT = "light"
"""The class of pieces of no seat that bear dark numbers; on others of no seat they are white."""

PRINTED = "printed"
"""The class of pieces that are light themselves and bear their numbers in their seat's colour."""


def number(value: float) -> str:
    """Return a coordinate in its shortest form."""
    return f"{value:.1f}".removesuffix(".0").replace("-0.", "-.") if value else "0"


def numbers(*values: float) -> str:
    """Return coordinates in a row."""
    return " ".join(map(number, values))


def polyline(points: tuple[Point, ...]) -> str:
    """Return points as a `points` attribute."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def shape(tag: str, kind: str, **attributes: str) -> Element:
    """Return a shape of a kind in the palette; attributes with a dash are written with an underscore."""
    given = {name.replace("_", "-"): value for name, value in attributes.items()}
    return Element(tag, {"class": kind, **PALETTE[kind], **given})


def path(kind: str, course: str, **attributes: str) -> Element:
    """Return a path."""
    return shape("path", kind, d=course, **attributes)


def ellipse(kind: str, x: float, y: float, across: float, along: float) -> Element:
    """Return an ellipse with a centre and half axes."""
    return shape("ellipse", kind, cx=number(x), cy=number(y), rx=number(across), ry=number(along))


def group(*parts: Element, **attributes: str) -> Element:
    """Return drawings as a group."""
    whole = Element("g", attributes)
    whole.extend(parts)
    return whole


# The ant. It looks north, and its origin is the middle of the abdomen, where its number stands.

ANT_MIDDLE = 13
"""How far the middle of the ant, with the leaf that it may carry, lies in front of its origin."""
ANT_REACH = 27
"""All of an ant of size 1, legs, feelers and leaf too, lies within this distance of its middle."""
SMALL_ANT_MIDDLE = 6
SMALL_ANT_REACH = 20.5
"""The same for the ant that is drawn where many stand on one place: little more than its number."""


def limbs(*courses: str, **attributes: str) -> Element:
    """Return limbs and their mirror images, as one shape: a page of many ants is painted in half the time so.

    :param courses: path data of those at the right: points, x before y, without arcs.
    """
    return path("limb", " ".join(side for course in courses for side in (course, _mirrored(course))), **attributes)


_NUMBER = re.compile(r"-?\d*\.?\d+")


def _mirrored(course: str) -> str:
    signs = cycle((-1, 1))
    return _NUMBER.sub(lambda found: number(next(signs) * float(found[0])), course)


def ant() -> Element:
    """Return the ant: three parts, six legs, two feelers."""
    return group(
        limbs("M3-18.5 L9.5-22 L13-30.5", "M4-16 L13.5-18.5 L19.5-12",
              "M3.5-13 L15.5-8 L18.5 4.5", "M2.5-29 L5.5-35 L11-37"),
        path("body", "M0-13.4 C7.6-13.4 12.8-7.4 12.8 0 C12.8 7.6 6.6 14.4 0 14.4 "
                     "C-6.6 14.4-12.8 7.6-12.8 0 C-12.8-7.4-7.6-13.4 0-13.4Z"),
        ellipse("body", 0, -16.2, 4.6, 5.2),
        path("body", "M0-21.4 C4.6-21 7.4-23.4 7.2-26.8 C7-30 4.8-32.2 2.6-32.2 Q1-32.2 0-31 "
                     "Q-1-32.2-2.6-32.2 C-4.8-32.2-7-30-7.2-26.8 C-7.4-23.4-4.6-21 0-21.4Z"),
    )  # fmt: skip


def small_ant() -> Element:
    """Return an ant for crowded cards: little more than its number."""
    return group(
        limbs("M4.5-10.5 L11.5-15.5", "M9-6 L16-8.5", "M9 4.5 L14.5 8", "M2-17.5 Q3.5-23 8-22.5"),
        ellipse("body", 0, -14.2, 5.8, 5.4),
        ellipse("body", 0, 0, 13, 12.8),
    )


def stamp(colour: str, scale: float) -> Element:
    """Return the ant in one colour with thick limbs, for small sizes. The origin is the middle of its length."""
    whole = group(ant(), transform=f"translate(0 {number(_STAMP_MIDDLE * scale)}) scale({scale:g})")
    drawn = {"limb": {"stroke": colour, "stroke-width": "3.4"}, "body": {"fill": colour, "stroke": "none"}}
    for part in whole.iter():
        part.attrib |= drawn.get(part.attrib.pop("class", ""), {})
    return whole


_STAMP_MIDDLE = 10.5


def _leaf(kind: str, vein: str, transform: str) -> Element:
    return group(
        path(kind, "M0-11.5 C6.4-8.4 7.8-2.6 6 3 Q4.4 8 0 11 Q-4.4 8-6 3 C-7.8-2.6-6.4-8.4 0-11.5Z"),
        path(vein, "M0-7 V13.5 M0-1 L3-4 M0-1 L-3-4 M0 4.5 L3.2 1.5 M0 4.5 L-3.2 1.5"),
        transform=transform,
    )


def leaf() -> Element:
    """Return a leaf, its tip to the north."""
    return _leaf("leaf", "vein", "")


def carried_leaf(before: float, scale: float = 0.82) -> Element:
    """Return the leaf that an ant carries, slanted in front of its head; its origin is the ant's."""
    return _leaf("leaf", "vein", f"translate(2 {number(-before)}) rotate(58) scale({scale})")


def printed_leaf(x: float, y: float) -> Element:
    """Return the leaf that is printed on a card."""
    return _leaf("print-leaf", "vein", f"translate({numbers(x, y)}) rotate(45) scale(.86)")


# Grass

_BLADES = (
    "M-3 3Q-4-1-5.5-3M0 3.5V-5M3 3Q3.5 0 5.5-2",
    "M-2 3Q-2-2-5-5M2 3Q1-2 3.5-6",
    "M0 3.5Q-.5-2 2-5M-3 3Q-4 1-5-1",
)
_PETALS = (
    "M0 0A1.2 1.7 0 0 1 0-3.4A1.2 1.7 0 0 1 0 0A1.7 1.2 0 0 1 3.4 0A1.7 1.2 0 0 1 0 0"
    "A1.2 1.7 0 0 1 0 3.4A1.2 1.7 0 0 1 0 0A1.7 1.2 0 0 1-3.4 0A1.7 1.2 0 0 1 0 0Z"
)


def tuft(kind: int, x: float, y: float) -> Element:
    """Return a tuft of grass, of three kinds, or as the fourth a flower."""
    place = f"translate({numbers(x, y)})"
    if kind == len(_BLADES):
        return path("bloom", _PETALS, transform=place)
    return path("tuft", _BLADES[kind], transform=place)


SHARED = MappingProxyType({
    "ant": ant,
    "ant-small": small_ant,
    "leaf": leaf,
    "ant-leaf": lambda: carried_leaf(32.6),
    "ant-small-leaf": lambda: carried_leaf(18.5, 0.7),
})  # fmt: skip
"""The drawings that several games share, by their names."""
