"""Marks on cells that somebody asks about."""

from xml.etree.ElementTree import fromstring

import pytest

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.scene import Scene, svg
from engine.scene.hints import tried

TAGS = {"Setup": "b5=2 c3=3 d6=1 e2=2 e8=3 f5=1 g7=2 h4=3 h9=1 i7=3 j6=1 j9=2"}


def meadow() -> Scene:
    scene = ANT_TRAILS.scene(ANT_TRAILS.initial(TAGS))
    assert isinstance(scene, Scene)
    return scene


def test_a_mark_stands_on_its_cell_and_says_yes_or_no_by_its_shape() -> None:
    pieces = {piece.id: piece for piece in tried(meadow(), {"a1": True, "c5": False}).pieces}
    for cell, symbol in (("a1", "allowed"), ("c5", "refused")):
        mark, ground = pieces[f"tried:{cell}"], pieces[f"cell:{cell}"]
        assert (mark.symbol, mark.x, mark.y) == (symbol, ground.x, ground.y)


def test_marks_are_drawn_beside_all_else() -> None:
    whole = fromstring(svg(tried(meadow(), {"a1": True, "c5": False})))
    drawings = {drawing.get("id") for drawing in whole.iter()}
    assert {"allowed", "refused", "tile", "sand"} <= drawings


def test_a_scene_without_a_question_is_as_it_was() -> None:
    assert tried(meadow(), {}).pieces == meadow().pieces


def test_a_cell_that_is_nowhere_cannot_be_asked_about() -> None:
    with pytest.raises(KeyError, match="cell:z9"):
        tried(meadow(), {"z9": True})
