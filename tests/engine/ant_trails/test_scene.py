"""The picture of a position of Ant Trails: cells, trails, tiles, traces, captions and the text board."""

import math
import re
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from engine.ant_trails import scene
from engine.ant_trails.board import BOARD, BORDER, CELLS, NAMES, NEIGHBOURS, members, trails
from engine.ant_trails.ruleset import ANT_TRAILS
from engine.ant_trails.scene.drawings import BAND, CARRIED, LYING, symbol_of
from engine.ant_trails.scene.layout import BOX, LABELS, PITCH, centre, heading
from engine.ant_trails.state import State
from engine.scene import Piece, Scene, Trace, film, frames, svg, union
from engine.scene.film import piece_json, tray_json
from tests.engine.ant_trails.bots import game
from tests.engine.ant_trails.table import CARRYING, RING, after, packed, start
from tests.engine.test_scene import folded


def last_scene(tokens: str, first: State | None = None) -> Scene:
    words = tokens.split()
    states = [after(" ".join(words[:ply]), first) for ply in range(len(words) + 1)]
    return film(ANT_TRAILS, states, words)[-1]


def pieces(drawn: Scene, prefix: str) -> dict[str, Piece]:
    return {piece.id.removeprefix(prefix): piece for piece in drawn.pieces if piece.id.startswith(prefix)}


def place(name: str) -> tuple[float, float]:
    return centre(NAMES.index(name))


# The board


def test_only_neighbouring_cells_are_one_pitch_apart() -> None:
    for cell in CELLS:
        near = {other for other in CELLS if 0 < math.dist(centre(cell), centre(other)) < PITCH * 1.1}
        assert near == set(NEIGHBOURS[cell])


def test_row_a_is_at_the_bottom_and_numbers_increase_to_the_right() -> None:
    assert place("f6") == (0, 0)
    assert place("a1")[1] > place("b1")[1] > place("k6")[1]
    assert place("a1")[0] < place("a2")[0]


def test_a_heading_leads_from_a_cell_to_its_neighbour() -> None:
    x, y = centre(60)
    for other in NEIGHBOURS[60]:
        turn = math.radians(heading(60, other))
        there = x + PITCH * math.cos(turn), y + PITCH * math.sin(turn)
        assert math.dist(there, centre(other)) < 0.2


def test_the_border_is_sand_and_all_else_is_grass() -> None:
    drawn = pieces(last_scene(""), "cell:")

    assert drawn.keys() == {NAMES[cell] for cell in members(BOARD)}
    assert {name for name, cell in drawn.items() if cell.symbol == "sand"} == {NAMES[cell] for cell in members(BORDER)}
    assert str(drawn["c5"].title) == "Cell c5"


def test_neighbouring_cells_of_a_row_have_different_grass() -> None:
    lawns = [cell for cell in CELLS if not BORDER >> cell & 1]

    assert all(symbol_of(cell) != symbol_of(cell + 1) for cell in lawns if cell + 1 in lawns)
    assert len({symbol_of(cell) for cell in lawns}) == 7


def test_every_row_letter_and_column_number_is_labelled_once() -> None:
    assert sorted(label.text for label in LABELS) == sorted([*"abcdefghijk", *map(str, range(1, 12))])


def test_labels_stay_off_the_cells_and_inside_the_picture() -> None:
    for _, x, y in LABELS:
        assert x is not None
        assert y is not None
        assert min(math.dist((x, y), centre(cell)) for cell in CELLS) > PITCH * 0.7
        assert BOX.x - 26 < x < BOX.x + BOX.width
        assert BOX.y < y < BOX.y + BOX.height + 26


def test_drawing_an_unknown_symbol_fails() -> None:
    for name in ("card-NE-0", "queen", "lawn"):
        with pytest.raises((KeyError, ValueError)):
            scene.draw(name)


# Ants and trails


def test_ants_are_round_in_black_and_square_in_red() -> None:
    ants = pieces(last_scene("a1 a2 / k6"), "ant:")

    assert [(name, ant.symbol, ant.classes) for name, ant in ants.items()] == [
        ("a1", "ant-round", ("ant", "seat-black")),
        ("a2", "ant-round", ("ant", "seat-black")),
        ("k6", "ant-square", ("ant", "seat-red")),
    ]
    assert str(ants["k6"].title) == "Red ant at k6"


def test_bands_join_only_adjacent_ants_of_one_colour() -> None:
    links = pieces(last_scene("a1 a2 / b1 b2 / a4 b3"), "link:")

    assert links.keys() == {"a1-a2", "b1-b2", "a2-b3"}
    assert links["b1-b2"].classes == ("link", "seat-red")


def test_band_connects_the_centres_of_two_cells() -> None:
    for name, link in pieces(last_scene(RING), "link:").items():
        turn, ends = math.radians(link.turn), [place(cell) for cell in name.split("-")]
        aside = PITCH / 2 * math.cos(turn), PITCH / 2 * math.sin(turn)
        reached = [(link.x - aside[0], link.y - aside[1]), (link.x + aside[0], link.y + aside[1])]
        assert all(min(math.dist(end, point) for point in reached) < 0.2 for end in ends)


def test_the_longest_trail_is_outlined() -> None:
    rims = pieces(last_scene("a1 a2 / k6 k7 / a3 a5 / k9 k11"), "rim:")

    assert rims.keys() == {"a1", "a2", "a3", "a1-a2", "a2-a3", "k6", "k7", "k6-k7"}
    assert (rims["a1"].symbol, rims["k6"].symbol, rims["a1-a2"].symbol) == ("rim-round", "rim-square", "rim-link")


def test_equally_long_trails_are_all_outlined_but_single_ants_are_not() -> None:
    assert pieces(last_scene("a1 a2 / k6 k7 / a4 a5 /"), "rim:").keys() >= {"a1-a2", "a4-a5", "k6-k7"}
    assert pieces(last_scene("a1 a3"), "rim:") == {}


def test_outline_is_drawn_beneath_the_trail() -> None:
    drawn = last_scene("a1 a2")
    order = [piece.id for piece in drawn.pieces if piece.id[:3] in ("rim", "lin", "ant")]

    assert order == ["rim:a1", "rim:a1-a2", "rim:a2", "link:a1-a2", "ant:a1", "ant:a2"]


# Tiles


def test_tile_keeps_its_piece_id_and_shrinks_when_carried() -> None:
    lying, carried = pieces(last_scene(""), "tile:")["02"], pieces(last_scene("a1 b2 c3>b2"), "tile:")["02"]

    assert (lying.text, lying.size, (lying.x, lying.y)) == ("3", LYING, place("c3"))
    assert (carried.text, carried.size, (carried.x, carried.y)) == ("3", CARRIED, place("b2"))
    assert lying.layer == carried.layer > pieces(last_scene("a1"), "ant:")["a1"].layer
    assert (str(lying.title), str(carried.title)) == ("Tile of 3 at c3", "Tile of 3 carried at b2")


def test_numbers_on_light_tiles_are_dark() -> None:
    assert all("light" in tile.classes for tile in pieces(last_scene("a1 b2 c3>b2"), "tile:").values())


def test_a_collected_tile_goes_from_the_board_to_the_tray() -> None:
    drawn = last_scene(f"{CARRYING} b2>a1")

    assert "02" not in pieces(drawn, "tile:")
    assert [(piece.id, piece.text) for piece in drawn.trays[0].pieces] == [("ant", ""), ("tile:02", "3")]


# Traces


def test_a_placed_ant_is_framed() -> None:
    (frame,) = last_scene("a1 b2").traces

    assert frame.kind == "frame"
    assert middle(frame) == place("b2")


def test_path_of_a_tile_is_curved_and_ends_in_a_frame() -> None:
    path, frame = last_scene("a1 b2 c3>b2").traces

    assert (path.kind, path.pieces) == ("path", ("tile:02",))
    assert (path.points[0], path.points[-1]) == (place("c3"), place("b2"))
    assert BAND + 3 < math.dist(path.points[4], middle_of(place("c3"), place("b2"))) < PITCH / 2
    assert middle(frame) == place("b2")


@pytest.mark.parametrize("tokens", ["", "a1 a2 /", "a1 resign:B", "draw"])
def test_start_end_of_turn_and_leaving_draw_no_traces(tokens: str) -> None:
    assert last_scene(tokens).traces == ()


def middle(frame: Trace) -> tuple[float, float]:
    xs, ys = zip(*frame.points, strict=True)
    return round((min(xs) + max(xs)) / 2, 1), round((min(ys) + max(ys)) / 2, 1)


def middle_of(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


# Captions


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ("", "Twelve bonus tiles lie on the board. Black begins."),
        ("a1", "Black begins a trail at a1."),
        ("a1 a2 / k6 k7", "Red lengthens a trail to 2 ants at k7."),
        ("a1 a3 / k6 k7 / a2", "Black joins two trails at a2, now one of 3 ants."),
        (RING, "Black closes a loop of 6 ants at c6."),
        ("a1 a2 / k6 k7 / b2", "Black closes a loop of 3 ants at b2."),
        ("a1 b2 c3>b2", "Black picks up the tile of 3 at c3 with the ant at b2."),
        ("a1 a4 b5>a4", "Black picks up the tile of 2 at b5 with the ant at a4, and collects it."),
        (f"{CARRYING} b2>a1", "Black carries the tile of 3 from b2 to a1 and collects it."),
        ("a1 b2 / k6 k7 / b3 b4 b5>b4 / k8 k9 / a6 b7 b4>b3", "Black carries the tile of 2 from b4 to b3."),
        ("a1 a2 /", "Black ends the turn."),
        ("a1 timeout:B", "Black runs out of time. The game is over: Red wins."),
        ("a1 a2 / resign:R", "Red resigns. The game is over: Black wins."),
        ("a1 draw", "Both players agree to a draw. The game is over: a draw."),
    ],
)
def test_caption_describes_the_action(tokens: str, said: str) -> None:
    assert str(last_scene(tokens).caption) == said


@pytest.mark.parametrize(
    ("black", "red", "tokens", "said"),
    [
        ("a1", "k6 k7", "pass", "Black can place no ant and passes."),
        ("a1", "k6 k7", "pass pass", "Red can place no ant and passes. The game is over: Red wins 2 to 1."),
        ("a1 a2", "k6", "pass pass", "Red can place no ant and passes. The game is over: Black wins 2 to 1."),
        ("a1 a2", "k6 k7", "pass pass", "Red can place no ant and passes. The game is over: a draw, 2 to 2."),
    ],
)
def test_caption_describes_passing_and_the_end_of_the_game(black: str, red: str, tokens: str, said: str) -> None:
    assert str(last_scene(tokens, packed(black, red)).caption) == said


def test_caption_mentions_missing_room_for_a_second_ant() -> None:
    said = str(last_scene("a3", packed("a1", "k6", free="a3")).caption)

    assert said == "Black begins a trail at a3. There is no room for a second ant."


# Trays


def test_a_tray_counts_the_trail_the_tiles_and_the_score() -> None:
    tray = last_scene(f"{CARRYING} b2>a1").trays[0]

    assert [(count.key, count.value) for count in tray.counts] == [("trail", 2), ("tiles", 3), ("score", 5)]
    assert [mark.key for mark in tray.marks if mark.shown] == ["turn"]
    assert str(tray.said) == "Black: longest trail 2, tiles 3, score 5; to act."


def test_tray_shows_who_passed_and_the_final_place() -> None:
    passed, over = last_scene("pass", packed("a1", "k6 k7")), last_scene("pass pass", packed("a1", "k6 k7"))

    assert [[mark.key for mark in tray.marks if mark.shown] for tray in passed.trays] == [["passed"], ["turn"]]
    assert [tray.place for tray in over.trays] == [2, 1]
    assert str(over.trays[1].said) == "Red: longest trail 2, tiles 0, score 2; passed; place 1."


def test_tray_shows_which_player_left() -> None:
    trays = last_scene("a1 a2 / resign:R").trays

    assert [[mark.key for mark in tray.marks if mark.shown] for tray in trays] == [[], ["left"]]


@pytest.mark.parametrize("count", range(13))
def test_collected_tiles_fit_in_the_tray_without_hiding_their_points(count: int) -> None:
    tray = scene.scene(start()._replace(collected=(tuple(range(count)), ()))).trays[0]
    tiles = [piece for piece in tray.pieces if piece.symbol == "tile"]

    assert len(tiles) == count
    assert all(16 * tile.size <= tile.x <= tray.box.width - 15 * tile.size for tile in tiles)
    assert all(math.dist((a.x, a.y), (b.x, b.y)) > 20 * max(a.size, b.size) for a in tiles for b in tiles if a is not b)


# Whole games


@pytest.fixture(scope="module", params=["collector", "builder,hermit"])
def scenes(request: pytest.FixtureRequest) -> list[Scene]:
    played = game(request.param, 5)
    return film(ANT_TRAILS, played.states, played.tokens)


def test_piece_ids_are_unique(scenes: list[Scene]) -> None:
    assert all(len({piece.id for piece in drawn.pieces}) == len(drawn.pieces) for drawn in scenes)


def test_every_trail_is_drawn_as_one_connected_band(scenes: list[Scene]) -> None:
    for drawn in scenes:
        ants = pieces(drawn, "ant:")
        of_red = {name for name, ant in ants.items() if "seat-red" in ant.classes}
        red = sum(1 << NAMES.index(name) for name in of_red)
        joined = [link for link in pieces(drawn, "link:").values() if "seat-red" in link.classes]
        loops = sum(all((trail & near(ant)).bit_count() == 2 for ant in members(trail)) for trail in trails(red))
        assert len(joined) == len(of_red) - len(trails(red)) + loops


def near(cell: int) -> int:
    return sum(1 << other for other in NEIGHBOURS[cell])


def test_applying_all_frames_gives_every_scene(scenes: list[Scene]) -> None:
    state: dict[str, Any] = {}
    for drawn, frame in zip(scenes, frames(scenes), strict=True):
        state = folded(state, frame)
        assert state["pieces"] == [piece_json(piece) for piece in drawn.pieces], drawn.token
        assert state["trays"] == [tray_json(tray) for tray in drawn.trays]
        assert "\n".join(state["lines"]) == str(drawn.text)


def test_svg_defines_every_symbol_it_uses_and_has_no_styles(scenes: list[Scene]) -> None:
    whole = fromstring(svg(scenes[-1], union(scenes), live=True))
    parts = list(whole.iter())
    drawn = {part.get("id") for part in parts}

    assert {use.get("href", "")[1:] for use in parts if "href" in use.attrib} <= drawn
    assert not [part for part in parts if "style" in part.attrib or part.tag.endswith(("style", "script"))]


def test_the_board_never_shifts(scenes: list[Scene]) -> None:
    assert {drawn.box for drawn in scenes} == {BOX}


def test_text_board_is_ascii_and_at_most_a_hundred_columns_wide(scenes: list[Scene]) -> None:
    assert all(line.isascii() and len(line) <= 100 for drawn in scenes for line in str(drawn.text).split("\n"))


def test_captions_are_sentences(scenes: list[Scene]) -> None:
    assert all(re.fullmatch(r"[A-Z].+\.", str(drawn.caption)) for drawn in scenes)


# The text board

SMALL = r"""
            k   R   :   :   :   :   :
               /
          j   R   1   .   .   2   .   :

        i   :   .   .   3   .   .   .   :

      h   :   3   .   .   .   .   1   .   :

    g   :   .   .   .   .   2   .   .   .   :

  f   :   .   .   .   1   .   .   .   .   .   :
                                                11
    e   :   2   .   .   .   .   .   3   .   :
                                              10
      d   :   .   .   .   .   1   .   .   :
                                            9
        c   :   .   .   .   .   .   .   :
                                          8
          b   :   B---B3  .   .   .   :
                 /                      7
            a   B   :   :   B   :   :
                  1   2   3   4   5   6

Pair 2, tiles: B moves tiles.
B: longest trail 3, tiles collected: 2, score 5
R: longest trail 2, tiles collected: none, score 2
Moved in this turn: b3
B black ant, R red ant, 3 tile of 3 points, B3 black ant with one, : border, . grass.
"""


def test_position_is_drawn_as_text() -> None:
    assert scene.picture(after("a1 b2 / k6 j5 / b3 a4 c3>b3 b5>a4")) == SMALL[1:-1]


def test_text_board_draws_bands_in_both_upward_directions() -> None:
    rows = scene.picture(after("a3 b3 / k6 k7 / b4")).split("\n")[18:21]

    assert [row.rstrip() for row in rows] == BANDS[1:-1].split("\n")


BANDS = r"""
          b   :   .   B---B   2   .   :
                       \ /              7
            a   :   :   B   :   :   :
"""


def test_text_board_shows_the_final_places() -> None:
    assert "Pair 1, over: B 2, R 1." in scene.picture(after("a1 resign:B"))
