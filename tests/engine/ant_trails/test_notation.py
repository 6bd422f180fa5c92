"""Notation of cells, tiles and actions of Ant Trails, and what is not accepted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ant_trails.board import BOARD, BORDER, NAMES, NEIGHBOURS, members
from engine.ant_trails.notation import format_action, parse_action, parse_tiles
from engine.ant_trails.state import EndTurn, Pass, Placing, TileMove
from engine.ruleset import MoveSyntaxError, TagError
from tests.engine.ant_trails import referee


@pytest.mark.parametrize(
    ("token", "action"),
    [
        ("/", EndTurn()),
        ("pass", Pass()),
        ("a1", Placing(0)),
        ("b1", Placing(11)),
        ("f11", Placing(65)),
        ("a11", Placing(10)),
        ("b5>a4", TileMove(15, 3)),
        ("k11>a1", TileMove(120, 0)),
    ],
)
def test_action_is_parsed_and_formatted_back(token: str, action: object) -> None:
    assert parse_action(token) == action
    assert format_action(parse_action(token)) == token


@pytest.mark.parametrize(
    "token",
    ["", "//", "a", "1", "a0", "a01", "a12", "l1", "A1", "1a", "a1 ", "a1\n", "a1a2", "a1>", ">a1", "a1>a2>a3", "a1-a2",
     "a1<a2", "a1 > a2", "a1>l2", "a1>a12", "Pass", "passes", "pass/", "a\u0661", "\uff411", "a1>A2"],
)  # fmt: skip
def test_invalid_action_is_rejected(token: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action(token)
    assert (refused.value.rule, str(refused.value)) == ("AGN-MOVE-1", f"{token!r} is not an action of Ant Trails.")


def test_tile_move_to_its_own_cell_is_rejected() -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action("c5>c5")
    assert (refused.value.rule, str(refused.value)) == ("AGN-MOVE-1", "'c5>c5' starts and ends on the same cell.")


@given(st.text("abcdefghijklAB0123456789>/ps", max_size=8))
def test_every_parsable_token_is_formatted_identically(token: str) -> None:
    try:
        action = parse_action(token)
    except MoveSyntaxError:
        return
    assert format_action(action) == token


@pytest.mark.parametrize(
    ("setup", "word"),
    [("", ""), ("b5", "b5"), ("b5=", "b5="), ("b5=2 ", ""), ("b5=2  c3=3", ""), ("b5:2", "b5:2"), ("B5=2", "B5=2"),
     ("b5=2,c3=3", "b5=2,c3=3"), ("b05=2", "b05=2"), ("b12=2", "b12=2"), ("b5=10", "b5=10"), ("b5=-1", "b5=-1")],
)  # fmt: skip
def test_invalid_tile_is_rejected(setup: str, word: str) -> None:
    with pytest.raises(TagError) as refused:
        parse_tiles(setup)
    assert (refused.value.tag, refused.value.rule) == ("Setup", "TRAILS-SETUP-1")
    assert str(refused.value) == f"{word!r} in Setup is not a tile such as d6=3."


# The board


def test_board_cells_match_the_independent_referee() -> None:
    assert [NAMES[cell] for cell in members(BOARD)] == [referee.name(cell) for cell in referee.BOARD]
    assert {NAMES[cell] for cell in members(BORDER)} == {referee.name(cell) for cell in referee.BORDER}
    assert (BOARD.bit_count(), BORDER.bit_count()) == (91, 30)


@pytest.mark.parametrize("cell", referee.BOARD, ids=referee.name)
def test_neighbours_match_the_independent_referee(cell: referee.Cell) -> None:
    around = {NAMES[other] for other in NEIGHBOURS[NAMES.index(referee.name(cell))]}

    assert around == {referee.name(other) for other in referee.BESIDE[cell]}
