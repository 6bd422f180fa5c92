"""What a picture is made of: pieces, traces and trays."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element

from engine.words import NOTHING_SAID, Words, words

Point = tuple[float, float]

GROUND, LOOSE, WALKING, TOP = range(4)
"""The layers of pieces, from the table up: what lies fixed, what lies loose, what walks, what is carried.

The last action's traces are drawn right above the ground.
"""


class Box(NamedTuple):
    """A rectangle in scene units: its north-west corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def around(self, other: "Box") -> "Box":
        """Return the smallest box that holds both."""
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
    """A trace of the last action: a `path` that was taken, or a `frame` around a place."""

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
    """A number in a tray, with its label."""

    key: str
    label: Words
    value: int


class Mark(NamedTuple):
    """Something that is true or false about a seat, such as whether it is its turn."""

    key: str
    label: Words
    shown: bool


@dataclass(frozen=True, slots=True)
class Tray:
    """The tray of a seat, beside the board."""

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


def tray_summary(counts: Words, marks: tuple[Mark, ...], place: int | None) -> Words:
    """Return what a tray shows in one sentence: its counts, the marks shown, and the place if any."""
    said = counts
    for mark in marks:
        if mark.shown:
            said = words("{said}; {mark}", said=said, mark=mark.label)
    if place:
        said = words("{said}; place {place}", said=said, place=place)
    return words("{said}.", said=said)


def unwritten() -> Words:
    """Return no text: the `write` of a scene that is seen but not read."""
    return NOTHING_SAID


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
    write: Callable[[], Words] = field(default=unwritten, compare=False, repr=False)
    """The game's writing of the board; it takes as long as all else together, and is mostly not wanted."""

    @property
    def text(self) -> Words:
        """Return the board as lines of text."""
        return self.write()


def in_order(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Return pieces in drawing order."""
    return tuple(sorted(pieces, key=lambda piece: (piece.layer, piece.id)))
