"""Notation of cards and actions of Atta Ants, and what is not accepted."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.atta_ants.board import CARDS, ROTATIONS
from engine.atta_ants.notation import RECONSTRUCTION_1, SYMBOLS, format_action, parse_action
from engine.atta_ants.state import EndTurn, Placing, SpiderStep, ant_move
from engine.ruleset import MoveSyntaxError
from tests.engine.atta_ants.referee import RECONSTRUCTION, rotations


@pytest.mark.parametrize(
    ("token", "action"),
    [
        ("/", EndTurn()),
        ("NE*@2,-1", Placing(CARDS["NE*"], (2, -1))),
        ("N|ES#@-10,0", Placing(CARDS["N|ES#"], (-10, 0))),
        (".@-", Placing(CARDS["."], None)),
        ("R1:+NN", ant_move("R1", ("+", "N", "N"))),
        ("B6:NxY1S", ant_move("B6", ("N", "xY1", "S"))),
        ("O3:-", ant_move("O3", ("-",))),
        ("S12:W", SpiderStep(12, "W")),
    ],
)
def test_action_is_parsed_and_formatted_back(token: str, action: object) -> None:
    assert parse_action(token) == action
    assert format_action(parse_action(token)) == token


@pytest.mark.parametrize(
    "token",
    ["", "//", "R1", "R1:", ":N", "R0:N", "R7:N", "G1:N", "r1:N", "R1:n", "R1:NNN", "R1:N-N-N", "R1:x", "R1:xR",
     "R1:xR0", "R1:xG1", "R1 :N", "R1:N ", "S:N", "S0:N", "S01:N", "S1:", "S1:NN", "S1:+", "S100:N", "N", "+", "R1:N\n",
     "R\u0661:N", "\uff11:N", "pass", "RR1:N"],
)  # fmt: skip
def test_invalid_action_is_rejected(token: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action(token)
    assert refused.value.rule == "AGN-MOVE-1"
    assert repr(token) in str(refused.value)


@pytest.mark.parametrize(
    "cell", ["", "0", "0,", ",0", "0,0,0", "+1,0", "-0,1", "01,1", "1, 1", "1.0,1", "٣,1", "--1,0"]
)
def test_invalid_cell_is_rejected(cell: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action(f"NE@{cell}")
    assert refused.value.rule == "ATTA-PLACE-1"
    assert str(refused.value) == f"{cell!r} in 'NE@{cell}' is not a cell such as 2,-1."


@pytest.mark.parametrize(
    "code", ["", "EN", "NN", "N|N", "N|", "|N", "E|N", "SW|NE", "ne", "*", "N**", "N*#", ".N", "..", "N *", "X"]
)
def test_invalid_card_is_rejected(code: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        parse_action(f"{code}@0,2")
    assert refused.value.rule == "ATTA-CARD-2"
    assert str(refused.value) == f"{code!r} in '{code}@0,2' is not a card such as NS*."


@given(st.text("NESWRYOBx+-:/@,.|*#0123456789", max_size=12))
def test_every_parsable_token_is_formatted_identically(token: str) -> None:
    try:
        action = parse_action(token)
    except MoveSyntaxError:
        return
    assert format_action(action) == token


def test_card_list_contains_exactly_the_valid_cards() -> None:
    """Try every way to connect some sides by trails, in every order: only the ordered ones are cards."""
    courses = {"."}
    for sides in ("".join(side for at, side in enumerate("NESW") if which >> at & 1) for which in range(1, 16)):
        for order in permutations(sides):
            for bars in range(1 << len(order) - 1):
                text = "".join(side + "|" * (bars >> at & 1) for at, side in enumerate(order))
                trails = sorted(text.split("|"), key=lambda trail: "NESW".index(trail[0]))
                if (
                    all("".join(sorted(trail, key="NESW".index)) == trail for trail in trails)
                    and "|".join(trails) == text
                ):
                    courses.add(text)

    assert {code for code in CARDS if code[-1] not in "*#"} == courses
    assert len(CARDS) == 3 * 52


def test_cards_are_grouped_by_rotation() -> None:
    assert {frozenset(card.code for card in cards) for cards in ROTATIONS.values()} == {
        frozenset(rotations(code)) for code in CARDS
    }


def test_dealt_deck_is_the_documented_reconstruction() -> None:
    cards = [CARDS[code] for code in RECONSTRUCTION_1.split(" ")]

    assert RECONSTRUCTION_1 == RECONSTRUCTION
    assert {symbol: sum(card.symbol == symbol for card in cards) for symbol in SYMBOLS} == {"*": 8, "#": 4, "": 11}
