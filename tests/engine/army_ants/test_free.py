"""The free rules: a card moves out along any path of empty cells, and nothing else differs."""

from random import Random

import pytest

from engine.army_ants.board import EVERYWHERE, shortest_path
from engine.army_ants.ruleset import ARMY_ANTS, FREE_ARMY_ANTS
from engine.army_ants.scene.layout import centre
from engine.army_ants.state import MoveOut, State
from engine.ruleset import IllegalMoveError
from engine.verify import VERIFIED, verify_bytes
from tests.engine.army_ants.bots import game
from tests.engine.army_ants.table import BATTLE, after
from tests.strategies import AnyRuleset, positions
from tests.tiers import by_tier


def legal(ruleset: AnyRuleset, state: State) -> set[str]:
    return {ruleset.format_action(action) for action in ruleset.legal_actions(state)}


def refusal(token: str, state: State) -> str:
    with pytest.raises(IllegalMoveError) as refused:
        FREE_ARMY_ANTS.apply(state, FREE_ARMY_ANTS.parse_action(token))
    return f"{refused.value.rule}: {refused.value}"


def test_card_moves_out_around_two_corners() -> None:
    state = after(f"{BATTLE} b4>b5 d8~e8 c3xc5 d8~e8")

    assert "b5>c3" not in legal(ARMY_ANTS, state)
    assert "b5>c3" in legal(FREE_ARMY_ANTS, state)


def test_free_rules_allow_all_that_the_standard_ones_do_and_only_more_moves_out() -> None:
    for position in list(
        zip(range(by_tier(quick=300, long=3_000)), positions(FREE_ARMY_ANTS, Random(5)), strict=False)
    ):
        standard, free = (legal(ruleset, position[1].state) - {"pass"} for ruleset in (ARMY_ANTS, FREE_ARMY_ANTS))
        assert standard <= free
        assert all(">" in token for token in free - standard)


@pytest.mark.parametrize(
    ("tokens", "token", "sentence"),
    [
        ("", "b4>c4", "ARMY-SETUP-2: Cards cannot move out in the setup phase."),
        (BATTLE, "a4>b5", "ARMY-OUT-1: No path of empty cells leads from a4 to b5."),
        (BATTLE, "b4>b6", "ARMY-OUT-1: A card can move out only to an empty cell; there is a card on b6."),
        (BATTLE, "c4>b5", "ARMY-OUT-1: There is no card to move out on c4."),
        (BATTLE, "b6>b5", "ARMY-TURN-1: It is Red’s turn; the card on b6 is Black’s."),
    ],
)
def test_refusal_says_why_a_card_cannot_move_out(tokens: str, token: str, sentence: str) -> None:
    assert refusal(token, after(tokens)) == sentence


def test_traced_path_goes_over_empty_cells_from_neighbour_to_neighbour() -> None:
    state = after(f"{BATTLE} b4>b5 d8~e8 c3xc5 d8~e8")
    action = FREE_ARMY_ANTS.parse_action("b5>c3")
    path, _ = FREE_ARMY_ANTS.shown.scene(FREE_ARMY_ANTS.apply(state, action), state, action).traces

    assert path.points == tuple(centre(cell) for cell in (21, 16, 17, 12))  # b5 b4 c4 c3


def test_there_is_no_path_between_cells_that_are_cut_off() -> None:
    state = after(BATTLE)
    assert shortest_path(0, 39, EVERYWHERE & ~(state.held[0] | state.held[1])) == []


def test_series_of_free_moves_out_made_four_times_is_a_draw() -> None:
    state = after(f"{BATTLE} b4>b5 d8~e8 c3xc5 a8~b8")
    series = ("b5>c3", "d8~e8", "c3>b5", "d8~e8")
    for token in series * 4:
        assert FREE_ARMY_ANTS.outcome(state) is None
        state = FREE_ARMY_ANTS.apply(state, FREE_ARMY_ANTS.parse_action(token))
    assert FREE_ARMY_ANTS.outcome(state).rule == "ARMY-END-3"  # type: ignore[union-attr]


def test_one_token_is_another_action_by_each_ruleset() -> None:
    standard, free = (ruleset.parse_action("b2>d5") for ruleset in (ARMY_ANTS, FREE_ARMY_ANTS))

    assert isinstance(standard, MoveOut)
    assert isinstance(free, MoveOut)
    assert (standard.sign == free.sign, FREE_ARMY_ANTS.format_action(free)) == (False, "b2>d5")


def test_record_is_judged_by_the_ruleset_that_it_names() -> None:
    played = game("trader,random", 7, "free")
    free, standard = (
        verify_bytes(text.encode())[0]
        for text in (played.text(), played.text().replace('[Rules "free"]', '[Rules "standard"]'))
    )

    assert free.verdict == VERIFIED
    assert standard.fault is not None
    assert standard.fault.rule == "ARMY-OUT-1"
