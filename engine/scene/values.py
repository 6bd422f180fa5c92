"""What a picture is made of: pieces, traces, trays, and the words that go with them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element

Point = tuple[float, float]
Translate = Callable[[str], str]

GROUND, LOOSE, WALKING, TOP = range(4)
"""The layers of pieces, from the table up: what lies fixed, what lies loose, what walks, what is carried.

The last action's traces are drawn right above the ground.
"""


def untranslated(template: str) -> str:
    """A template in the language in which it is written, English."""
    return template


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, or a part of one, as a template and its parameters, so that it can be translated."""

    template: str
    params: tuple[tuple[str, "str | int | Words"], ...] = ()

    def say(self, translate: Translate = untranslated) -> str:
        """The words in the language of `translate`, which gets every template, inner ones too."""
        said = {name: value.say(translate) if isinstance(value, Words) else value for name, value in self.params}
        # A catalogue answers the empty text with its own header.
        return translate(self.template).format(**said) if self.template else ""

    def __str__(self) -> str:
        return self.say()


def words(template: str, **params: "str | int | Words") -> Words:
    """Words, with the parameters written as keywords."""
    return Words(template, tuple(params.items()))


NOTHING_SAID = Words("")


def listed(items: list[str]) -> "str | Words":
    """Names in a row: `R1, R2 and Y1`. There is at least one."""
    if len(items) == 1:
        return items[0]
    return words("{names} and {last}", names=", ".join(items[:-1]), last=items[-1])


class Box(NamedTuple):
    """A rectangle in scene units: its north-west corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def around(self, other: "Box") -> "Box":
        """The smallest box that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.width, other.x + other.width)
        foot = max(self.y + self.height, other.y + other.height)
        return Box(x, y, right - x, foot - y)


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing in the picture, with its centre in scene units; y grows south."""

    id: str
    """The same over the whole game: `R1`, `card:2,-1`."""
    symbol: str
    """The drawing's name."""
    x: float
    y: float
    layer: int = WALKING
    turn: float = 0
    """Degrees clockwise from north."""
    size: float = 1
    classes: tuple[str, ...] = ()
    text: str = ""
    """The number on the piece."""
    name: str = ""
    """The piece's full name, shown in place of the number while the board has the focus: `R1`."""
    title: Words | None = None
    """What a person would call it."""


class Trace(NamedTuple):
    """A line that the last action left on the table: a `path` that was walked, or a `frame` around a place."""

    kind: str
    points: tuple[Point, ...]
    pieces: tuple[str, ...] = ()
    """The ids of the pieces that went along it."""


class Label(NamedTuple):
    """A letter or number at the edge of the board; without x it stands at the left edge, without y at the foot."""

    text: str
    x: float | None
    y: float | None


class Count(NamedTuple):
    """A number in a tray and what it counts."""

    key: str
    label: Words
    value: int


class Mark(NamedTuple):
    """Something that is or is not so of a seat, such as that it is its turn."""

    key: str
    label: Words
    shown: bool


@dataclass(frozen=True, slots=True)
class Tray:
    """What stands beside the board for a seat."""

    seat: str
    """Its letter."""
    colour: str
    """Its colour's name, which is also its class: `seat-red`."""
    name: Words
    """What people call it: Red."""
    counts: tuple[Count, ...]
    marks: tuple[Mark, ...]
    place: int | None
    """Its place at the end; none while the game goes on."""
    box: Box
    pieces: tuple[Piece, ...]
    """What lies in the tray, drawn small."""
    said: Words
    """All of this as a sentence."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position's picture and the action that led to it."""

    box: Box
    pieces: tuple[Piece, ...]
    """In drawing order, which is the order of (layer, id)."""
    draw: Callable[[str], Element] = field(compare=False, repr=False)
    """The game's drawing of a symbol."""
    traces: tuple[Trace, ...] = ()
    trays: tuple[Tray, ...] = ()
    labels: frozenset[Label] = frozenset()
    caption: Words = NOTHING_SAID
    """What happened, as a sentence."""
    token: str = ""
    """The action as it is written; empty for the position before the first."""
    text: str = ""
    """The board as lines of text."""


def in_order(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Pieces in drawing order."""
    return tuple(sorted(pieces, key=lambda piece: (piece.layer, piece.id)))
