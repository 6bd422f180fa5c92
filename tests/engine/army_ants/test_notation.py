"""Notation of the actions of Army Ants, and what is not accepted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.army_ants.board import CELLS, EAST, NORTH, SOUTH
from engine.army_ants.notation import format_action, parse_action, parse_deal
from engine.army_ants.state import Gambit, Pass, attack, march, move_out, swap
from engine.ruleset import MoveSyntaxError
from tests.engine.army_ants.referee import EVERY_TOKEN
from tests.engine.army_ants.table import DEAL

NO_SWAP = "must name two cells in order: west before east or, in one column, south before north."
NO_RUN = "does not name a run: it must be in one row or column, written from its west or south end."
A1, A5, B1, B2, C2, D5 = (CELLS[name] for name in ("a1", "a5", "b1", "b2", "c2", "d5"))


@pytest.mark.parametrize(
    ("token", "action"),
    [
        ("a1~b2", swap(A1, B2)),
        ("a5~b1", swap(A5, B1)),
        ("b2N3", march(B2, B2, NORTH, 3)),
        ("a1-a5E7", march(A1, A5, EAST, 7)),
        ("b2-c2S1", march(B2, C2, SOUTH, 1)),
        ("b2>d5", move_out(B2, D5)),
        ("b2xc2", attack(B2, C2)),
        ("QG", Gambit()),
        ("pass", Pass()),
    ],
)
def test_action_is_parsed_and_formatted_back(token: str, action: object) -> None:
    assert parse_action(token) == action
    assert format_action(parse_action(token)) == token


def test_every_well_formed_token_is_parsed_and_formatted_back() -> None:
    assert [format_action(parse_action(token)) for token in EVERY_TOKEN] == EVERY_TOKEN


@pytest.mark.parametrize(
    "token",
    ["", "/", "qg", "Qg", "PASS", "Pass", "pass ", "a1", "a1~", "~a1", "a1~b", "A1~B1", "a1-b1", "a1~b1~c1", "b1E",
     "b1N-1", "b1e1", "b1NE1", "b1 N1", "a1–b1N1", "a1 ~b1", "b2X b6", "b2Xb6", "b2:b6", "b2>>b6", "b10N1", "a1~b1\n",
     "b\u0661N1", "NE@0,1", "R1:N", "QG1"],
)  # fmt: skip
def test_invalid_action_is_rejected(token: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action(token)
    assert refused.value.rule == "AGN-MOVE-1"
    assert str(refused.value) == f"{token!r} is not an action of Army Ants."


@pytest.mark.parametrize(
    ("token", "cell"),
    [
        ("a0~a1", "a0"),
        ("a8~a9", "a9"),
        ("e1~f1", "f1"),
        ("z1>a1", "z1"),
        ("a1xa9", "a9"),
        ("f1N1", "f1"),
        ("a1-a9N1", "a9"),
    ],
)
def test_action_naming_an_unknown_cell_is_rejected(token: str, cell: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action(token)
    assert refused.value.rule == "ARMY-BOARD-1"
    assert str(refused.value) == f"{cell!r} in {token!r} is not a cell; the cells are a1 to e8."


@pytest.mark.parametrize(
    ("token", "rule", "sentence"),
    [
        ("b1~a1", "ARMY-SWAP-1", NO_SWAP),
        ("a2~a1", "ARMY-SWAP-1", NO_SWAP),
        ("b1~a8", "ARMY-SWAP-1", NO_SWAP),
        ("a1~a1", "ARMY-SWAP-1", NO_SWAP),
        ("b1-b1E1", "ARMY-MARCH-1", "names one card alone, which is written without a -: b1E1."),
        ("c1-b1E1", "ARMY-MARCH-1", NO_RUN),
        ("c4-c2S1", "ARMY-MARCH-1", NO_RUN),
        ("a1-b2E1", "ARMY-MARCH-1", NO_RUN),
        ("b1E0", "ARMY-MARCH-1", "is not a march of 1 to 7 cells."),
        ("b1E8", "ARMY-MARCH-1", "is not a march of 1 to 7 cells."),
        ("b1E01", "ARMY-MARCH-1", "is not a march of 1 to 7 cells."),
        ("b1E10", "ARMY-MARCH-1", "is not a march of 1 to 7 cells."),
        ("c1>c1", "ARMY-OUT-1", "starts and ends on the same cell."),
        ("c1xc1", "ARMY-ATTACK-1", "starts and ends on the same cell."),
    ],
)  # fmt: skip
def test_non_canonical_spelling_is_rejected(token: str, rule: str, sentence: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action(token)
    assert (refused.value.rule, str(refused.value)) == (rule, f"{token!r} {sentence}")


@given(st.text("abcdefz0123456789~>x-NESWQGpass", max_size=9))
def test_every_parsable_token_is_formatted_identically(token: str) -> None:
    try:
        action = parse_action(token)
    except MoveSyntaxError:
        return
    assert format_action(action) == token


def test_every_card_has_a_number_of_its_own() -> None:
    cards = parse_deal(DEAL)

    assert sorted(cards) == [0, 0, *range(1, 39)]
    assert (cards[CELLS["c4"]], cards[CELLS["b5"]]) == (1, 20)
