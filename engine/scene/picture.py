"""Pictures for use outside the site: a position with its own background, and the preview card for links to a game."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple
from unicodedata import east_asian_width
from xml.etree.ElementTree import Element, SubElement

from engine.scene.drawing import INK, SEATS, number, numbers
from engine.scene.film import Stage
from engine.scene.svg import FONT, board, mark_element, serialize, xml_text
from engine.scene.values import Scene
from engine.words import Translate, untranslated

SIZES = range(64, 2049)
"""How long the longer side of a picture may be, in pixels."""
CARD_SIZE = 1200, 630
"""Width and height of a card, in pixels: what previews of links show whole."""
SERIF = "'Source Serif 4', Georgia, serif"


class Theme(NamedTuple):
    """The colours around a board; pieces have the same colours in every theme."""

    table: str
    paper: str
    ink: str
    quiet: str
    line: str


THEMES = MappingProxyType({
    "light": Theme("#F1ECDD", "#FBF8F1", "#1F2A22", "#5A655C", "#DAD5C7"),
    "dark": Theme("#10160F", "#141A16", "#ECE9DF", "#A5AFA6", "#344038"),
})  # fmt: skip


def picture(
    scene: Scene,
    stage: Stage,
    *,
    size: int,
    theme: str | None = "light",
    labelled: bool = True,
    translate: Translate = untranslated,
) -> str:
    """Return a position as a self-contained SVG.

    :param stage: the stage of the whole game, so that all its pictures have one size.
    :param size: the length of the longer side in pixels, one of SIZES.
    :param theme: one of THEMES; None leaves the ground transparent, for pages in any theme.
    :param labelled: whether the letters and numbers at the board's edges are drawn.
    """
    return serialize(pictured(scene, stage, size=size, theme=theme, labelled=labelled, translate=translate))


def pictured(  # noqa: PLR0913 - what a picture may be
    scene: Scene,
    stage: Stage,
    *,
    size: int,
    theme: str | None = "light",
    labelled: bool = True,
    prefix: str = "",
    translate: Translate = untranslated,
) -> Element:
    """Return the same as an element, to be placed on a page."""
    whole = board(scene, stage, prefix=prefix, labelled=labelled, translate=translate)
    x, y, width, height = map(float, whole.get("viewBox", "").split())
    margin = 0.03 * max(width, height)
    box = x - margin, y - margin, width + 2 * margin, height + 2 * margin
    whole.set("viewBox", numbers(*box))
    longer = max(box[2:])
    whole.set("width", str(round(size * box[2] / longer)))
    whole.set("height", str(round(size * box[3] / longer)))
    if theme is not None:
        _lay_ground(whole, THEMES[theme], box)
    return whole


def _lay_ground(whole: Element, colours: Theme, box: tuple[float, float, float, float]) -> None:
    whole.insert(2, _ground(colours.table, *_larger(box)))  # slightly larger, so that rounding leaves no uncovered edge
    for labels in whole.iter("g"):
        if labels.get("class") == "labels":
            labels.set("fill", colours.quiet)


class CardSeat(NamedTuple):
    """A seat as the card shows it."""

    letter: str
    colour: str
    """The class of the seat's colour: `seat-red`; empty where the colour is not known."""
    name: str
    place: str
    """In words, such as `1st`; empty where there is none."""
    won: bool


@dataclass(frozen=True, slots=True)
class Card:
    """The texts on a game's card, beside its board."""

    above: str
    """The small line above the names: the ruleset and the day."""
    seats: tuple[CardSeat, ...]
    below: str
    """What the verdict and the end of the game were, in a sentence or two."""


_PAD, _BOARD, _COLUMN = 28, 574, 660
_LETTERS_A_LINE, _NAME_LETTERS, _LINES = 41, 18, 3


def card(scene: Scene, stage: Stage, said: Card, *, theme: str = "light", translate: Translate = untranslated) -> str:
    """Return the card of a game: the board at the left, who played at the right."""
    colours, (width, height) = THEMES[theme], CARD_SIZE
    whole = Element("svg", {"viewBox": f"0 0 {width} {height}", "width": str(width), "height": str(height)})
    whole.append(_ground(colours.paper, 0, 0, width, height))
    whole.append(_ground(colours.table, 0, 0, _BOARD + 2 * _PAD, height))
    drawn = board(scene, stage, translate=translate)
    drawn.attrib |= {"x": str(_PAD), "y": str(_PAD), "width": str(_BOARD), "height": str(height - 2 * _PAD)}
    whole.append(drawn)
    _head(whole, said, colours)
    for at, seat in enumerate(said.seats):
        _seat(whole, seat, 206 + at * 66, colours)
    for at, line in enumerate(_lines(said.below)):
        _text(whole, line, _COLUMN, 520 + at * 34, size=25, fill=colours.quiet)
    return serialize(whole)


def _head(whole: Element, said: Card, colours: Theme) -> None:
    sign = mark_element()
    sign.attrib |= {"x": str(_COLUMN), "y": "48", "width": "56", "height": "56"}
    whole.append(sign)
    _text(whole, "Atta", _COLUMN + 72, 90, size=42, fill=colours.ink, family=SERIF, weight="600")
    _text(whole, shortened(said.above, _LETTERS_A_LINE), _COLUMN, 152, size=26, fill=colours.quiet)


def _seat(whole: Element, seat: CardSeat, y: int, colours: Theme) -> None:
    """Draw a seat: its letter on its colour, the name, and at the right the place."""
    fill, on_it = SEATS.get(seat.colour, (colours.quiet, colours.paper))
    SubElement(
        whole,
        "circle",
        {"cx": str(_COLUMN + 22), "cy": str(y), "r": "22", "fill": fill, "stroke": INK, "stroke-width": "1.8"},
    )
    _text(whole, seat.letter, _COLUMN + 22, y + 8, size=23, fill=on_it, weight="700", anchor="middle")
    weight = "700" if seat.won else "400"
    _text(whole, shortened(seat.name, _NAME_LETTERS), _COLUMN + 62, y + 13, size=36, fill=colours.ink, weight=weight)
    if seat.place:
        _text(whole, seat.place, CARD_SIZE[0] - 44, y + 12, size=30, fill=colours.quiet, weight=weight, anchor="end")


def _larger(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y, width, height = box
    return x - 9, y - 9, width + 18, height + 18


def _ground(colour: str, x: float, y: float, width: float, height: float) -> Element:
    box = {"x": number(x), "y": number(y), "width": number(width), "height": number(height)}
    return Element("rect", {**box, "fill": colour})


def _text(  # noqa: PLR0913 - what a line of text has
    whole: Element,
    text: str,
    x: float,
    y: float,
    *,
    size: int,
    fill: str,
    family: str = FONT,
    weight: str = "400",
    anchor: str = "start",
) -> None:
    line = SubElement(whole, "text", {"x": number(x), "y": number(y), "fill": fill, "font-family": family})
    line.attrib |= {"font-size": str(size), "font-weight": weight, "text-anchor": anchor}
    line.text = xml_text(text)


def shortened(text: str, most: int) -> str:
    """Return a text cut to a number of columns; East Asian characters take two each."""
    taken = 0
    for at, letter in enumerate(text):
        taken += 2 if east_asian_width(letter) in "WF" else 1
        if taken > most:
            return f"{text[: at - 1].rstrip()}…"
    return text


def _lines(text: str) -> list[str]:
    """Return a text as lines, as many as the card has room for."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= _LETTERS_A_LINE + 2:
            lines[-1] = longer
        else:
            lines.append(word)
    shown = lines[:_LINES]
    return [*shown[:-1], f"{shown[-1]} …"] if len(lines) > _LINES else shown
