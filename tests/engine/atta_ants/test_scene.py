"""The picture of a position of Atta Ants: cards, crowds, traces, captions and the text board."""

import math
import re
from itertools import combinations, pairwise

import pytest

from engine.agn.administrative import LEAVING
from engine.atta_ants import rules, scene
from engine.atta_ants.board import CARDS, NOWHERE, SIDES, Card, lay
from engine.atta_ants.notation import parse_action
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.atta_ants.scene.drawings import HALF, HOME_HEIGHT, HOME_WIDTH, symbol_of
from engine.atta_ants.scene.layout import crowd
from engine.atta_ants.state import State
from engine.scene import Piece, Scene, Trace, film
from engine.scene.drawing import ANT_MIDDLE, ANT_REACH, SMALL_ANT_MIDDLE, SMALL_ANT_REACH

ONLINE = ATTA_ANTS[0]
RING = "NESW NESW* NESW NESW* NESW* NESW NESW NESW#"
MEAL = "NESW@2,0 R1:E R2:S / Y1:E Y2:W /"
CHOICE = "NESW@2,0 R1:NW R2:WN / Y1:E Y2:W / S1:W"
HOME = "NESW@2,0 R1:N+ R2:W / Y1:W Y2:W / NESW@3,0 / R1:S"


def opening(seats: str = "R Y", ring: str = RING) -> State:
    return ONLINE.initial({"Seats": seats, "Setup": ring})


def states(*tokens: str, seats: str = "R Y", ring: str = RING) -> list[State]:
    played = [opening(seats, ring)]
    for token in tokens:
        played.append(_after(played[-1], token))
    return played


def _after(state: State, token: str) -> State:
    if token == "draw":
        return rules.agree_draw(state)
    if token.startswith(("resign", "timeout")):
        return rules.leave(state, token[-1], LEAVING[token[:-2]])
    return rules.apply(state, parse_action(token))


def last_scene(*tokens: str, seats: str = "R Y", ring: str = RING) -> Scene:
    return film(ONLINE, states(*tokens, seats=seats, ring=ring), tokens)[-1]


def piece(drawn: Scene, name: str) -> Piece:
    return next(piece for piece in drawn.pieces if piece.id == name)


def gathered(count: int, seats: str = "R Y O B") -> State:
    """Return some ants on the card north of the nest, all carrying leaves, with the others at home."""
    start = opening(seats)
    slot = start.board.slot_at((0, 1))
    ants = tuple(slot if ant < count else NOWHERE for ant in range(len(start.ants)))
    return start._replace(ants=ants, laden=(1 << count) - 1)


# Cards


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_every_card_is_drawn_with_trails_only_to_its_open_sides(card: Card) -> None:
    drawing = scene.draw(symbol_of(card, (0, 0)))
    courses = [part.get("d", "") for part in drawing.iter() if part.get("class") == "trail"]
    mouths = {(0, -HALF): "N", (HALF, 0): "E", (0, HALF): "S", (-HALF, 0): "W"}
    reached = {side for course in courses for middle, side in mouths.items() if _opens_at(course, middle)}
    assert reached == {side for number, side in enumerate(SIDES) if card.edges >> number & 1}


def _opens_at(course: str, middle: tuple[float, float]) -> bool:
    """Return whether both edges of a trail's opening, 9.5 from the middle of a side, are points of a curve."""
    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", course)]
    points = set(pairwise(numbers))
    x, y = middle
    along = (0, 9.5) if x else (9.5, 0)
    return {(x - along[0], y - along[1]), (x + along[0], y + along[1])} <= points


def test_every_card_has_its_own_url_safe_symbol() -> None:
    names = {symbol_of(card, (0, 0)) for card in CARDS.values()}
    assert len(names) == 156
    assert all(re.fullmatch(r"[A-Za-z0-9-]+", name) for name in names)


def test_a_bridge_passes_over_a_gap_in_the_trail_beneath() -> None:
    parts = [part.get("class") for part in scene.draw("card-NS-EW-0")]
    assert parts[-5:] == ["trail", "trail-edge", "grass", "trail", "trail-edge"]


def test_neighbouring_cards_have_different_grass_that_never_changes() -> None:
    card = CARDS["NESW"]
    names = [symbol_of(card, (x, 0)) for x in range(4)]
    assert all(a != b for a, b in pairwise(names))
    assert names == [symbol_of(card, (x, 0)) for x in range(4)]


def test_drawing_an_unknown_symbol_fails() -> None:
    with pytest.raises(KeyError, match="queen"):
        scene.draw("queen-0")


# Crowds


@pytest.mark.parametrize("count", range(1, 25))
def test_crowd_layout_keeps_ants_apart_and_on_their_card(count: int) -> None:
    reach, middles = crowd(count)
    assert all(math.dist(a, b) >= 2 * reach - 1e-6 for a, b in combinations(middles[:count], 2))
    assert all(abs(x) + reach <= HALF + 1e-6 and abs(y) + reach <= HALF + 1e-6 for x, y in middles[:count])


@pytest.mark.parametrize("count", [1, 2, 5, 8, 13, 24])
def test_ants_drawn_on_one_card_do_not_cover_each_other(count: int) -> None:
    ants = [piece for piece in scene.scene(gathered(count)).pieces if "ant" in piece.classes]
    circles = [_circle(ant) for ant in ants]
    assert len(circles) == count
    assert all(math.dist(a, b) >= r + s - 0.5 for (a, r), (b, s) in combinations(circles, 2))


def _circle(ant: Piece) -> tuple[tuple[float, float], float]:
    """Return the circle around an ant and its leaf."""
    small = ant.symbol == "ant-small"
    ahead, reach = (SMALL_ANT_MIDDLE, SMALL_ANT_REACH) if small else (ANT_MIDDLE, ANT_REACH)
    angle = math.radians(ant.turn)
    return (ant.x + math.sin(angle) * ahead * ant.size, ant.y - math.cos(angle) * ahead * ant.size), reach * ant.size


@pytest.mark.parametrize(
    ("name", "ahead", "reach"), [("ant", ANT_MIDDLE, ANT_REACH), ("ant-small", SMALL_ANT_MIDDLE, SMALL_ANT_REACH)]
)
def test_drawing_of_an_ant_fits_inside_its_circle(name: str, ahead: float, reach: float) -> None:
    (limbs,) = (part.get("d", "") for part in scene.draw(name).iter() if part.get("class") == "limb")
    tips = [tuple(map(float, re.findall(r"-?\d*\.?\d+", limb)[-2:])) for limb in limbs.split("M")[1:]]
    assert {(-x, y) for x, y in tips} == set(tips)
    assert all(math.dist(tip, (0, -ahead)) <= reach for tip in tips)


def test_ants_in_the_nest_stay_put_while_others_leave_it() -> None:
    full, fewer = film(ONLINE, states("NESW@2,0", "R1:N", seats="R Y O B"), ["NESW@2,0", "R1:N"])[1:]
    others = ["R2", "Y1", "Y2", "O1", "O2", "B1", "B2"]
    assert [piece(full, ant) for ant in others] == [piece(fewer, ant) for ant in others]


def test_ants_in_the_nest_have_a_corner_for_each_colony_and_do_not_cover_each_other() -> None:
    ants = [piece for piece in scene.scene(opening("R Y O B")).pieces if "ant" in piece.classes]
    corners = {(ant.name[0], ant.x > 0, ant.y > 0) for ant in ants}
    assert corners == {("R", False, False), ("Y", True, False), ("O", True, True), ("B", False, True)}
    assert all(abs(ant.x) + HOME_WIDTH / 2 <= HALF >= abs(ant.y) + HOME_HEIGHT / 2 for ant in ants)
    apart = (abs(a.x - b.x) >= HOME_WIDTH or abs(a.y - b.y) >= HOME_HEIGHT for a, b in combinations(ants, 2))
    assert all(apart)


# Pieces


def test_ant_shows_its_number_colony_and_leaf() -> None:
    drawn = last_scene("NESW@2,0", "R1:N+")
    ant, leaf = piece(drawn, "R1"), piece(drawn, "leaf:R1")
    assert (ant.text, ant.name, ant.classes, str(ant.title)) == (
        "1",
        "R1",
        ("ant", "seat-red", "laden"),
        "Ant R1 with a leaf",
    )
    assert (leaf.x, leaf.y, leaf.turn, leaf.size) == (ant.x, ant.y, ant.turn, ant.size)


def test_ant_keeps_facing_the_way_it_walked() -> None:
    drawn = last_scene("NESW@2,0", "R1:NE", "R2:W", "/", "Y1:S", "Y2:W")
    assert [piece(drawn, ant).turn for ant in ("R1", "R2", "Y1")] == [90, 270, 180]


def test_more_than_two_leaves_are_shown_as_a_number() -> None:
    start = opening()
    many = tuple(5 if count else 0 for count in start.leaves)
    leaves = [piece for piece in scene.scene(start._replace(leaves=many)).pieces if piece.id.startswith("leaf:1,0")]
    assert [(leaf.id, leaf.text) for leaf in leaves] == [
        ("leaf:1,0:1", ""),
        ("leaf:1,0:2", ""),
        ("leaf:1,0:count", "5"),
    ]
    assert str(leaves[0].title) == "5 leaves lie at 1,0"


def test_spiders_that_share_a_card_stand_side_by_side() -> None:
    drawn = scene.scene(opening()._replace(spiders=(3, 3)))
    first, second = piece(drawn, "S1"), piece(drawn, "S2")
    assert (first.text, second.text) == ("1", "2")
    assert math.dist((first.x, first.y), (second.x, second.y)) > 50


def test_piece_ids_are_unique_and_stable_between_scenes() -> None:
    tokens = ["EW@2,0", "R1:N+", "R2:S"]
    drawn = film(ONLINE, states(*tokens), tokens)
    ids = [[piece.id for piece in scene.pieces] for scene in drawn]
    assert all(len(set(of_one)) == len(of_one) for of_one in ids)
    assert {"nest", "card:2,0", "card:-1,1", "R1", "Y2", "S1", "leaf:R1", "leaf:0,1:1"} <= set(ids[-1])
    assert set(ids[2]) == set(ids[3])


# Traces


def test_a_laid_card_is_framed() -> None:
    (frame,) = last_scene("NESW@2,0").traces
    assert frame.kind == "frame"
    assert _middle(frame) == (200, 0)


def test_walk_draws_its_path_and_a_frame_at_the_end() -> None:
    path, frame = last_scene("NESW@0,2", "R1:NN").traces
    assert path == Trace(
        "path", ((0, 0), (0, -50), (0, -75), (0, -100), (0, -125), (0, -150), (0, -200)), ("R1", "leaf:R1")
    )
    assert _middle(frame) == (0, -200)


def test_ant_that_stays_in_place_gets_only_a_frame() -> None:
    (frame,) = last_scene("NESW@2,0", "R1:N", "R2:W", "/", "Y1:W", "Y2:W", "/", "NESW@3,0", "Y1:+").traces
    assert _middle(frame) == (-100, 0)


def test_a_path_bends_with_the_trail() -> None:
    path, _ = last_scene("NESW@2,0", "R1:NE").traces
    assert [path.points[k] for k in (1, 3, 5, 6)] == [(0, -50), (12.5, -87.5), (50, -100), (100, -100)]


def test_spiders_draw_their_paths_and_frames_where_they_ate() -> None:
    drawn = last_scene(*MEAL.split())
    path, frame = drawn.traces
    assert path == Trace("path", ((100, 100), (100, 0)), ("S1",))
    assert _middle(frame) == (100, 0)


def test_leaving_player_draws_no_traces() -> None:
    assert last_scene("NESW@2,0", "resign:R", seats="R Y O").traces == ()


def _middle(frame: Trace) -> tuple[float, float]:
    xs, ys = zip(*frame.points, strict=True)
    return round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2)


# Captions


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ("", "Eight cards lie around the nest. Red begins."),
        ("NESW@2,0", "Red lays NESW at 2,0."),
        ("NESW*@2,0", "Red lays NESW* at 2,0. Two leaves lie on it."),
        ("NESW#@2,0", "Red lays NESW# at 2,0. Spider S2 comes into play."),
        ("NESW@2,0 R1:N", "R1 walks north."),
        ("NESW@0,2 R1:NN", "R1 walks north twice."),
        ("NESW@2,0 R1:NE", "R1 walks north then east."),
        ("NESW@2,0 R1:N+W", "R1 walks north, picks up a leaf and walks on west."),
        ("NESW@2,0 R1:N+ R2:S / Y1:NxR1", "Y1 walks north and takes the leaf of R1."),
        ("NESW@2,0 R1:N R2:E /", "Red ends its turn."),
        (CHOICE, "Red sends S1 west. The spider moves. Round 2: Yellow is first player."),
        (MEAL, "Yellow ends its turn. The spider moves: S1 eats R1 and Y1. Round 2: Yellow is first player."),
        (HOME, "R1 walks south and brings its leaf home. R3 comes into play."),
        (HOME.replace("R1:S", "R1:-S"), "R1 puts its leaf down and walks south."),
        (HOME.replace("R1:N+", "R1:N").replace("R1:S", "R1:+S"),
         "R1 picks up a leaf, walks south and brings it home. R3 comes into play."),
        ("NESW@2,0 timeout:R", "Red runs out of time and leaves the game. The game is over: Yellow wins with 2 ants."),
        ("NESW@2,0 resign:R", "Red resigns and leaves the game. The game is over: Yellow wins with 2 ants."),
        ("draw", "Both players agree to a draw. The game is over: a draw."),
    ],
)  # fmt: skip
def test_caption_describes_the_action(tokens: str, said: str) -> None:
    assert str(last_scene(*tokens.split()).caption) == said


def test_caption_mentions_a_card_that_is_set_aside() -> None:
    start = opening()
    aside = rules.apply(start, parse_action("NESW@2,0"))
    caption = scene.caption(start, parse_action(".#@-"), aside)
    assert str(caption) == "Card .# fits nowhere and is set aside."


def test_caption_announces_an_eliminated_colony() -> None:
    said = str(last_scene("NESW@2,0", "R1:N", "R2:W", "/", "Y1:S", "Y2:S", "/").caption)
    assert said == (
        "Yellow ends its turn. The spider moves: S1 eats Y1 and Y2. Yellow has no ant left and is out of the game. "
        "The game is over: Red wins with 2 ants."
    )


def test_caption_names_the_new_first_player() -> None:
    said = str(last_scene("resign:R", seats="R Y O").caption)
    assert said == "Red resigns and leaves the game. Yellow is first player now."


# Trays


def test_tray_counts_ants_and_shows_those_at_home() -> None:
    tray = last_scene(*MEAL.split()).trays[1]
    assert [(count.key, count.value) for count in tray.counts] == [("in-play", 1), ("at-home", 5), ("eaten", 1)]
    assert [piece.text for piece in tray.pieces] == ["1", "", "3", "4", "5", "6"]
    assert [mark.key for mark in tray.marks if mark.shown] == ["turn", "first"]
    assert str(tray.said) == "Yellow: 1 in play, 5 at home, 1 eaten; to act; first player."


def test_tray_shows_the_final_place() -> None:
    red, yellow = last_scene("resign:R").trays
    assert (red.place, yellow.place) == (2, 1)
    assert str(red.said) == "Red: 0 in play, 6 at home, 0 eaten; left the game; place 2."


# The text board

SMALL = """
    .    |    .*    |    ..    |    .
         |         R1*         |
  1 -----+----------+----------+-----
         |          |          |
    .    |    ..    |   L1.    |    .
    *    |    ..    |    .*    |    ..         .
         |        Y1 Y2        |
  0 -----+----------N----------+----------------
         |          |          |
    .    |   L2.    |    ..    |   L2.         .
    .    |    ..    |    .#    |    .
         |         R2         S1
 -1 -----+----------+----------+-----
         |          |          |
    .    |    ..    |    ..    |    .
         -1         0          1          2

Round 1, ants: R to act, R first player, 14 cards in the deck.
R: R1* 0,1  R2 0,-1  (0 eaten)
Y: Y1 0,0  Y2 0,0  (0 eaten)
Spiders: S1 1,-1
N nest, L2 two leaves lie here, R1* ant with a leaf, S1 spider, * # the card’s symbol.
"""


def test_position_is_drawn_as_text() -> None:
    assert scene.picture(states("EW@2,0", "R1:N+", "R2:S")[-1]) == SMALL.strip("\n")


TRAILS = """
    .    |    ..    |    ..    |    .
         |          |
  1 ----. '---------|---------   ----
         |          |
    .    |    ..    |    ..    |    .
    .    |    ..    |    ..    |    .
                    |          |
  0 -----+----------N-----     | ----
         |          |          |
    .    |    ..    |    ..    |    .
    .         ..    |    ..         .
                    |
 -1 ----  .---------'     -----
         |
    .    |    ..         ..         .
         -1         0          1
"""


def test_text_board_connects_only_trails_that_meet() -> None:
    start = opening()
    codes = ["NESW", "NE|SW", "NS|EW", "N|E|S|W", "N|ESW", "NS|E", "ES|W", "NW", "W"]
    board = start.board.with_cards([CARDS[code] for code in codes])
    text = scene.picture(start._replace(board=board, spiders=(), leaves=(0,) * 9, ants=(NOWHERE,) * 12))
    assert text.split("\n\n")[0] == TRAILS.strip("\n")


def test_text_board_shows_a_crowd_as_a_number_and_a_list() -> None:
    text = scene.picture(gathered(24))
    assert "  24 ants" in text.split("\n")[1]
    assert "Y: Y1* 0,1  Y2* 0,1  Y3* 0,1  Y4* 0,1  Y5* 0,1  Y6* 0,1  (0 eaten)" in text


def test_widest_text_board_fits_in_a_hundred_columns() -> None:
    state = opening()
    for x in range(2, 17):
        state = state._replace(board=lay(state.board, (x, 0), CARDS["EW"]), leaves=(*state.leaves, 12))
    lines = scene.picture(state).split("\n")
    assert max(map(len, lines)) <= 100
    assert lines[15].split() == [str(x) for x in range(-1, 17)]
