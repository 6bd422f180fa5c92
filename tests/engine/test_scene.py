"""Requirements for every picture: valid alone, identical when built from frames, safe without inline styles."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from engine.atta_ants.ruleset import ATTA_ANTS
from engine.ruleset import Termination
from engine.scene import Box, Piece, Scene, Stage, film, frames, mark, svg, tray_svg, union
from engine.scene.drawing import INK, PALETTE, SEATS
from engine.scene.film import piece_json, tray_json
from engine.scene.svg import NAMESPACE, piece_element
from engine.words import Words, listed, words

STYLES = Path(__file__).parents[2] / "games" / "static" / "games"
TAGS = {"Seats": "R Y O B", "Setup": "NESW NESW* NESW NESW* NESW* NESW# NESW NESW#"}
SVG = f"{{{NAMESPACE}}}"


def game(seed: int) -> list[Scene]:
    """Return the scenes of a randomly played game that somebody sometimes leaves."""
    random, ruleset = Random(seed), ATTA_ANTS[seed % 2]
    states, tokens = [ruleset.initial(TAGS)], list[str]()
    while len(tokens) < 120 and (legal := list(ruleset.legal_actions(states[-1]))):
        if random.random() < 0.01:
            tokens.append(f"resign:{ruleset.to_act(states[-1])}")
            states.append(ruleset.leave(states[-1], tokens[-1][-1], Termination.RESIGNED))
        else:
            action = random.choice(legal)
            tokens.append(ruleset.format_action(action))
            states.append(ruleset.apply(states[-1], action))
    return film(ruleset, states, tokens)


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return game(3)


def drawn(scene: Scene, stage: Stage | None = None, *, prefix: str = "", live: bool = False) -> Element:
    return fromstring(svg(scene, stage, prefix=prefix, live=live))


# Words


def test_sentence_is_translated_together_with_its_parts() -> None:
    german = {"{ant} walks {side}.": "{ant} läuft nach {side}.", "north": "Norden"}
    sentence = words("{ant} walks {side}.", ant="R1", side=words("north"))
    assert str(sentence) == "R1 walks north."
    assert sentence.render(lambda template, *_: german[template]) == "R1 läuft nach Norden."


@pytest.mark.parametrize(
    ("names", "said"), [(["R1"], "R1"), (["R1", "Y2"], "R1 and Y2"), (["R1", "Y2", "B3"], "R1, Y2 and B3")]
)
def test_names_are_joined_with_commas_and_and(names: list[str], said: str) -> None:
    assert str(listed(names)) == said


def test_braces_in_user_text_are_kept() -> None:
    assert Words("{name} wins.", (("name", "{0}"),)).render() == "{0} wins."


# The stage


def test_stage_covers_the_boxes_and_symbols_of_all_scenes(scenes: list[Scene]) -> None:
    stage = union(scenes)
    assert all(stage.box.around(scene.box) == stage.box for scene in scenes)
    assert all(piece.symbol in stage.symbols for scene in scenes for piece in scene.pieces)


def test_two_boxes_fit_into_the_box_around_them() -> None:
    assert Box(0, 0, 10, 10).around(Box(-5, 5, 10, 20)) == Box(-5, 0, 15, 25)


# The frames


@pytest.mark.parametrize("seed", range(6))
def test_applying_all_frames_gives_every_scene(seed: int) -> None:
    scenes = game(seed)
    state: dict[str, Any] = {}
    for ply, (scene, frame) in enumerate(zip(scenes, frames(scenes), strict=True)):
        state = folded(state, frame)
        assert state["pieces"] == [piece_json(piece) for piece in scene.pieces], (ply, scene.token)
        assert state["trays"] == [tray_json(tray) for tray in scene.trays]
        assert "\n".join(state["lines"]) == str(scene.text)
        assert (frame["ply"], frame["token"], frame["caption"]) == (ply, scene.token, str(scene.caption))


def folded(before: dict[str, Any], frame: dict[str, Any]) -> dict[str, Any]:
    """Return the result of applying a frame to those before it, as a browser does."""
    pieces = {piece["id"]: piece for piece in before.get("pieces", []) if piece["id"] not in frame["gone"]}
    pieces |= {piece["id"]: piece for piece in frame["put"]}
    trays = {tray["seat"]: tray for tray in before.get("trays", [])}
    for tray in frame["trays"]:
        trays[tray["seat"]] = trays.get(tray["seat"], {}) | tray
    lines = (before.get("lines", []) + [""] * frame["height"])[: frame["height"]]
    for row, line in frame["lines"].items():
        lines[row] = line
    in_order = sorted(pieces.values(), key=lambda piece: (piece["layer"], piece["id"]))
    return {"pieces": in_order, "trays": list(trays.values()), "lines": lines}


def test_first_frame_of_a_later_page_is_complete(scenes: list[Scene]) -> None:
    first, second = frames(scenes[50:52], start=50)
    assert (first["ply"], first["whole"], first["gone"]) == (50, True, [])
    assert len(first["put"]) == len(scenes[50].pieces)
    assert "whole" not in second
    assert len(second["put"]) < len(first["put"])


def test_frames_are_translated_into_the_language_of_the_page(scenes: list[Scene]) -> None:
    (frame,) = frames(scenes[:1], translate=lambda template, *_: template.replace("lie around", "liegen um"))
    assert frame["caption"] == "Eight cards liegen um the nest. Red begins."


def test_default_values_are_omitted_from_a_piece() -> None:
    assert piece_json(Piece("R1", "ant", 0, 1.5)) == {"id": "R1", "symbol": "ant", "layer": 2, "x": 0, "y": 1.5}


# The SVG


@pytest.mark.parametrize("ply", [0, 1, 40, -1])
def test_an_svg_is_well_formed_and_says_what_it_shows(scenes: list[Scene], ply: int) -> None:
    whole = drawn(scenes[ply], stage=union(scenes))
    assert whole.findtext(f"{SVG}title") == str(scenes[ply].caption)
    assert whole.findtext(f"{SVG}desc") == str(scenes[ply].text)


def test_an_svg_has_no_style_and_no_script(scenes: list[Scene]) -> None:
    parts = list(drawn(scenes[-1], stage=union(scenes), live=True).iter())
    assert not [part for part in parts if "style" in part.attrib or part.tag in (f"{SVG}style", f"{SVG}script")]
    assert not [name for part in parts for name in part.attrib if name.startswith("on")]


def test_an_svg_of_a_stage_defines_what_any_of_its_scenes_needs(scenes: list[Scene]) -> None:
    stage = union(scenes)
    defined = {part.get("id") for part in drawn(scenes[0], stage=stage).findall(f"{SVG}defs/*")}
    used = {use.get("href") for scene in scenes for use in drawn(scene).iter(f"{SVG}use")}
    assert used <= {f"#{name}" for name in defined}


def test_a_board_does_not_shift_in_a_replay(scenes: list[Scene]) -> None:
    stage = union(scenes)
    assert len({drawn(scene, stage=stage).get("viewBox") for scene in scenes}) == 1


def test_svg_ids_can_have_a_prefix(scenes: list[Scene]) -> None:
    parts = list(drawn(scenes[5], prefix="g7-").iter())
    assert all(part.get("id", "g7-").startswith("g7-") for part in parts)
    assert all(part.get("href", "#g7-").startswith("#g7-") for part in parts)


def test_labels_are_drawn_on_a_stage_but_not_on_a_thumbnail(scenes: list[Scene]) -> None:
    assert drawn(scenes[0]).find(f"{SVG}g[@class='labels']") is None
    labels = drawn(scenes[0], stage=union(scenes[:1])).findall(f"{SVG}g[@class='labels']/{SVG}text")
    assert sorted(label.text or "" for label in labels) == ["-1", "-1", "0", "0", "1", "1"]


def test_traces_are_drawn_above_the_ground_and_below_the_pieces(scenes: list[Scene]) -> None:
    order = [group.get("class") for group in drawn(scenes[1], stage=union(scenes)).findall(f"{SVG}g")]
    assert order == ["labels", "layer ground", "traces", "layer loose", "layer walking", "layer top"]


def test_drawings_turn_and_numbers_stay_upright(scenes: list[Scene]) -> None:
    whole = drawn(scenes[-1])
    assert [use for use in whole.iter(f"{SVG}use") if not use.get("transform", "").startswith("rotate(0)")]
    assert not [text for text in whole.iter(f"{SVG}text") if "rotate" in text.get("transform", "")]


@pytest.mark.parametrize(
    ("classes", "colour"), [((), "#FFFFFF"), (("light",), INK), (("seat-red",), "#FFFFFF"), (("seat-yellow",), INK)]
)
def test_number_colour_contrasts_with_its_piece(classes: tuple[str, ...], colour: str) -> None:
    drawn = piece_element(Piece("any", "count", 0, 0, classes=classes, text="3"))
    assert [text.get("fill") for text in drawn.iter("text")] == [colour]


def test_tray_symbols_are_defined_on_the_stage(scenes: list[Scene]) -> None:
    stage = union(scenes)
    tray = fromstring(tray_svg(scenes[0].trays[0]))
    assert {use.get("href", "").removeprefix("#") for use in tray.iter(f"{SVG}use")} <= set(stage.symbols)


def test_logo_needs_no_style_sheet() -> None:
    parts = list(fromstring(mark()).iter())
    assert not [part for part in parts if "class" in part.attrib]
    assert {part.get("fill") for part in parts} >= {"#1F5F38", "#FBF8F1"}


# Colours


def test_style_sheet_uses_the_piece_colours_of_the_drawings() -> None:
    styles = (STYLES / "board.css").read_text()
    given = dict(re.findall(r"--([a-z-]+): (#[0-9A-F]{6});", styles))
    assert given["grass"] == PALETTE["grass"]["fill"]
    assert given["grass-edge"] == PALETTE["grass"]["stroke"]
    assert given["trail"] == PALETTE["trail"]["fill"]
    assert given["trail-edge"] == PALETTE["trail-edge"]["stroke"]
    assert given["board-ink"] == PALETTE["body"]["stroke"]
    assert given["leaf-piece"] == PALETTE["leaf"]["fill"]
    assert given["leaf-print"] == PALETTE["print-leaf"]["fill"]
    assert given["spider"] == PALETTE["spider"]["fill"]


@pytest.mark.parametrize("seat", SEATS)
def test_style_sheets_use_the_seat_colours_of_the_drawings(seat: str) -> None:
    tokens = (STYLES / "css" / "tokens.css").read_text()
    assert f"--{seat}: {SEATS[seat][0]};" in tokens
    assert f".{seat} {{ color: var(--{seat}); }}" in (STYLES / "board.css").read_text()


@pytest.mark.parametrize(("width", "size"), [(300, 15), (800, 20.3), (1200, 30.5)])
def test_labels_of_a_large_board_can_be_read_where_it_is_small(scenes: list[Scene], width: float, size: float) -> None:
    stage = replace(union(scenes), box=Box(0, 0, width, 100))
    labels = next(part for part in fromstring(svg(scenes[0], stage)) if part.get("class") == "labels")
    assert float(labels.attrib["font-size"]) == size
    assert size * 374 / width >= 9
