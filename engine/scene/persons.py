"""Pictures of people: an ant on a square of grass, one symbol for each pattern on its abdomen.

The page that uses a symbol gives the colours as custom properties: `--grass`, `--ant`, and `--on-ant` for the pattern.
"""

from xml.etree.ElementTree import Element, SubElement

from engine.scene.drawing import ant, ellipse, group, path
from engine.scene.svg import serialize

PATTERNS = ("plain", "spots", "stripes", "saddle", "chevrons", "leaf")
_BOX = "0 0 48 48"
_PLACE = "translate(24 33) scale(.82)"


def persons() -> str:
    """Return a file with the symbol of each pattern, by its name."""
    whole = Element("svg")
    for pattern in PATTERNS:
        symbol = SubElement(whole, "symbol", {"id": pattern, "viewBox": _BOX})
        SubElement(symbol, "rect", {"width": "48", "height": "48", "fill": "var(--grass)"})
        symbol.append(_coloured(group(ant(), *_pattern(pattern), transform=_PLACE)))
    return serialize(whole)


def _pattern(name: str) -> list[Element]:
    """Return what a pattern adds to the abdomen, round the place of an initial."""
    if name == "spots":
        return [ellipse("vein", x, y, 1.7, 1.7) for x, y in ((-8.4, -3), (8.4, -3), (-7.4, 6), (7.4, 6))]
    if name == "stripes":
        return [path("vein", "M-9.4-6.4 Q0-9.8 9.4-6.4 M-9.6 7.2 Q0 11.4 9.6 7.2")]
    if name == "saddle":
        return [path("vein", "M-11.6-2 Q-7.6 1-9.8 7.6 M11.6-2 Q7.6 1 9.8 7.6")]
    if name == "chevrons":
        return [path("vein", "M-4-9 L0-11.4 L4-9 M-4.4 10.4 L0 12.6 L4.4 10.4")]
    if name == "leaf":
        return [path("leaf", "M4.6-33.4 C10-39 15-37 18-31.4 C12-28.4 7-29.4 4.6-33.4Z")]
    return []


_PARTS = {
    "limb": {"stroke": "#1F1A14", "stroke-width": "2.6"},
    "body": {"fill": "var(--ant)", "stroke": "#1F1A14", "stroke-width": "1.8"},
    "vein": {"fill": "none", "stroke": "var(--on-ant)", "stroke-width": "1.8", "stroke-opacity": ".6"},
    "leaf": {"fill": "#DCEB9C", "stroke": "#1F1A14", "stroke-width": "1.6"},
}


def _coloured(drawn: Element) -> Element:
    for part in drawn.iter():
        part.attrib |= _PARTS.get(part.attrib.pop("class", ""), {})
    return drawn
