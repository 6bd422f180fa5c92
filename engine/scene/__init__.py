"""What a picture is made of (pieces with ids, places, classes), and one SVG writer; independent of any game."""

from engine.scene.film import Reel, Stage, branches, film, frames, last_scene, traces_of_turn, union
from engine.scene.picture import CARD_SIZE, SIZES, THEMES, Card, CardSeat, card, picture
from engine.scene.sheet import Sheet, sheet
from engine.scene.svg import mark, svg, tray_svg, xml_text
from engine.scene.values import (
    GROUND,
    LOOSE,
    TOP,
    WALKING,
    Box,
    Count,
    Label,
    Mark,
    Piece,
    Scene,
    Trace,
    Tray,
    in_order,
)

__all__ = [
    "CARD_SIZE",
    "GROUND",
    "LOOSE",
    "SIZES",
    "THEMES",
    "TOP",
    "WALKING",
    "Box",
    "Card",
    "CardSeat",
    "Count",
    "Label",
    "Mark",
    "Piece",
    "Reel",
    "Scene",
    "Sheet",
    "Stage",
    "Trace",
    "Tray",
    "branches",
    "card",
    "film",
    "frames",
    "in_order",
    "last_scene",
    "mark",
    "picture",
    "sheet",
    "svg",
    "traces_of_turn",
    "tray_svg",
    "union",
    "xml_text",
]
