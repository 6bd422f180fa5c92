"""Many positions of one game on one page: what they have in common is written once, and each picture refers to it."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from engine.scene.drawing import number
from engine.scene.film import Stage
from engine.scene.picture import pictured
from engine.scene.svg import NUMBERS, piece_element, serialize, traces_element
from engine.scene.values import GROUND, Piece, Scene, unwritten
from engine.words import NOTHING_SAID


class Sheet(NamedTuple):
    """Pictures of positions."""

    drawings: str
    """An SVG of no size, to which the pictures refer: it comes before them on the page."""
    pictures: tuple[str, ...]


class _Look(NamedTuple):
    """All that is seen of a piece but where it is."""

    symbol: str
    turn: float
    size: float
    classes: tuple[str, ...]
    text: str


_look_of = attrgetter(*_Look._fields)
_plain = attrgetter("id", "x", "y", *_Look._fields)
"""All that is seen of a piece."""


def sheet(scenes: Sequence[Scene], stage: Stage, *, size: int, prefix: str = "") -> Sheet:
    """Return pictures of scenes, on a ground of their own; what they show is said by the page.

    :param stage: the stage of all scenes, so that all pictures have one size.
    :param size: the length of the longer side in pixels.
    :param prefix: goes before every id.
    """
    still = _still(scenes)
    ground = tuple(piece for piece in scenes[0].pieces if _plain(piece) in still)
    empty = replace(scenes[0], pieces=ground, traces=(), caption=NOTHING_SAID, write=unwritten)
    base = pictured(empty, replace(stage, symbols=()), size=size, prefix=prefix)
    frame = " ".join(f'{name}="{base.get(name)}"' for name in ("viewBox", "width", "height"))
    looks = dict[tuple[Any, ...], str]()
    pictures = [f'<svg {frame} aria-hidden="true">{_drawn(scene, still, looks, prefix)}</svg>' for scene in scenes]
    return Sheet(serialize(_drawings(base, scenes[0], looks, prefix)), tuple(pictures))


def _still(scenes: Sequence[Scene]) -> set[tuple[Any, ...]]:
    """Return the pieces of the ground that are the same in all scenes."""
    return set[tuple[Any, ...]].intersection(
        *({_plain(piece) for piece in scene.pieces if piece.layer == GROUND} for scene in scenes)
    )


def _drawn(scene: Scene, still: set[tuple[Any, ...]], looks: dict[tuple[Any, ...], str], prefix: str) -> str:
    """Return what differs from other scenes, and add how its pieces look to what is drawn once."""
    ground, others = list[str](), list[str]()
    for piece in scene.pieces:
        if piece.layer == GROUND and _plain(piece) in still:
            continue
        name = looks.setdefault(_look_of(piece), f"{prefix}{len(looks)}")
        use = f'<use href="#{name}" x="{number(piece.x)}" y="{number(piece.y)}"/>'
        (ground if piece.layer == GROUND else others).append(use)
    traces = [tostring(traces_element(scene.traces), encoding="unicode")] if scene.traces else []
    return "".join((f'<use href="#{prefix}base"/>', *ground, *traces, *others))


def _drawings(base: Element, scene: Scene, looks: dict[tuple[Any, ...], str], prefix: str) -> Element:
    """Return what is drawn once: the symbols, each look of a piece, and the ground with its labels."""
    whole = Element("svg", {"class": "drawings", "width": "0", "height": "0", "aria-hidden": "true"})
    definitions = SubElement(whole, "defs")
    symbols = {use.get("href", "").removeprefix(f"#{prefix}") for use in base.iter("use")}
    for name in sorted(symbols | {look[0] for look in looks}):
        drawing = scene.draw(name)
        drawing.set("id", prefix + name)
        definitions.append(drawing)
    for look, name in looks.items():
        definitions.append(_element(_Look(*look), name, prefix))
    ground = SubElement(definitions, "g", {"id": f"{prefix}base"})
    ground.extend(part for part in base if part.tag not in ("title", "desc", "defs"))
    return whole


def _element(look: _Look, name: str, prefix: str) -> Element:
    piece = Piece("", look.symbol, 0, 0, turn=look.turn, size=look.size, classes=look.classes, text=look.text)
    whole = piece_element(piece, prefix)
    whole.attrib |= {"id": name, **(NUMBERS if look.text else {})}
    del whole.attrib["transform"], whole.attrib["data-id"]
    return whole
