"""How the cells, the ants and the golden leaves of Ant Trails are drawn. All of them are centred on their origin."""

from math import hypot, sqrt
from xml.etree.ElementTree import Element

from engine.ant_trails.board import BORDER, column_of, row_of
from engine.ant_trails.scene.layout import PITCH, RADIUS, hexagon
from engine.scene.drawing import ellipse, group, number, numbers, path, shape, stamp, tuft
from engine.scene.values import Point

GAP = 4
"""Between two cells, as between cards."""
CORNER = 6
"""How far from its corners a cell's edge begins to bend."""
BAND = 6
"""Half the width of the band that joins ants."""
ROUND = 17
"""The radius of a round ant, which is black."""
SQUARE = 15.5
"""Half the side of a square ant, which is red."""
BEVEL = 5.5
"""The radius of its corners."""
RIM = 5
"""How far the outline of a longest trail reaches beyond the trail."""

LYING, CARRIED = 1.15, 0.92
"""The size of a tile on an open cell, and on an ant."""


def draw(name: str) -> Element:
    """Return the drawing of a symbol. :raises KeyError: for an unknown symbol."""
    lawn, _, variant = name.rpartition("-")
    return _lawn(int(variant)) if lawn == "lawn" else _DRAWINGS[name]()


# Cells


def symbol_of(cell: int) -> str:
    """Return the name of a cell's drawing: sand at the border, else grass that differs from cell to cell."""
    if BORDER >> cell & 1:
        return "sand"
    row, column = row_of(cell), column_of(cell)
    return f"lawn-{(row * row + column * (2 + row % 3)) % len(_TUFTS)}"


def _sand() -> Element:
    return group(path("trail", _CELL), path("trail-edge", _CELL, stroke_width="1.4"))


def _lawn(variant: int) -> Element:
    return group(path("grass", _CELL), *(tuft(kind, x, y) for x, y, kind in _TUFTS[variant]))


_TUFTS: tuple[tuple[tuple[float, float, int], ...], ...] = (
    ((0, 22, 0), (19, -11, 1)),
    ((-19, 11, 2),),
    ((19, 12, 1), (-18, -10, 3)),
    ((0, -21, 2), (-18, 11, 0)),
    ((1, 22, 1), (20, -10, 3)),
    ((19, 11, 0),),
    ((-19, -11, 1), (1, 23, 3)),
)
"""For each variant, where what grows: in the corners, which ants and their trails leave free."""


def _rounded(corners: list[Point]) -> str:
    """Return a closed path with rounded corners."""
    course = ""
    for before, corner, after in zip(corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1], strict=True):
        start, end = _towards(corner, before), _towards(corner, after)
        course += f"{'L' if course else 'M'}{numbers(*start)}Q{numbers(*corner, *end)}"
    return course + "Z"


def _towards(start: Point, end: Point) -> Point:
    (x, y), (u, v) = start, end
    share = CORNER / hypot(u - x, v - y)
    return x + (u - x) * share, y + (v - y) * share


_CELL = _rounded(hexagon(RADIUS - GAP / sqrt(3)))


# Ants and trails


def _round(kind: str, radius: float) -> Element:
    return ellipse(kind, 0, 0, radius, radius)


def _square(kind: str, half: float, bevel: float) -> Element:
    start, side = number(-half), number(2 * half)
    return shape("rect", kind, x=start, y=start, width=side, height=side, rx=number(bevel))


def _band(kind: str, half: float) -> Element:
    """Return a band from the middle of a cell to that of the next; the origin lies between them."""
    width, height = number(PITCH), number(2 * half)
    return shape("rect", kind, x=number(-PITCH / 2), y=number(-half), width=width, height=height)


def _link() -> Element:
    x, y, width = number(-PITCH / 2), number(BAND), number(PITCH)
    return group(_band("band", BAND), path("band-edge", f"M{x}-{y}h{width}M{x} {y}h{width}"))


def _stamp() -> Element:
    return stamp("#FFFFFF", 0.47)


# Tiles


def _tile() -> Element:
    """Return a golden leaf with its tip to the north-east, and room for its points."""
    return group(
        path("gold", "M14.5-15.5C17.5-2 13 14-10 14L-15.5 18L-13 11.5C-16.5-7-2.5-16 14.5-15.5Z"),
        path("gold-vein", "M-10.5 13Q-3 4 11-11.5"),
    )


_DRAWINGS = {
    "sand": _sand,
    "ant-round": lambda: group(_round("body", ROUND), _stamp()),
    "ant-square": lambda: group(_square("body", SQUARE, BEVEL), _stamp()),
    "link": _link,
    "rim-round": lambda: _round("rim", ROUND + RIM),
    "rim-square": lambda: _square("rim", SQUARE + RIM, BEVEL + RIM),
    "rim-link": lambda: _band("rim", BAND + RIM),
    "tile": _tile,
}
