"""The picture of a position of Army Ants: cells, cards, hedge, traces, trays, captions and the text board."""

import re
from itertools import product
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from engine.army_ants import scene
from engine.army_ants.board import NAMES
from engine.army_ants.ruleset import ARMY_ANTS
from engine.army_ants.scene.drawings import CARD_HEIGHT, CARD_WIDTH, CELL_HEIGHT, CELL_WIDTH, FRONTIER, OFFSET
from engine.army_ants.scene.layout import BOX, PITCH_X, PITCH_Y, centre
from engine.scene import Piece, Scene, Trace, film, frames, svg, tray_svg, union
from engine.scene.drawing import SEATS
from engine.scene.film import piece_json, tray_json
from engine.verify import verify_bytes
from tests.engine.army_ants.table import BATTLE, DEAL, after, start, states
from tests.strategies import FIXTURES

SVG = "{http://www.w3.org/2000/svg}"
FRONTS = "27.9A/35448/56689/A3Q72/39Q45/66778/A2A98/24.35"
READY = "a1~b1 a8~b8 " * 4


def scenes(tokens: str, deal: str = DEAL) -> list[Scene]:
    return film(ARMY_ANTS, states(tokens, deal), tokens.split())


def last_scene(tokens: str, deal: str = DEAL) -> Scene:
    return scenes(tokens, deal)[-1]


def recorded(name: str) -> list[Scene]:
    (verdict,) = verify_bytes((FIXTURES / "army_ants" / "games" / f"{name}.agn").read_bytes())
    assert verdict.replay is not None
    return film(ARMY_ANTS, verdict.replay.states, verdict.replay.actions)


def piece(drawn: Scene, name: str) -> Piece:
    return next(piece for piece in drawn.pieces if piece.id == name)


def at(cell: str) -> tuple[float, float]:
    return centre(NAMES.index(cell))


# Cells


def test_cells_form_a_grid_with_a_wider_gap_between_the_sides() -> None:
    assert [at("b1")[0] - at("a1")[0], at("a2")[1] - at("a1")[1]] == [PITCH_X, -PITCH_Y]
    assert at("c5")[1] - at("c4")[1] == -(PITCH_Y + FRONTIER)
    assert at("c4")[1] == -at("c5")[1]


def test_every_cell_is_inside_the_box_and_apart_from_the_others() -> None:
    for cell in range(len(NAMES)):
        x, y = centre(cell)
        assert BOX.x <= x - CELL_WIDTH / 2 < x + CELL_WIDTH / 2 <= BOX.x + BOX.width
        assert BOX.y <= y - CELL_HEIGHT / 2 < y + CELL_HEIGHT / 2 <= BOX.y + BOX.height
    assert (CELL_WIDTH, CELL_HEIGHT) < (PITCH_X, PITCH_Y)


def test_neighbouring_cells_have_different_grass() -> None:
    drawn = scene.scene(start())
    grass = {name: piece(drawn, f"cell:{name}").symbol for name in NAMES}
    for column, row in product("abcd", "1234567"):
        here = grass[column + row]
        assert here != grass[chr(ord(column) + 1) + row]
        assert here != grass[column + chr(ord(row) + 1)]


def test_columns_have_letters_and_rows_have_numbers() -> None:
    labels = scene.scene(start()).labels
    assert sorted(label.text for label in labels if label.y is None) == [*"abcde"]
    assert {label.text: label.y for label in labels if label.x is None} == {row: at(f"a{row}")[1] for row in "12345678"}


# Cards


def test_card_shows_its_rank_in_its_colony_colour() -> None:
    card = piece(scene.scene(start()), "R9a")
    assert (card.text, card.name, card.symbol, str(card.title)) == ("9", "R9", "card-red", "Red: 9 on d2")
    assert card.classes == ("card", "printed", "seat-red")
    (number,) = [
        text
        for group in fromstring(svg(scene.scene(start()))).iter(f"{SVG}g")
        if group.get("data-id") == "R9a"
        for text in group.findall(f"{SVG}text[@class='number']")
    ]
    assert (number.text, number.get("fill")) == ("9", SEATS["seat-red"][0])


def test_only_queens_have_a_golden_crown_and_rim() -> None:
    def kinds(name: str) -> list[str | None]:
        return [part.get("class") for part in scene.draw(name).iter()]

    assert kinds("queen-red").count("gold") == kinds("queen-black").count("gold") == 5
    assert "gold" not in kinds("card-red") + kinds("card-black")
    assert [piece.id for piece in scene.scene(start()).pieces if piece.symbol.startswith("queen")] == ["BQ", "RQ"]


def test_the_colonies_cards_are_laid_out_the_other_way_round() -> None:
    drawn = scene.scene(start())
    assert piece(drawn, "RQ").y == at("c4")[1] + OFFSET
    assert piece(drawn, "BQ").y == at("b5")[1] - OFFSET
    turns = [re.findall(r"rotate\((\d+)\)", str(part.get("transform"))) for part in scene.draw("card-black").iter()]
    assert ["180"] in turns


def test_a_card_fits_its_cell_with_room_for_a_frame() -> None:
    assert CARD_WIDTH + 6 < CELL_WIDTH
    assert CARD_HEIGHT + 6 < CELL_HEIGHT


def test_card_keeps_its_id_when_it_moves() -> None:
    before, after_it = scenes(f"{BATTLE} b4>b5")[-2:]
    assert (piece(before, "R9b").x, piece(before, "R9b").y) == (at("b4")[0], at("b4")[1] + OFFSET)
    assert (piece(after_it, "R9b").x, piece(after_it, "R9b").y) == (at("b5")[0], at("b5")[1] + OFFSET)
    assert {piece.id for piece in before.pieces} == {piece.id for piece in after_it.pieces}


def test_swapped_cards_of_equal_rank_change_places() -> None:
    before, after_it = scenes("a3~b3")
    assert (piece(before, "R6a").x, piece(before, "R6b").x) == (at("a3")[0], at("b3")[0])
    assert (piece(after_it, "R6a").x, piece(after_it, "R6b").x) == (at("b3")[0], at("a3")[0])


def test_piece_ids_are_unique_and_in_drawing_order() -> None:
    for drawn in recorded("shut-in"):
        keys = [(piece.layer, piece.id) for piece in drawn.pieces]
        assert keys == sorted(set(keys))


def test_drawing_an_unknown_symbol_fails() -> None:
    with pytest.raises(KeyError, match="spider"):
        scene.draw("spider")


# The hedge


def leaves(drawn: Scene) -> list[str]:
    return [piece.id.removeprefix("hedge:") for piece in drawn.pieces if piece.id.startswith("hedge:")]


def test_a_hedge_with_a_leaf_for_every_setup_action_keeps_the_sides_apart() -> None:
    assert leaves(scene.scene(start())) == ["B1", "B2", "B3", "B4", "B5", "R1", "R2", "R3", "R4", "R5"]
    assert leaves(last_scene("a1~b1 a8~b8 a1~b1")) == ["B2", "B3", "B4", "B5", "R3", "R4", "R5"]
    assert str(piece(scene.scene(start()), "hedge").title) == "The sides are closed"


def test_a_gambit_takes_all_leaves_of_a_colony() -> None:
    assert leaves(last_scene("QG")) == ["B1", "B2", "B3", "B4", "B5"]


def test_hedge_is_gone_in_the_battle_phase() -> None:
    assert not [piece.id for piece in last_scene(BATTLE).pieces if "hedge" in piece.id]


def test_leaves_hang_on_their_colonys_side() -> None:
    drawn = scene.scene(start())
    assert piece(drawn, "hedge:R1").y > 0 > piece(drawn, "hedge:B1").y


# Traces


def path(*cells: str, pieces: tuple[str, ...] = ()) -> Trace:
    return Trace("path", tuple(at(cell) for cell in cells), pieces)


def frame(trace: Trace) -> tuple[str, str]:
    """Return the cells in the south-west and north-east corners of a frame."""
    assert trace.kind == "frame"
    xs, ys = zip(*trace.points, strict=True)
    corners = (min(xs) + 20, max(ys) - 20), (max(xs) - 20, min(ys) + 20)
    found = [min(NAMES, key=lambda name: (at(name)[0] - x) ** 2 + (at(name)[1] - y) ** 2) for x, y in corners]
    return found[0], found[1]


@pytest.mark.parametrize(
    ("tokens", "paths", "frames"),
    [
        ("a1~b2", [path("a1", "b2")], [("a1", "a1"), ("b2", "b2")]),
        ("b1E1", [path("b1", "c1")], [("c1", "c1")]),
        ("a1-b1E1", [path("a1", "c1")], [("b1", "c1")]),
        ("c2-c4S1", [path("c4", "c1")], [("c1", "c3")]),
        ("QG", [path("c4", "c1")], [("c1", "c1")]),
        ("a1~b1 QG", [path("b5", "c8")], [("c8", "c8")]),
        (f"{BATTLE} b4N1", [path("b4", "b5")], [("b5", "b5")]),
        (f"{BATTLE} b4>b5", [path("b4", "b5", pieces=("R9b",))], [("b5", "b5")]),
        (f"{BATTLE} b4>c4", [path("b4", "c4", pieces=("R9b",))], [("c4", "c4")]),
        (f"{BATTLE} b4>b5 a8~b8 b3>c4", [path("b3", "b4", "c4", pieces=("R6b",))], [("c4", "c4")]),
        (f"{BATTLE} c3>c4 a8~b8 b3>c3", [path("b3", "c3", pieces=("R6b",))], [("c3", "c3")]),
        (f"{BATTLE} b4xb6", [path("b4", "b6")], [("b6", "b6")]),
        (f"{BATTLE} resign:R", [], []),
        (f"{BATTLE} draw", [], []),
    ],
)
def test_action_draws_its_path_and_a_frame_at_the_end(
    tokens: str, paths: list[Trace], frames: list[tuple[str, str]]
) -> None:
    traces = last_scene(tokens).traces
    assert [trace for trace in traces if trace.kind == "path"] == paths
    assert [frame(trace) for trace in traces if trace.kind == "frame"] == frames


def test_cards_marching_side_by_side_draw_one_path_each() -> None:
    *ways, end = last_scene(f"{BATTLE} b4>b5 a8~b8 b3-c3N1").traces
    assert ways == [path("b3", "b4"), path("c3", "c4")]
    assert frame(end) == ("b4", "c4")


def test_diagonal_path_bends_at_the_free_corner() -> None:
    by_row, by_column = (
        scenes(tokens)[-1].traces[0]
        for tokens in (
            f"{BATTLE} b4>b5 a8~b8 b3>c4",
            f"{BATTLE} b4>c4 a8~b8 c4>b5",
        )
    )
    assert by_row.points == (at("b3"), at("b4"), at("c4"))
    assert by_column.points == (at("c4"), at("b4"), at("b5"))


# Trays


def test_tray_shows_captured_cards() -> None:
    red, black = last_scene(f"{BATTLE} b4xb6").trays
    assert [(count.key, count.value) for count in red.counts + black.counts] == [
        ("in-play", 19), ("taken", 1), ("in-play", 18), ("taken", 0)]  # fmt: skip
    assert [(piece.id, piece.text, piece.classes) for piece in red.pieces if piece.text] == [
        ("taken:B6a", "6", ("card", "printed", "seat-black"))]  # fmt: skip
    assert len(red.pieces) == len(black.pieces) == 19


def test_equal_cards_that_capture_each_other_go_to_opposite_trays() -> None:
    red, black = last_scene(f"{BATTLE} c3xc5 d5xc5").trays
    assert sorted(piece.text for piece in red.pieces if piece.text) == ["5", "7"]
    assert [piece.id for piece in black.pieces if piece.text] == ["taken:R7a"]


def test_captured_card_has_a_fixed_place_in_the_tray() -> None:
    first, second = (last_scene(f"{BATTLE} {tokens}").trays[0] for tokens in ("b4xb6", "b4xb6 a8~b8 a4xa5"))
    where = [{piece.id: (piece.x, piece.y) for piece in tray.pieces if piece.text} for tray in (first, second)]
    assert where[0].items() < where[1].items()


def test_tray_shows_whose_turn_it_is_and_who_is_ready() -> None:
    red, black = last_scene("QG").trays
    assert [mark.key for mark in red.marks if mark.shown] == ["ready"]
    assert [mark.key for mark in black.marks if mark.shown] == ["turn"]
    assert str(red.said) == "Red: 19 cards in play, 0 taken; ready for battle."
    assert [mark.key for tray in last_scene(BATTLE).trays for mark in tray.marks if mark.shown] == ["turn"]


def test_tray_shows_the_final_place() -> None:
    red, black = last_scene("QG resign:B").trays
    assert (red.place, black.place) == (1, 2)
    assert str(black.said) == "Black: 19 cards in play, 0 taken; left the game; place 2."


# Captions


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ("", "The cards are dealt, and the sides are closed. Red begins."),
        ("a1~b2", "Red swaps its 2 on a1 with its 2 on b2."),
        ("b4~c4", "Red swaps its 9 on b4 with its queen on c4."),
        ("b1E1", "Red marches its 4 on b1 one cell east."),
        ("a1-b1E1", "Red marches 2 cards, a1–b1, one cell east."),
        ("QG", "Red plays the queen’s gambit: its queen goes to the back row."),
        ("QG a8~b8", "Black swaps its 2 on a8 with its 7 on b8. Red is skipped until the battle."),
        (BATTLE,
         "Black plays the queen’s gambit: its queen goes to the back row. Both colonies are ready: the battle begins."),
        (f"{BATTLE} b4N1", "Red marches its 9 on b4 one cell north."),
        (f"{BATTLE} b4xb6 a8~b8 b6S2", "Red marches its 9 on b6 2 cells south."),
        (f"{BATTLE} b4>c4 b7~c7 b1-b3N2", "Red marches 3 cards, b1–b3, 2 cells north."),
        (f"{BATTLE} b4>b5", "Red moves its 9 out from b4 to b5."),
        (f"{BATTLE} a4xa5", "Red’s 3 on a4 takes the ace on a5."),
        (f"{BATTLE} c3xc5 d5xc5", "Black’s 7 on d5 meets the 7 on c5: both leave the board."),
        (f"{BATTLE} timeout:R", "Red runs out of time. The game is over: Black wins."),
        ("QG resign:B", "Black resigns. The game is over: Red wins."),
        ("draw", "Both players agree to a draw. The game is drawn."),
        (f"{BATTLE} " + "a1~b1 a8~b8 " * 4,
         "Black swaps its 7 on a8 with its 2 on b8. The same series was played four times: the game is drawn."),
    ],
)  # fmt: skip
def test_caption_describes_the_action(tokens: str, said: str) -> None:
    assert str(last_scene(tokens).caption) == said


def test_caption_announces_the_winner_when_a_queen_is_captured() -> None:
    said = str(last_scene(f"c4~d4 a8~b8 {READY} c4xc5", FRONTS).caption)
    assert said == "Red’s 4 on c4 takes the queen on c5. The game is over: Red wins."


def test_captions_describe_passing_and_the_last_queens() -> None:
    said = [str(drawn.caption) for name in ("shut-in", "only-queens") for drawn in recorded(name)]
    assert "Black can do nothing and passes." in said
    assert said[-1].endswith("both leave the board. Only the queens are left: the game is drawn.")


# The whole


@pytest.mark.parametrize("name", ["shut-in", "only-queens", "two-gambits", "resigned"])
def test_applying_all_frames_gives_every_scene(name: str) -> None:
    pieces: dict[str, Any] = {}
    trays: dict[str, Any] = {}
    drawn = recorded(name)
    for one, frame in zip(drawn, frames(drawn), strict=True):
        pieces = {id_: piece for id_, piece in pieces.items() if id_ not in frame["gone"]}
        pieces |= {piece["id"]: piece for piece in frame["put"]}
        for tray in frame["trays"]:
            trays[tray["seat"]] = trays.get(tray["seat"], {}) | tray
        in_order = sorted(pieces.values(), key=lambda piece: (piece["layer"], piece["id"]))
        assert in_order == [piece_json(piece) for piece in one.pieces]
        assert list(trays.values()) == [tray_json(tray) for tray in one.trays]


def test_an_action_changes_only_what_it_touched() -> None:
    *_, frame = frames(scenes(f"{BATTLE} b4xb6"))
    assert [piece["id"] for piece in frame["put"]] == ["R9b"]
    assert frame["gone"] == ["B6a"]


def test_svgs_define_every_symbol_they_use_and_have_no_styles() -> None:
    drawn = recorded("only-queens")
    whole = fromstring(svg(drawn[-1], union(drawn), live=True))
    defined = {part.get("id") for part in whole.findall(f"{SVG}defs/*")}
    trays = [fromstring(tray_svg(tray)) for tray in drawn[-1].trays]
    used = {use.get("href", "").removeprefix("#") for part in (whole, *trays) for use in part.iter(f"{SVG}use")}
    assert used <= defined
    assert not [part for tree in (whole, *trays) for part in tree.iter() if "style" in part.attrib]


# The text board

FIRST = """
 8  B2   B7   .    B9   BA
 7  B3   B5   B4   B4   B8
 6  B3   B6   B6   B8   B9
 5  BA  [BQ]  B5   B7   B2
   ########################
 4  R3   R9  [RQ]  R4   R5
 3  R6   R6   R7   R7   R8
 2  RA   R2   RA   R9   R8
 1  R2   R4   .    R3   R5
    a    b    c    d    e

Pair 1, setup: R to act; of 5 setup actions R made 0, B 0.
R: 19 in play, has taken nothing
B: 19 in play, has taken nothing
R7 a red 7, BA a black ace, [RQ] the red queen, . nothing, ### the sides are closed.
"""

LATER = """
 8  B7   B2  [BQ]  B9   BA
 7  B3   B5   B4   B4   B8
 6  B3   R9   B6   B8   B9
 5  R3   .    .    .    B2
   ------------------------
 4  .    .    .    R4   R5
 3  R6   R6   .    R7   R8
 2  RA   R2   RA   R9   R8
 1  R2   R4  [RQ]  R3   R5
    a    b    c    d    e

Pair 4, battle: B to act.
R: 18 in play, has taken B7 B6 B5 BA
B: 15 in play, has taken R7
R7 a red 7, BA a black ace, [RQ] the red queen, . nothing, ### the sides are closed.
"""


def test_position_is_drawn_as_text() -> None:
    assert scene.picture(start()) == FIRST.strip("\n")
    assert scene.picture(after(f"{BATTLE} b4xb6 a8~b8 c3xc5 d5xc5 a4xa5")) == LATER.strip("\n")


def test_text_board_shows_the_final_places() -> None:
    assert "Pair 1, over: R 1, B 2." in scene.picture(after("QG resign:B")).split("\n")
