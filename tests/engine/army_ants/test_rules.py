"""Legality in Army Ants, similar illegal actions, and the message for each."""

import pytest

from engine.army_ants.ruleset import ARMY_ANTS
from engine.army_ants.state import State, describe
from engine.ruleset import Outcome, TagError, Termination
from engine.verify import verify_bytes
from engine.words import words
from tests.engine.army_ants.table import BATTLE, DEAL, after, legal, refusal, start
from tests.strategies import FIXTURES

SLOWLY = "a1~b1 a8~b8 a1~b1 a8~b8 a1~b1 a8~b8 a1~b1 a8~b8 a1~b1"
"""Nine setup actions; black still has one to play."""
LATE = f"{SLOWLY} a8~b8"
"""The battle, with both queens in front and nothing moved yet."""


def row(state: State, number: int) -> str:
    """Return the ranks in a row, black's in brackets."""
    board, owner = (describe(state)[part].split("/")[8 - number] for part in ("board", "owner"))
    return "".join(f"({card})" if whose == "b" else card for card, whose in zip(board, owner, strict=True))


# The deal


@pytest.mark.parametrize(
    ("deal", "rule", "sentence"),
    [
        (f"{DEAL}/.....", "ARMY-SETUP-1", "Setup has 9 rows; expected eight, from row 8 to row 1."),
        ("", "ARMY-SETUP-1", "Setup has 1 row; expected eight, from row 8 to row 1."),
        (DEAL.replace("66778", "6677"), "ARMY-SETUP-1", "Row 3 of Setup has 4 cells; expected five."),
        (DEAL.replace("24.35", "243.5"), "ARMY-SETUP-1", "Setup has '3' on c1, which must be empty."),
        (DEAL.replace("24.35", "24 35"), "ARMY-SETUP-1", "Setup has ' ' on c1, which must be empty."),
        (DEAL.replace("27.9A", "27.9a"), "ARMY-SETUP-1", "'a' on e8 is not a rank; the ranks are 98765432AQ."),
        (DEAL.replace("27.9A", "27.91"), "ARMY-SETUP-1", "'1' on e8 is not a rank; the ranks are 98765432AQ."),
        (DEAL.replace("66778", "66.78"), "ARMY-SETUP-1", "'.' on c3 is not a rank; the ranks are 98765432AQ."),
        (
            DEAL.replace("27.9A", "29.9A"),
            "ARMY-BOARD-2",
            "The 9 on d8 is one too many: a colony has fewer of this rank.",
        ),
        (
            DEAL.replace("39Q45", "39245"),
            "ARMY-BOARD-2",
            "The 2 on c4 is one too many: a colony has fewer of this rank.",
        ),
        (
            DEAL.replace("24.35", "2Q.35"),
            "ARMY-BOARD-2",
            "The Q on c4 is one too many: a colony has fewer of this rank.",
        ),
    ],
)
def test_impossible_deal_is_rejected(deal: str, rule: str, sentence: str) -> None:
    with pytest.raises(TagError) as refused:
        start(deal)
    assert (refused.value.tag, refused.value.rule, str(refused.value)) == ("Setup", rule, sentence)


def test_a_game_starts_as_it_was_dealt() -> None:
    assert describe(start()) == {
        "phase": "setup",
        "turn": "R",
        "pair": 1,
        "board": DEAL,
        "owner": "bb.bb/bbbbb/bbbbb/bbbbb/rrrrr/rrrrr/rrrrr/rr.rr",
        "done": {"R": 0, "B": 0},
        "placements": None,
    }


# Rejections, and similar legal actions


@pytest.mark.parametrize(
    ("before", "token", "rule", "sentence", "near"),
    [
        ("", "a8~b8", "ARMY-TURN-1", "It is Red’s turn; the card on a8 is Black’s.", "a1~b1"),
        ("a1~b1", "a1~b1", "ARMY-TURN-1", "It is Black’s turn; the card on a1 is Red’s.", "a8~b8"),
        ("QG", "a1~b1", "ARMY-TURN-1", "It is Black’s turn; the card on a1 is Red’s.", "QG"),
        (BATTLE, "a5xa4", "ARMY-TURN-1", "It is Red’s turn; the card on a5 is Black’s.", "a4xa5"),
        (BATTLE, "d5>b5", "ARMY-TURN-1", "It is Red’s turn; the card on d5 is Black’s.", "b4>b5"),
        (BATTLE, "a6-a7N1", "ARMY-TURN-1", "It is Red’s turn; the card on a6 is Black’s.", "c2-c3N1"),
        ("", "pass", "ARMY-TURN-3", "A colony cannot pass in the setup phase.", "b1E1"),
        (BATTLE, "pass", "ARMY-TURN-3", "A colony can pass only when it has no other legal action.", "c3N1"),
        ("", "b1>c1", "ARMY-SETUP-2", "Cards cannot move out in the setup phase.", "b1E1"),
        ("", "c4xc5", "ARMY-SETUP-2", "Cards cannot attack in the setup phase.", "QG"),
        (SLOWLY, "d5xd4", "ARMY-SETUP-2", "Cards cannot attack in the setup phase.", "d5~d6"),
        (f"{SLOWLY} a8~b8 a1~b1", "d4xd5", "ARMY-TURN-1", "It is Black’s turn; the card on d4 is Red’s.", "d5xd4"),
        ("a1~b1 QG", "b4N1", "ARMY-SETUP-3",
         "In the setup phase cards stay on their own side; this march leads to b5.", "b1E1"),
        ("QG", "c5S1", "ARMY-SETUP-3",
         "In the setup phase cards stay on their own side; this march leads to c4.", "c7N1"),
        ("a1~b1 a8~b8", "QG", "ARMY-SETUP-4", "The queen’s gambit must be a colony’s first action.", "c4~d4"),
        (BATTLE, "QG", "ARMY-SETUP-4", "The queen’s gambit must be a colony’s first action.", "c1~d1"),
        (LATE, "QG", "ARMY-SETUP-4", "The queen’s gambit must be a colony’s first action.", "c4~d4"),
        ("", "b1~c1", "ARMY-SWAP-1", "A swap needs two cards; c1 is empty.", "b1~c2"),
        ("", "d4~d5", "ARMY-SWAP-1", "A colony can swap only its own cards; the one on d5 is the opponent’s.", "d3~d4"),
        ("", "a1~a3", "ARMY-SWAP-1", "Only neighbouring cards can swap; a1 and a3 do not touch.", "a1~a2"),
        ("", "a1~b3", "ARMY-SWAP-1", "Only neighbouring cards can swap; a1 and b3 do not touch.", "a1~b2"),
        ("", "e1~e3", "ARMY-SWAP-1", "Only neighbouring cards can swap; e1 and e3 do not touch.", "d1~e2"),
        ("", "c1E1", "ARMY-MARCH-1", "There is no card to march on c1.", "d1W1"),
        ("", "a1-d1E1", "ARMY-MARCH-1", "There is no card to march on c1.", "a1-b1E1"),
        (BATTLE, "c3-c5N1", "ARMY-MARCH-1", "There is no card to march on c4.", "c2-c3N1"),
        (BATTLE, "b4-b6S1", "ARMY-MARCH-1", "There is no card to march on b5.", "b3-b4N1"),
        ("", "c4-c5S1", "ARMY-MARCH-1", "A colony can march only its own cards; the one on c5 is the opponent’s.",
         "c2-c4S1"),
        ("", "a1W1", "ARMY-MARCH-2", "This march leads off the board.", "b1E1"),
        (BATTLE, "b1-b4N5", "ARMY-MARCH-2", "This march leads off the board.", "b1-b4N1"),
        ("", "a1E1", "ARMY-MARCH-2", "The march is blocked by the card on b1.", "a1-b1E1"),
        ("", "a1-b1E2", "ARMY-MARCH-2", "The march is blocked by the card on d1.", "a1-b1E1"),
        (BATTLE, "c3N2", "ARMY-MARCH-2", "The march is blocked by the card on c5.", "c3N1"),
        (BATTLE, "c2N2", "ARMY-MARCH-2", "The march is blocked by the card on c3.", "c2-c3N1"),
        (BATTLE, "b4N2", "ARMY-MARCH-2", "The march is blocked by the card on b6.", "b4N1"),
        (BATTLE, "c4>b5", "ARMY-OUT-1", "There is no card to move out on c4.", "c3>c4"),
        (BATTLE, "b4>b6", "ARMY-OUT-1", "A card can move out only to an empty cell; there is a card on b6.", "b4xb6"),
        (BATTLE, "a4>c4", "ARMY-OUT-1", "Every way from a4 to c4 along one row and one column is blocked.", "b4>c4"),
        (BATTLE, "c3>b5", "ARMY-OUT-1", "Every way from c3 to b5 along one row and one column is blocked.", "b4>b5"),
        (f"{BATTLE} b4>b5 d8~e8 c3xc5 d8~e8", "b5>c3", "ARMY-OUT-1",
         "Every way from b5 to c3 along one row and one column is blocked.", "b5>c4"),
        (BATTLE, "c4xc5", "ARMY-ATTACK-1", "There is no card to attack with on c4.", "c3xc5"),
        (BATTLE, "b4xb5", "ARMY-ATTACK-1", "There is no card to take on b5.", "b4xb6"),
        (BATTLE, "b4xa4", "ARMY-ATTACK-1", "The card on a4 cannot be taken: it is of the same colony.", "a4xa5"),
        (BATTLE, "b4xc5", "ARMY-ATTACK-1", "An attack goes along a row or column; b4 and c5 are in different ones.",
         "c3xc5"),
        (BATTLE, "b3xb6", "ARMY-ATTACK-1", "The attack is blocked by the card on b4.", "b4xb6"),
        (BATTLE, "d4xd5", "ARMY-ATTACK-1", "The 4 on d4 cannot take the 7 on d5, which ranks higher.", "e4xe5"),
        (f"{BATTLE} c3~d4", "a5xa4", "ARMY-ATTACK-1", "The A on a5 cannot take the 3 on a4, which ranks higher.",
         "d5xd4"),
        (LATE, "c4xc5", "ARMY-ATTACK-3", "The card on c4 is a queen, and queens cannot attack.", "b4xb5"),
    ],
)  # fmt: skip
def test_illegal_action_is_rejected_while_a_similar_one_is_legal(
    before: str, token: str, rule: str, sentence: str, near: str
) -> None:
    state = after(before)

    assert refusal(token, state) == (rule, sentence)
    assert near in legal(state)


# Effects of actions


@pytest.mark.parametrize(
    ("tokens", "rows"),
    [
        ("a1~b2", {1: "24.35", 2: "A2A98"}),
        ("a1~b1", {1: "42.35"}),
        ("a1-b1E1", {1: ".2435"}),
        ("c2-c4S1", {1: "24A35", 2: "A2798", 3: "66Q78", 4: "39.45"}),
        ("QG", {1: "24Q35", 4: "39.45"}),
        (f"{BATTLE} b4N1", {4: "3..45", 5: "(A)9(5)(7)(2)"}),
        (f"{BATTLE} b4>c4", {4: "3.945"}),
        (f"{BATTLE} c3>c4 d8~e8 b4>b5 d8~e8 b5>b4", {4: "39745", 3: "66.78"}),
        (f"{BATTLE} a4xa5", {4: ".9.45", 5: "3.(5)(7)(2)"}),
        (f"{BATTLE} c3xc5 d5xc5", {5: "(A)...(2)", 3: "66.78"}),
        (f"{BATTLE} b4xb6", {6: "(3)9(6)(8)(9)", 5: "(A).(5)(7)(2)", 4: "3..45"}),
    ],
)  # fmt: skip
def test_action_moves_the_right_cards(tokens: str, rows: dict[int, str]) -> None:
    state = after(tokens)

    assert {number: row(state, number) for number in rows} == rows


def test_run_may_march_where_a_single_card_may_not() -> None:
    assert "c2N1" not in legal(after(BATTLE))
    assert {"c2-c3N1", "c3N1"} <= set(legal(after(BATTLE)))


def test_the_same_step_has_two_forms() -> None:
    state = after(BATTLE)

    assert {"c3N1", "c3>c4"} <= set(legal(state))
    assert describe(after(f"{BATTLE} c3N1")) == describe(after(f"{BATTLE} c3>c4"))


def test_ace_captures_a_queen_but_a_queen_captures_nothing() -> None:
    fronts = "27.9A/35448/56689/A3Q72/32A45/Q6778/96A98/24.35"
    state = after("a1~b1 a8~b8 " * 5, fronts)

    assert "c4xc5" in legal(state)
    assert refusal("c5xc4", after("a1~b1 a8~b8 " * 5 + "a1~a2", fronts))[0] == "ARMY-ATTACK-3"


# Turns


@pytest.mark.parametrize(
    ("tokens", "phase", "turn", "pair", "done"),
    [
        ("", "setup", "R", 1, (0, 0)),
        ("a1~b1", "setup", "B", 1, (1, 0)),
        ("a1~b1 a8~b8", "setup", "R", 2, (1, 1)),
        ("QG", "setup", "B", 1, (5, 0)),
        ("QG a8~b8", "setup", "B", 2, (5, 1)),
        ("QG a8~b8 a8~b8", "setup", "B", 3, (5, 2)),
        ("a1~b1 QG", "setup", "R", 2, (1, 5)),
        ("a1~b1 QG a1~b1", "setup", "R", 3, (2, 5)),
        (BATTLE, "battle", "R", 2, (5, 5)),
        (SLOWLY, "setup", "B", 5, (5, 4)),
        (LATE, "battle", "R", 6, (5, 5)),
        ("QG " + "a8~b8 " * 5, "battle", "R", 6, (5, 5)),
        ("a1~b1 QG " + "a1~b1 " * 4, "battle", "R", 6, (5, 5)),
        (f"{BATTLE} b4>b5", "battle", "B", 2, (5, 5)),
        (f"{BATTLE} b4>b5 a8~b8", "battle", "R", 3, (5, 5)),
    ],
)
def test_turn_and_phase_follow_the_actions(
    tokens: str, phase: str, turn: str, pair: int, done: tuple[int, int]
) -> None:
    state = describe(after(tokens))

    assert (state["phase"], state["turn"], state["pair"]) == (phase, turn, pair)
    assert state["done"] == {"R": done[0], "B": done[1]}


def test_player_without_a_legal_action_can_only_pass() -> None:
    shut_in = next(state for state in _states_of("shut-in") if legal(state) == ["pass"])

    assert ARMY_ANTS.to_act(shut_in) == "B"
    assert refusal("a1~b1", shut_in)[0] in ("ARMY-TURN-1", "ARMY-SWAP-1")
    assert ARMY_ANTS.to_act(ARMY_ANTS.apply(shut_in, ARMY_ANTS.parse_action("pass"))) == "R"


def _states_of(name: str) -> tuple[State, ...]:
    (verdict,) = verify_bytes((FIXTURES / "army_ants" / "games" / f"{name}.agn").read_bytes())
    assert verdict.replay is not None
    return verdict.replay.states


# Ends


FRONTS = "27.9A/35448/56689/A3Q72/39Q45/66778/A2A98/24.35"
"""Both queens in front, face to face."""
RESIGNED, TIMED_OUT = Termination.RESIGNED, Termination.TIMED_OUT
READY = "a1~b1 a8~b8 " * 4


@pytest.mark.parametrize(
    ("tokens", "outcome"),
    [
        (f"c4~d4 a8~b8 {READY} c4xc5", Outcome((1, 2), "ARMY-END-1", words("The black queen is taken."))),
        (f"a1~b1 c5~d5 {READY} a1~b1 c5xc4", Outcome((2, 1), "ARMY-END-1", words("The red queen is taken."))),
        ("QG QG " + "a1~b1 a8~b8 " * 4,
         Outcome((1, 1), "ARMY-END-3", words("The same series of actions was made four times in succession."))),
        ("QG resign:B", Outcome((1, 2), "AGN-ADMIN-1", words("Black resigned."), RESIGNED)),
        ("QG a8~b8 timeout:B", Outcome((1, 2), "AGN-ADMIN-1", words("Black ran out of time."), TIMED_OUT)),
        ("resign:R", Outcome((2, 1), "AGN-ADMIN-1", words("Red resigned."), RESIGNED)),
        ("QG draw", Outcome((1, 1), "AGN-ADMIN-2", words("The players agreed to a draw."), Termination.AGREED)),
    ],
)  # fmt: skip
def test_game_ends_by_capture_leaving_or_agreement(tokens: str, outcome: Outcome) -> None:
    state = after(tokens, FRONTS if outcome.rule == "ARMY-END-1" else DEAL)

    assert ARMY_ANTS.outcome(state) == outcome
    assert describe(state)["phase"] == "over"
    assert legal(state) == []


def test_a_game_ends_when_only_the_queens_are_left() -> None:
    *_, before, last = _states_of("only-queens")
    outcome = ARMY_ANTS.outcome(last)

    assert ARMY_ANTS.outcome(before) is None
    assert outcome == Outcome((1, 1), "ARMY-END-2", words("Only the two queens are left."))
    assert sorted(describe(last)["board"].replace("/", "").replace(".", "")) == ["Q", "Q"]


@pytest.mark.parametrize("token", ["a1~b1", "a8~b8", "b4N1", "b4>b5", "b4xb6", "QG", "pass"])
def test_no_action_is_legal_after_the_end(token: str) -> None:
    assert refusal(token, after(f"{BATTLE} resign:R")) == (
        "AGN-MOVE-4",
        "The game already ended with the previous action.",
    )


def test_pair_number_stays_at_its_last_value_when_the_game_is_over() -> None:
    assert describe(after(f"c4~d4 a8~b8 {READY} c4xc5", FRONTS))["pair"] == 6
