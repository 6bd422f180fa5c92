"""Marks on cells, showing whether an action there is allowed."""

from xml.etree.ElementTree import fromstring

import pytest

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.scene import Scene, svg
from engine.scene.hints import tried

TAGS = {"Setup": "b5=2 c3=3 d6=1 e2=2 e8=3 f5=1 g7=2 h4=3 h9=1 i7=3 j6=1 j9=2"}


def start_scene() -> Scene:
    scene = ANT_TRAILS.shown.scene(ANT_TRAILS.initial(TAGS))
    assert isinstance(scene, Scene)
    return scene


def test_mark_is_drawn_on_its_cell_with_a_shape_for_yes_or_no() -> None:
    pieces = {piece.id: piece for piece in tried(start_scene(), {"a1": True, "c5": False}).pieces}
    for cell, symbol in (("a1", "allowed"), ("c5", "refused")):
        mark, ground = pieces[f"tried:{cell}"], pieces[f"cell:{cell}"]
        assert (mark.symbol, mark.x, mark.y) == (symbol, ground.x, ground.y)


def test_mark_symbols_are_added_to_those_of_the_scene() -> None:
    whole = fromstring(svg(tried(start_scene(), {"a1": True, "c5": False})))
    drawings = {drawing.get("id") for drawing in whole.iter()}
    assert {"allowed", "refused", "tile", "sand"} <= drawings


def test_scene_without_marks_is_unchanged() -> None:
    assert tried(start_scene(), {}).pieces == start_scene().pieces


def test_marking_an_unknown_cell_fails() -> None:
    with pytest.raises(KeyError, match="cell:z9"):
        tried(start_scene(), {"z9": True})
