"""How the cards, the nest and the spiders of Atta Ants are drawn. All of them are centred on their origin, north up."""

from collections.abc import Iterator
from math import cos, pi, sin
from xml.etree.ElementTree import Element

from engine.atta_ants.board import CARDS, LEAF, SPIDER, Card, Cell
from engine.scene.drawing import SHARED, ellipse, group, limbs, number, numbers, path, printed_leaf, shape, tuft
from engine.scene.values import Point

CARD = 96
"""The side of a card."""
HALF = CARD / 2
PITCH = 100
"""From a card to the next: the gap is 4."""
BAND = 9.5
"""Half the width of a trail."""
STUB = 30
"""Where a trail ends that shares its card with others, from the middle; one that is alone ends in the middle."""
FILLET = 9
"""The radius at which trails meet."""
VARIANTS = 6
"""How many ways there are to strew grass over a card."""

_LAWN = HALF - 0.7
"""Half the lawn's side: its edge lies within the card, so that trails open through it."""
_CORNER = 33
"""Where symbols and tufts stand, from the middle."""


# Names


def symbol_of(card: Card, cell: Cell) -> str:
    """Return the name of a card's drawing; the grass depends on the cell, so that neighbours differ."""
    x, y = cell
    return f"{_slug(card)}-{(x * 3 + y * 5 + x * y) % VARIANTS}"


def _slug(card: Card) -> str:
    """Return a card's code without characters that have a meaning in a URL."""
    course = card.code.rstrip(LEAF + SPIDER).replace("|", "-").replace(".", "grass")
    return f"card-{course}" + {LEAF: "-leaf", SPIDER: "-web"}.get(card.symbol, "")


_CARD_OF = {_slug(card): card for card in CARDS.values()}


def draw(name: str) -> Element:
    """Return the drawing of a symbol. :raises KeyError: for an unknown symbol."""
    drawing = {**SHARED, **_DRAWINGS}.get(name)
    if drawing is not None:
        return drawing()
    slug, _, variant = name.rpartition("-")
    return _card(_CARD_OF[slug], int(variant))


# Cards


def _card(card: Card, variant: int) -> Element:
    ground = shape(
        "rect", "grass", x=number(-_LAWN), y=number(-_LAWN), width=number(2 * _LAWN), height=number(2 * _LAWN), rx="7"
    )
    whole = group(ground, *_tufts(card, variant), *_trails(card))
    if card.symbol == LEAF:
        whole.append(printed_leaf(-_CORNER, -_CORNER))
    if card.symbol == SPIDER:
        whole.append(_web(-_CORNER, -_CORNER))
    return whole


def trails_of(card: Card) -> list[tuple[int, ...]]:
    """Return the sides that each trail of a card reaches, trails in the order of their first sides."""
    reached = dict.fromkeys(mask for mask in card.joined if mask)
    return [tuple(side for side in range(4) if mask >> side & 1) for mask in reached]


def _trails(card: Card) -> Iterator[Element]:
    trails = trails_of(card)
    for trail in trails:
        if trail == (1, 3) and (0, 2) in trails:
            yield path("grass", _bridge_gap(), stroke="none")
        yield from _trail(trail, alone=len(trails) == 1)


def _bridge_gap() -> str:
    """Return the grass on both sides of the trail that passes over the other."""
    gap = BAND + 5.5
    return f"M{numbers(-gap, -gap)}H{number(gap)}V{number(gap)}H{number(-gap)}Z"


def _trail(sides: tuple[int, ...], *, alone: bool) -> Iterator[Element]:
    """Return a trail's ground and its edges, one edge for each pair of neighbouring sides."""
    edges = [
        _edge(side, (sides[(i + 1) % len(sides)] - side - 1) % 4 + 1, len(sides), 0 if alone else STUB)
        for i, side in enumerate(sides)
    ]
    yield path("trail", "M" + " L".join(edges) + "Z")
    yield path("trail-edge", " ".join(f"M{edge}" for edge in edges))


def _edge(side: int, quarters: int, count: int, end: float) -> str:
    """Return the edge from a side clockwise to the one some quarter turns on, as path data without its first letter."""
    b, near, far = BAND, number(HALF - BAND), number(HALF + BAND)
    course: dict[int, list[str | Point]] = {
        _QUARTER: [f"A{near} {near} 0 0 0", (HALF, -b)] if count == _BEND else [
            "L", (b, -b - FILLET), f"A{FILLET} {FILLET} 0 0 0", (b + FILLET, -b), "L", (HALF, -b)],
        _STRAIGHT: ["L", (b, HALF)],
        _THREE_QUARTERS: [f"A{far} {far} 0 0 1", (-HALF, b)],
        _ROUND: ["L", (b, -end), f"A{b} {b} 0 0 1", (-b, -end), "L", (-b, -HALF)],
    }  # fmt: skip
    parts = [(b, -HALF), *course[quarters]]
    return " ".join(part if isinstance(part, str) else _at(side, part) for part in parts)


_QUARTER, _STRAIGHT, _THREE_QUARTERS, _ROUND = 1, 2, 3, 4
_BEND = 2
"""How many sides a trail has that may bend; with more it forks."""


def _at(quarters: int, point: Point) -> str:
    """Return a point turned clockwise about the middle."""
    x, y = point
    for _ in range(quarters):
        x, y = -y, x
    return numbers(x, y)


def _web(x: float, y: float) -> Element:
    spokes = [(10.5 * cos(k * pi / 4 + 0.2), 10.5 * sin(k * pi / 4 + 0.2)) for k in range(8)]
    threads = "".join(f"M0 0L{numbers(*spoke)}" for spoke in spokes)
    rings = "".join(_ring(spokes, share) for share in (0.38, 0.68, 0.95))
    return path("print-web", threads + rings, transform=f"translate({numbers(x, y)})")


def _ring(spokes: list[Point], share: float) -> str:
    """Return one round of a web: threads that sag from spoke to spoke."""
    points = [(x * share, y * share) for x, y in spokes]
    course = f"M{numbers(*points[0])}"
    for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True):
        course += f"Q{numbers((x + u) * 0.43, (y + v) * 0.43, u, v)}"
    return course


# Grass

_TUFTS: tuple[tuple[tuple[float, float, int], ...], ...] = (
    ((34, -36, 0), (-36, 33, 1), (39, 37, 2), (-26, 40, 3)),
    ((29, -34, 1), (39, -27, 3), (-35, 37, 2), (34, 39, 0)),
    ((37, -33, 2), (-31, 33, 0), (-40, 40, 3), (28, 37, 1)),
    ((32, -31, 3), (40, -40, 0), (-38, 30, 1), (37, 30, 2)),
    ((27, -39, 0), (-29, 38, 2), (-40, 29, 0), (40, 34, 3)),
    ((36, -29, 1), (26, -40, 3), (-33, 39, 0), (32, 34, 1)),
)
"""For each variant, where what grows: in the corners, which every course of trails leaves free."""


def _tufts(card: Card, variant: int) -> Iterator[Element]:
    for x, y, kind in _TUFTS[variant]:
        yield tuft(kind, x, y)
    if not card.symbol:
        yield tuft(variant % 3, -_CORNER - 2 + variant, -_CORNER + 2)


# The nest


def _mound(radius: float, bumps: int, depth: float) -> str:
    """Return a round heap with a wavy rim."""
    course = ""
    for k in range(bumps):
        angle, half = 2 * pi * k / bumps, pi / bumps
        crest = radius + depth * (1.2 if k % 3 else 1.9)
        start = numbers(radius * cos(angle), radius * sin(angle))
        bend = numbers(crest * cos(angle + half), crest * sin(angle + half))
        course += f"{'L' if course else 'M'}{start}Q{bend} {_on(radius, angle + 2 * half)}"
    return course + "Z"


def _on(radius: float, angle: float) -> str:
    return numbers(radius * cos(angle), radius * sin(angle))


def _nest() -> Element:
    """Return an earth mound with a hole, and crumbs that were carried out of it."""
    crumbs = [(39 + k % 3 * 3, 2.4 * k, 1.1 + k % 4 * 0.35) for k in range(26)]
    return group(
        path("crumb", "".join(_round(far * cos(turn), far * sin(turn), size) for far, turn, size in crumbs)),
        path("earth", _mound(35, 17, 3)),
        path("earth-deep", _mound(23, 13, 2.2)),
        path("hole", _mound(10.5, 9, 1.2)),
    )


def _round(x: float, y: float, radius: float) -> str:
    """Return a circle as path data."""
    half = f"a{radius:g} {radius:g} 0 1 0 "
    return f"M{numbers(x - radius, y)}{half}{2 * radius:g} 0{half}{-2 * radius:g} 0"


HOME_WIDTH, HOME_HEIGHT = 21, 27
"""The size of an ant in the nest."""


# Spiders. The origin is the middle of the abdomen, where the number stands.

SPIDER_MIDDLE = 5
"""How far a spider's middle lies in front of its origin."""
SPIDER_REACH = 30
"""All of a spider of size 1 lies within this distance of its middle."""

_LEGS = (
    "M5-16 C12-26 17-27 15-34.5",
    "M7-14 C18-22 24-19 26.5-22",
    "M7-11 C18-13 25-6 28-3",
    "M5-8 C15-6 21 4 22.5 16",
)


def _spider() -> Element:
    legs = limbs(*_LEGS, stroke_width="2.4")
    return group(legs, ellipse("spider", 0, -15.5, 7.5, 7), ellipse("spider", 0, 0, 13.5, 13.5))


def _count() -> Element:
    """Return the disc behind the number of leaves on a card with many."""
    return ellipse("paper", 0, 0, 12, 12)


def _at_home() -> Element:
    """Return an ant in the nest: its number, as large as the corner allows."""
    return shape(
        "rect", "body", x=number(-HOME_WIDTH / 2), y=number(-HOME_HEIGHT / 2), width=number(HOME_WIDTH),
        height=number(HOME_HEIGHT), rx="9",
    )  # fmt: skip


def _slot() -> Element:
    """Return the empty place of an ant that is not at home."""
    return ellipse("slot", 0, 0, 11.5, 12)


_DRAWINGS = {"nest": _nest, "ant-home": _at_home, "spider": _spider, "count": _count, "slot": _slot}
