"""Legality in Ant Trails, and the message for each rejected action."""

import pytest

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.ant_trails.state import describe
from engine.ruleset import TagError
from tests.engine.ant_trails.table import CARRYING, RING, TAGS, TILES, after, crowded, legal, packed, refusal, start

ROW = "a3 a4 / k6 k7 / a5 a1 b5>a4 / k8 k9 / b1 b7"
"""Black's trail a3 a4 a5 has both ends on the border and a tile in the middle."""
INNER = "a3 b4 b5>b4 / k6 k7 / a2 b2"
"""Neither end of black's trail b4 a3 a2 b2 is on the border, and b4 holds a tile."""

# Setup


@pytest.mark.parametrize(
    ("change", "rule", "sentence"),
    [
        (("b5=2", "a9=2"), "TRAILS-BOARD-1", "a9 in Setup is not on the board."),
        (("b5=2", "a5=2"), "TRAILS-SETUP-1", "Setup has a tile on a5, which is on the border."),
        (("b5=2", "b2=2"), "TRAILS-SETUP-1", "Setup has another tile next to the one on b2."),
        (("b5=2", "b3=2"), "TRAILS-SETUP-1", "Setup has another tile next to the one on b3."),
        (("b5=2", "c3=2"), "TRAILS-SETUP-1", "Setup has two tiles on c3."),
        (("b5=2 c3=3", "c3=3 b5=2"), "TRAILS-SETUP-1",
         "The tile on b5 is out of order: tiles are listed by row, then by number."),
        (("f5=1 g7=2", "f10=1 f5=2"), "TRAILS-SETUP-1",
         "The tile on f5 is out of order: tiles are listed by row, then by number."),
        (("b5=2", "b5=1"), "TRAILS-SETUP-1", "Setup must have four tiles worth 3, four worth 2 and four worth 1."),
        (("b5=2", "b5=0"), "TRAILS-SETUP-1", "Setup must have four tiles worth 3, four worth 2 and four worth 1."),
        (("b5=2 ", ""), "TRAILS-SETUP-1", "Setup must have four tiles worth 3, four worth 2 and four worth 1."),
        (("h9=1", "h7=1 h9=1"), "TRAILS-SETUP-1", "Setup has another tile next to the one on g7."),
        (("i7=3", "h11=3 i7=3"), "TRAILS-SETUP-1", "Setup has a tile on h11, which is on the border."),
        (("e2=2", "d4=1 e2=2"), "TRAILS-SETUP-1", "Setup has another tile next to the one on c3."),
        (("e2=2", "d3=1 e2=2"), "TRAILS-SETUP-1", "Setup has another tile next to the one on c3."),
        (("f5=1", "f5=1 f9=1"), "TRAILS-SETUP-1", "Setup has another tile next to the one on e8."),
        (("j9=2", "j9=2 k11=1"), "TRAILS-SETUP-1", "Setup has a tile on k11, which is on the border."),
    ],
)  # fmt: skip
def test_impossible_setup_is_rejected(change: tuple[str, str], rule: str, sentence: str) -> None:
    with pytest.raises(TagError) as refused:
        ANT_TRAILS.initial({**TAGS, "Setup": TILES.replace(*change)})
    assert (refused.value.tag, refused.value.rule, str(refused.value)) == ("Setup", rule, sentence)


@pytest.mark.parametrize("change", [("b5", "b4"), ("b5", "b6"), ("f5=1 g7=2", "f5=1 f10=2"), ("j9", "j10")])
def test_borderline_setup_is_accepted(change: tuple[str, str]) -> None:
    setup = TILES.replace(*change)

    assert describe(ANT_TRAILS.initial({**TAGS, "Setup": setup}))["tiles"].keys() == {
        word.partition("=")[0] for word in setup.split()
    }


def test_black_begins_on_an_empty_board() -> None:
    state = describe(start())

    assert (state["turn"], state["phase"], state["pair"], state["placed"]) == ("B", "place", 1, 0)
    assert state["ants"] == {"B": [], "R": []}
    assert sorted(state["tiles"].values()) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]


# Rejections


@pytest.mark.parametrize(
    ("before", "token", "rule", "sentence"),
    [
        ("", "a7", "TRAILS-BOARD-1", "a7 is not on the board."),
        ("", "k5", "TRAILS-BOARD-1", "k5 is not on the board."),
        ("a1 a2", "a6>a7", "TRAILS-BOARD-1", "a7 is not on the board."),
        ("a1 a2", "a7>a6", "TRAILS-BOARD-1", "a7 is not on the board."),
        ("", "/", "TRAILS-TURN-2", "A turn cannot end before all its ants are placed."),
        ("a1", "/", "TRAILS-TURN-2", "A turn cannot end before all its ants are placed."),
        ("a4", "b5>a4", "TRAILS-TURN-2", "Tiles cannot move before all ants of the turn are placed."),
        ("a1 a2", "a3", "TRAILS-TURN-2", "All ants of this turn are already placed."),
        ("a1 a4 b5>a4 / k6 k7", "k8", "TRAILS-TURN-2", "All ants of this turn are already placed."),
        ("", "pass", "TRAILS-PASS-1", "A player can pass only when no ant can be placed."),
        ("a1 a2 /", "pass", "TRAILS-PASS-1", "A player can pass only when no ant can be placed."),
        ("a1", "pass", "TRAILS-PASS-1", "An ant was placed this turn, so it ends with /, not with pass."),
        ("a1 a2", "pass", "TRAILS-PASS-1", "An ant was placed this turn, so it ends with /, not with pass."),
        ("a1", "a1", "TRAILS-PLACE-1", "There is already an ant on a1."),
        ("a1 a2 /", "a1", "TRAILS-PLACE-1", "There is already an ant on a1."),
        ("a5", "b5", "TRAILS-PLACE-1", "An ant needs an empty cell; there is a bonus tile on b5."),
        ("", "c5", "TRAILS-PLACE-2", "c5 is neither on the border nor next to an ant of the same colour."),
        ("a1 a2 /", "b2", "TRAILS-PLACE-2", "b2 is neither on the border nor next to an ant of the same colour."),
        ("a1 b2 / k6 k7 / b3", "b1", "TRAILS-PLACE-2",
         "b1 is next to the ant on b2, which is not an end of its trail."),
        ("a1 a2 / k6 k7 / a3", "b2", "TRAILS-PLACE-2",
         "b2 is next to the ant on a2, which is not an end of its trail."),
        ("a1 a2 / k6 k7 / b3", "b2", "TRAILS-PLACE-2",
         "b2 is next to more than two ants of the same colour; trails cannot branch."),
        ("a1 a2 / k6 k7 / b2", "a3", "TRAILS-PLACE-2",
         "a3 is next to the ant on a2, which is not an end of its trail."),
        (f"{RING} / k10 k11 /", "c7", "TRAILS-PLACE-2",
         "c7 is next to more than two ants of the same colour; trails cannot branch."),
        (f"{RING} / k10 k11 /", "b5", "TRAILS-PLACE-1", "An ant needs an empty cell; there is a bonus tile on b5."),
        (f"{RING} / k10 k11 /", "a6", "TRAILS-PLACE-2",
         "a6 is next to the ant on b6, which is not an end of its trail."),
        ("a1 a2", "b2>a2", "TRAILS-TILE-1", "There is no tile on b2."),
        ("a1 a2", "a1>a2", "TRAILS-TILE-1", "There is no tile on a1."),
        ("a1 a2", "b5>a2", "TRAILS-TILE-1", "The tile on b5 cannot move to a2: the two cells are not adjacent."),
        ("a4 a5", "b5>b4", "TRAILS-TILE-1",
         "Only an ant of the player to move can pick up a tile; there is none on b4."),
        ("a4 a5 / k6 k7", "b5>a5", "TRAILS-TILE-1",
         "Only an ant of the player to move can pick up a tile; there is none on a5."),
        ("a3 b4 b5>b4 / a4 a5", "b4>a4", "TRAILS-TILE-1", "The tile on b4 is carried by an ant of the other colour."),
        (CARRYING, "b2>b3", "TRAILS-TILE-2",
         "The tile on b2 can move only to an adjacent ant of the same colour, not to b3."),
        (CARRYING, "b2>k9", "TRAILS-TILE-2",
         "The tile on b2 can move only to an adjacent ant of the same colour, not to k9."),
        ("a1 b2 c3>b2 / k6 k7 / b3 a6", "b2>b3", "TRAILS-TILE-2",
         "From b2 towards b3 the trail ends at b3, which is not on the border."),
        (INNER, "b4>a3", "TRAILS-TILE-2", "From b4 towards a3 the trail ends at b2, which is not on the border."),
        ("a1 b2 c3>b2 / k6 k7 / b1 a6", "b2>a1", "TRAILS-TILE-2",
         "The trail at b2 is a loop; tiles cannot be carried along a loop."),
        (f"{RING} d6>d7 / k10 k11 / a1 a2", "d7>c6", "TRAILS-TILE-2",
         "The trail at d7 is a loop; tiles cannot be carried along a loop."),
        ("a1 b2 c3>b2", "b2>a1", "TRAILS-TILE-3", "The tile on b2 has already moved this turn."),
        ("a1 b2 / k6 k7 / b3 b4 b5>b4 c3>b3 / k8 k9 / a6 b7", "b4>b3", "TRAILS-TILE-3",
         "The ant on b3 is already carrying a tile."),
        ("a1 b2 / k6 k7 / b3 b4 b5>b4 / k8 k9 / a6 b7", "c3>b4", "TRAILS-TILE-1",
         "The tile on c3 cannot move to b4: the two cells are not adjacent."),
    ],
)  # fmt: skip
def test_illegal_action_is_rejected_with_its_rule_and_reason(before: str, token: str, rule: str, sentence: str) -> None:
    assert refusal(token, after(before)) == (rule, sentence)


@pytest.mark.parametrize("token", ["/", "a1>b1"])
def test_player_without_a_placement_can_only_pass(token: str) -> None:
    state = crowded("", black="a1 b1")

    assert refusal(token, state) == ("TRAILS-PASS-1", "No ant can be placed, so the whole turn is pass.")
    assert refusal("a2", state) == ("TRAILS-PLACE-1", "There is already an ant on a2.")
    assert legal(state) == ["pass"]


# Borderline cases that are legal


def test_first_ant_may_only_be_placed_on_the_border() -> None:
    assert len(legal(start())) == 30
    assert "f11" in legal(start())
    assert "f10" not in legal(start())


def test_ants_of_the_other_colour_do_not_matter() -> None:
    state = after("a2 b3 / a1 b2 / c4 k6")

    assert describe(after("/ b1", state))["longest"] == {"B": 3, "R": 3}


def test_three_ants_side_by_side_are_a_loop() -> None:
    state = after("a1 a2 / k6 k7 / b2")

    assert describe(state)["longest"]["B"] == 3
    assert not {"b1", "a3", "b3"} & set(legal(state))


def test_one_ant_joins_two_trails() -> None:
    state = after("a1 a3 / k6 k7 / a2")

    assert describe(state)["longest"]["B"] == 3


def test_a_loop_closes_around_a_cell() -> None:
    assert describe(after(RING))["longest"]["B"] == 6


def test_a_cell_from_which_a_tile_was_taken_is_empty() -> None:
    state = after("a4 a1 b5>a4 / k6 k7 /")

    assert "b5" in legal(state)


def test_turn_has_one_ant_when_a_second_does_not_fit() -> None:
    state = after("a1", crowded("a1", tile="b2"))

    assert (state.phase, state.placed) == ("tiles", 1)
    assert legal(state) == ["b2>a1", "/"]


def test_tile_that_frees_a_cell_does_not_allow_a_second_ant() -> None:
    state = after("a1 b2>a1", crowded("a1", tile="b2"))

    assert refusal("b2", state) == ("TRAILS-TURN-2", "All ants of this turn are already placed.")
    assert legal(state) == ["/"]


# Tiles


def test_an_ant_picks_a_tile_up_and_carries_it_in_the_next_turn() -> None:
    picked, carried = after("a1 b2 c3>b2"), after(f"{CARRYING} b2>a1")

    assert (describe(picked)["tiles"].get("b2"), describe(picked)["moved"]) == (3, ["b2"])
    assert describe(carried)["collected"] == {"B": [3], "R": []}


def test_tile_between_two_border_ends_may_move_either_way() -> None:
    assert [token for token in legal(after(ROW)) if token.startswith("a4")] == ["a4>a3", "a4>a5"]


def test_trail_without_a_border_end_can_pick_up_a_tile() -> None:
    assert legal(after(INNER)) == ["c3>b2", "/"]


def test_loop_can_pick_up_tiles() -> None:
    assert legal(after(RING)) == ["b5>b6", "b5>c6", "d6>c6", "d6>d7", "e8>d7", "e8>d8", "/"]


def test_a_tile_takes_the_place_that_another_has_just_left() -> None:
    before = "a1 b2 / k6 k7 / b3 b4 b5>b4 c3>b3 / k8 k9 / a6 b7"
    state = after(f"{before} b3>b2 b4>b3")

    assert describe(state)["moved"] == ["b2", "b3"]


def test_border_cell_inside_a_trail_does_not_collect_tiles() -> None:
    state = after("a3 a4 / k6 k7 / a5 a1 b5>a4")

    assert describe(state)["tiles"]["a4"] == 2
    assert describe(state)["collected"]["B"] == []


def test_inner_end_of_a_trail_does_not_collect_tiles() -> None:
    assert describe(after("a3 b4 b5>b4"))["tiles"]["b4"] == 2


def test_single_ant_on_the_border_collects_the_tile_it_picks_up() -> None:
    state = after("a4 a1 b5>a4")

    assert describe(state)["collected"]["B"] == [2]
    assert describe(state)["moved"] == []


# Turns and the end


def test_pair_number_increases_when_black_moves_again() -> None:
    turns = ["a1 a2", "a1 a2 /", "a1 a2 / k6 k7", "a1 a2 / k6 k7 /"]

    assert [after(tokens).pair for tokens in turns] == [1, 1, 1, 2]


def test_two_passes_in_a_row_end_the_game() -> None:
    state = after("pass", crowded("", black="a1 a3")._replace(pair=40))
    over = after("pass", state)

    assert (describe(state)["turn"], describe(state)["passes"]) == ("R", 1)
    assert (describe(over)["phase"], describe(over)["turn"], describe(over)["pair"]) == ("over", None, 40)
    assert ANT_TRAILS.outcome(over) is not None


def test_pass_followed_by_a_placement_does_not_end_the_game() -> None:
    """Red has one free cell next to its ants; at the end there is none for anyone."""
    state = packed("a1", "k6 k7", free="j6")

    assert [after(tokens, state).passes for tokens in ("pass", "pass j6", "pass j6 / pass")] == [1, 0, 1]
    assert legal(after("pass j6 / pass", state)) == ["pass"]


@pytest.mark.parametrize(
    ("black", "red", "collected", "places"),
    [
        ("a1 a2 a3", "k6 k7", ("", ""), (1, 2)),
        ("a1 a2", "k6 k7 k9 k10 k11", ("", ""), (2, 1)),
        ("a1 a2 a3", "k6 k7", ("", "1"), (1, 1)),
        ("a1 a2 a3", "k6 k7", ("", "2"), (2, 1)),
        ("a1 a2 a3 c6", "k6 k7", ("32", "132"), (1, 1)),
        ("a1 a2 a4 a5", "k6 k7 k9", ("", ""), (1, 1)),
        ("a1 a2 b2", "k6 k7", ("", ""), (1, 2)),
    ],
)
def test_the_longest_trail_and_the_tiles_decide(
    black: str, red: str, collected: tuple[str, str], places: tuple[int, int]
) -> None:
    of_points = {"2": 0, "3": 1, "1": 2}
    tiles = tuple(of_points[points] for points in collected[0]), tuple(of_points[points] for points in collected[1])
    outcome = ANT_TRAILS.outcome(after("pass pass", packed(black, red)._replace(collected=tiles)))

    assert outcome is not None
    assert (outcome.placements, outcome.rule) == (places, "TRAILS-END-1")


@pytest.mark.parametrize(
    ("tokens", "places", "rule"),
    [
        ("resign:B", (2, 1), "AGN-ADMIN-1"),
        ("a1 timeout:B", (2, 1), "AGN-ADMIN-1"),
        ("a1 a2 / resign:R", (1, 2), "AGN-ADMIN-1"),
        ("a1 a2 / k6 k7 draw", (1, 1), "AGN-ADMIN-2"),
        ("draw", (1, 1), "AGN-ADMIN-2"),
    ],
)
def test_resignation_timeout_or_agreed_draw_ends_the_game(tokens: str, places: tuple[int, int], rule: str) -> None:
    outcome = ANT_TRAILS.outcome(after(tokens))

    assert outcome is not None
    assert (outcome.placements, outcome.rule) == (places, rule)


def test_finished_game_has_no_turn_in_progress() -> None:
    state = describe(after("a1 b2 c3>b2 resign:B"))

    assert (state["placed"], state["moved"], state["phase"], state["turn"]) == (0, [], "over", None)
