"""How the cells, the hedge and the cards of Army Ants are drawn.

A card's origin is the middle of its rank, which is off centre to make room for the ant or the crown. On red cards that
is above the rank and faces north, on black ones below it and faces south, towards the enemy.
"""

from collections.abc import Callable, Mapping
from functools import partial
from xml.etree.ElementTree import Element

from engine.army_ants.board import BLACK, RED, WIDTH
from engine.scene.drawing import PALETTE, SHARED, ellipse, group, number, numbers, path, shape, stamp, tuft

CELL_WIDTH, CELL_HEIGHT, GAP = 84, 75, 4
FRONTIER = 26
"""How much wider the gap between the two sides is than others."""
FRONTIER_WIDTH = WIDTH * (CELL_WIDTH + GAP) - GAP
VARIANTS = 5
"""How many ways there are to strew grass over a cell."""

CARD_WIDTH, CARD_HEIGHT = 62, 63
SIZE = 1.6
"""The size of a card on the board: that of its rank, since drawings are made to fit it."""
TRAY_WIDTH, TRAY_HEIGHT, TRAY_SIZE = 26, 24, 0.9
"""A card in a tray."""
OFFSET = 10
"""How far the rank lies from the card's middle, to the south on red cards, to the north on black ones."""


_EMBLEM = 17
"""How far the ant or the crown lies from the card's middle."""


def draw(name: str) -> Element:
    """Return the drawing of a symbol. :raises KeyError: for an unknown symbol."""
    return _DRAWINGS[name]()


# The ground


def _cell(variant: int) -> Element:
    width, height = CELL_WIDTH - 1.4, CELL_HEIGHT - 1.4
    lawn = shape("rect", "grass", x=number(-width / 2), y=number(-height / 2), width=number(width),
                 height=number(height), rx="7")  # fmt: skip
    return group(lawn, *(tuft(kind, x, y) for x, y, kind in _TUFTS[variant]))


_TUFTS: tuple[tuple[tuple[float, float, int], ...], ...] = (
    ((-22, -14, 0), (17, 19, 1), (25, -23, 3)),
    ((22, -12, 1), (-14, 22, 2), (-25, -21, 3)),
    ((-23, 17, 2), (12, -20, 0)),
    ((20, 15, 0), (-19, -19, 1), (-24, 23, 3)),
    ((-12, 4, 1), (22, 22, 2), (23, -21, 3)),
)
"""For each variant, where what grows: within the place of a card, so that none peeps out from under it."""


def _frontier() -> Element:
    """Return the strip of bare earth between the two sides."""
    return shape("rect", "trail", x=number(-FRONTIER_WIDTH / 2), y="-11", width=number(FRONTIER_WIDTH), height="22",
                 rx="7", stroke=PALETTE["trail-edge"]["stroke"], stroke_width="1.4")  # fmt: skip


def _twig() -> Element:
    """Return the stem of the hedge. Its leaves are pieces of their own."""
    half, waves = FRONTIER_WIDTH / 2 - 7, 2 * WIDTH
    bends = "".join(f"T{numbers(half * (2 * wave / waves - 1), 0)}" for wave in range(2, waves + 1))
    first = half * (2 / waves - 1)
    return group(path("twig", f"M{numbers(-half, 0)}Q{numbers((first - half) / 2, -5, first, 0)}{bends}"))


# Cards


def _paper(width: float, height: float, rim: float = 0) -> Element:
    return shape("rect", "paper", x=number(-width / 2), y=number(-height / 2), width=number(width),
                 height=number(height), rx=number(7 - rim))  # fmt: skip


def _bar() -> Element:
    """Return the stripe in the colony's colour along the card's left."""
    return shape("rect", "bar", x=number(-CARD_WIDTH / 2 + 5), y=number(-CARD_HEIGHT / 2 + 6), width="5.5",
                 height=number(CARD_HEIGHT - 12), rx="2.7")  # fmt: skip


def _sized(seat: int, *parts: Element) -> Element:
    """Return a card, drawn around its own middle, scaled to the board."""
    side = -1 if seat == RED else 1
    placed = group(*parts, transform=f"scale({1 / SIZE:.4g}) translate(0 {number(side * OFFSET)})")
    return group(placed)


def _card(seat: int) -> Element:
    side, turn = (-1, 0) if seat == RED else (1, 180)
    ant = group(stamp("currentColor", 0.38), transform=f"translate(3 {number(side * _EMBLEM)}) rotate({turn})")
    return _sized(seat, _paper(CARD_WIDTH, CARD_HEIGHT), _bar(), ant)


def _queen(seat: int) -> Element:
    """Return a card with a golden rim, and a crown in place of the ant."""
    side = -1 if seat == RED else 1
    rim = shape("rect", "gold", x=number(-CARD_WIDTH / 2 - 3), y=number(-CARD_HEIGHT / 2 - 3),
                width=number(CARD_WIDTH + 6), height=number(CARD_HEIGHT + 6), rx="9")  # fmt: skip
    crown = group(_crown(), transform=f"translate(3 {number(side * (_EMBLEM + 1.5))})")
    return _sized(seat, rim, _paper(CARD_WIDTH - 5, CARD_HEIGHT - 5, 2), _bar(), crown)


def _crown() -> Element:
    jewels = [ellipse("gold", x, y, 2.2, 2.2) for x, y in ((-14, -6.5), (0, -10), (14, -6.5))]
    return group(path("gold", "M-12 7.5L-14-5L-6.5 1L0-8L6.5 1L14-5L12 7.5Z"), *jewels)


def _taken(kind: str = "paper") -> Element:
    """Return a card as shown in a tray: only its colour and its rank; a queen is all gold."""
    card = shape("rect", kind, x=number(-TRAY_WIDTH / 2), y=number(-TRAY_HEIGHT / 2), width=number(TRAY_WIDTH),
                 height=number(TRAY_HEIGHT), rx="4")  # fmt: skip
    bar = shape("rect", "bar", x=number(-TRAY_WIDTH / 2 + 2.5), y=number(-TRAY_HEIGHT / 2 + 3), width="3",
                height=number(TRAY_HEIGHT - 6), rx="1.5")  # fmt: skip
    return group(group(card, bar, transform=f"scale({1 / TRAY_SIZE:.4g})"))


def _away() -> Element:
    """Return the empty place of a card that has not been taken."""
    return ellipse("crumb", 0, 0, 2, 2)


_DRAWINGS: Mapping[str, Callable[[], Element]] = {
    **SHARED,
    **{f"cell-{variant}": partial(_cell, variant) for variant in range(VARIANTS)},
    "frontier": _frontier,
    "twig": _twig,
    "card-red": partial(_card, RED),
    "card-black": partial(_card, BLACK),
    "queen-red": partial(_queen, RED),
    "queen-black": partial(_queen, BLACK),
    "taken": _taken,
    "taken-queen": partial(_taken, "gold"),
    "away": _away,
}

__all__ = ["draw"]
