"""The only SVG writer. Its pictures need nothing else, and take their colours from a style sheet if there is one.

Only classes and presentation attributes: pages forbid inline styles and scripts.
"""

import re
from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

from engine.scene.drawing import INK, LIGHT, PRINTED, SEATS, ant, carried_leaf, group, number, numbers, polyline, shape
from engine.scene.film import Stage, union
from engine.scene.values import (
    GROUND,
    LOOSE,
    TOP,
    WALKING,
    Box,
    Label,
    Piece,
    Scene,
    Trace,
    Tray,
)
from engine.words import Translate, untranslated

NAMESPACE = "http://www.w3.org/2000/svg"
FONT = "Inter, 'Source Sans 3', 'Helvetica Neue', Arial, sans-serif"

GUTTER = 26
"""Room for labels at the left edge and at the foot, at the least."""
_LABEL, _LEGIBLE = 15, 9.5
"""The size of labels at the least, in scene units, and of those on a small screen at the least, in pixels."""
_SMALL_SCREEN = 374, 390
"""The width of a board on a phone and its height on a laptop, in pixels: what a large board is shrunk to."""

_NOT_IN_XML = re.compile("[^\\t\\n\\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LAYERS = {GROUND: "ground", LOOSE: "loose", WALKING: "walking", TOP: "top"}
_TRACES = {
    "path": {"stroke-width": "5", "stroke-dasharray": "0 9"},
    "frame": {"stroke-width": "4", "stroke-dasharray": "0 7"},
}


def svg(
    scene: Scene,
    stage: Stage | None = None,
    *,
    prefix: str = "",
    live: bool = False,
    translate: Translate = untranslated,
) -> str:
    """Return a whole SVG of a scene.

    :param stage: room and drawings for a whole replay; if none is given, the result is a thumbnail of this scene,
    without labels.
    :param prefix: goes before every id, for pages that show several pictures.
    :param live: whether people step through it: then it can take the focus, and shows the pieces' full names while it
    has it.
    """
    return serialize(board(scene, stage, prefix=prefix, live=live, labelled=stage is not None, translate=translate))


def board(
    scene: Scene,
    stage: Stage | None = None,
    *,
    prefix: str = "",
    live: bool = False,
    labelled: bool = False,
    translate: Translate = untranslated,
) -> Element:
    """Return the SVG of a scene as an element, to be written or placed in a larger picture.

    :param labelled: whether the letters and numbers at the board's edges are drawn.
    """
    stage = stage or union([scene])
    whole = _root(stage.box, _gutter(stage.box) if labelled else 0, prefix)
    whole.set("data-prefix", prefix)
    if live:
        whole.set("tabindex", "0")
    SubElement(whole, "title", {"id": f"{prefix}title"}).text = scene.caption.render(translate)
    SubElement(whole, "desc", {"id": f"{prefix}desc"}).text = scene.text.render(translate)
    whole.append(_definitions(stage.symbols, scene.draw, prefix))
    if labelled:
        whole.append(_labels(stage.labels, stage.box))
    whole.extend(_layers(scene, prefix, translate))
    return whole


def xml_text(text: str) -> str:
    """Return a text without characters that are not allowed in XML."""
    return _NOT_IN_XML.sub("", text)


def serialize(whole: Element) -> str:
    """Return an SVG as text."""
    whole.set("xmlns", NAMESPACE)
    return tostring(whole, encoding="unicode")


def _root(box: Box, gutter: float, prefix: str) -> Element:
    seen = numbers(box.x - gutter, box.y, box.width + gutter, box.height + gutter)
    whole = Element("svg", {"class": "board", "viewBox": seen, "aria-labelledby": f"{prefix}title"})
    whole.set("role", "img")
    return whole


def _definitions(symbols: Iterable[str], draw: Callable[[str], Element], prefix: str) -> Element:
    definitions = Element("defs")
    for name in symbols:
        drawing = draw(name)
        drawing.set("id", prefix + name)
        definitions.append(drawing)
    return definitions


def _labels(labels: Iterable[Label], box: Box) -> Element:
    """Return the letters and numbers at the board's edges."""
    whole = Element("g", {"class": "labels", "fill": "#5A655C", "font-family": FONT, "text-anchor": "middle"})
    size, middle = _label_size(box), _gutter(box) / 2
    whole.set("font-size", number(size))
    for label in sorted(labels, key=str):
        x = box.x - middle if label.x is None else label.x
        y = box.y + box.height + middle if label.y is None else label.y
        SubElement(whole, "text", {"x": number(x), "y": number(y + size / 3)}).text = label.text
    return whole


def _label_size(box: Box) -> float:
    """Return the size of labels, so that they are legible even on a large board shown small."""
    width, height = _SMALL_SCREEN
    return max(_LABEL, round(_LEGIBLE * max(box.width / width, box.height / height), 1))


def _gutter(box: Box) -> float:
    return max(GUTTER, round(1.6 * _label_size(box), 1))


def _layers(scene: Scene, prefix: str, translate: Translate) -> list[Element]:
    """Return the pieces, layer by layer, and the traces above the ground."""
    layers = {layer: Element("g", {"class": f"layer {name}", **NUMBERS}) for layer, name in _LAYERS.items()}
    for piece in scene.pieces:
        layers[piece.layer].append(piece_element(piece, prefix, translate))
    ground, *others = layers.values()
    return [ground, traces_element(scene.traces), *others]


NUMBERS = {"font-family": FONT, "font-size": "19", "font-weight": "700", "text-anchor": "middle"}


def traces_element(traces: Iterable[Trace]) -> Element:
    """Return the traces of an action."""
    whole = Element(
        "g",
        {"class": "traces", "fill": "none", "stroke": "#1F5F38", "stroke-linecap": "round", "stroke-linejoin": "round"},
    )
    for kind, points, _ in traces:
        SubElement(whole, "polyline", {"class": f"trace {kind}", "points": polyline(points), **_TRACES[kind]})
    return whole


def piece_element(piece: Piece, prefix: str = "", translate: Translate = untranslated) -> Element:
    """Return a piece: a group at its place, with the drawing rotated and scaled, and the number upright."""
    of_none = INK, INK if LIGHT in piece.classes else "#FFFFFF"
    colour, on_colour = next((SEATS[name] for name in piece.classes if name in SEATS), of_none)
    on_it = colour if PRINTED in piece.classes else on_colour
    whole = Element("g", {"class": " ".join(("piece", *piece.classes)), "data-id": piece.id})
    whole.set("transform", f"translate({numbers(piece.x, piece.y)})")
    whole.set("color", colour)
    if piece.title:
        SubElement(whole, "title").text = piece.title.render(translate)
    turned = f"rotate({number(piece.turn)}) scale({piece.size:g})"
    SubElement(whole, "use", {"href": f"#{prefix}{piece.symbol}", "transform": turned})
    if piece.text:
        whole.extend(_texts(piece, on_it))
    return whole


def _texts(piece: Piece, colour: str) -> list[Element]:
    number_on_it = Element(
        "text", {"class": "number", "y": "6.8", "fill": colour, "transform": f"scale({piece.size:g})"}
    )
    number_on_it.text = piece.text
    if not piece.name:
        return [number_on_it]
    name = Element("text", {"class": "name", "y": "5.4", "fill": colour, "transform": f"scale({piece.size:g})"})
    name.attrib |= {"font-size": "15", "display": "none"}
    name.text = piece.name
    return [number_on_it, name]


def tray_svg(tray: Tray, prefix: str = "", translate: Translate = untranslated) -> str:
    """Return the pieces in a tray. It uses the drawings of the board's SVG on the same page."""
    whole = Element("svg", {"class": "tray-pieces", "viewBox": numbers(*tray.box), "aria-hidden": "true"})
    whole.set("data-prefix", prefix)
    x, y, width, height = map(number, tray.box)
    whole.append(shape("rect", "shelf", x=x, y=y, width=width, height=height, rx="10"))
    layer = SubElement(whole, "g", {"class": "layer", **NUMBERS})
    layer.extend(piece_element(piece, prefix, translate) for piece in tray.pieces)
    return serialize(whole)


def mark() -> str:
    """Return the project's mark for a logo or an icon."""
    return serialize(mark_element())


def mark_element() -> Element:
    """Return the project's mark as an element: the ant with a leaf, with thick limbs for small sizes."""
    whole = Element("svg", {"viewBox": "0 0 64 64", "role": "img", "aria-label": "Atta"})
    SubElement(whole, "rect", {"width": "64", "height": "64", "rx": "14", "fill": _MARK["ground"]})
    bearer = group(ant(), carried_leaf(34), transform="translate(23 42) rotate(41) scale(1.02)")
    for part in bearer.iter():
        part.attrib |= _MARK_PARTS.get(part.attrib.pop("class", ""), {})
    whole.append(bearer)
    return whole


_MARK = {"ground": "#1F5F38", "ant": "#FBF8F1", "leaf": "#A5D86E"}
_MARK_PARTS = {
    "limb": {"stroke": _MARK["ant"], "stroke-width": "3"},
    "body": {"fill": _MARK["ant"], "stroke": _MARK["ground"], "stroke-width": "2"},
    "leaf": {"fill": _MARK["leaf"], "stroke": _MARK["ground"], "stroke-width": "2"},
    "vein": {"stroke": _MARK["ground"], "stroke-width": "1.6"},
}
