"""Leaving in every phase of a round (ATTA-LEAVE-1, ATTA-LEAVE-2, ATTA-RANK-2, AGN-ADMIN-1, AGN-ADMIN-2)."""

import pytest

from engine.atta_ants.state import State, describe
from tests.engine.agn.records import fault_in, rule_and_place, verdict_on, written
from tests.engine.atta_ants.bots import ruleset_of
from tests.engine.atta_ants.table import after, legal, start

LAID = "NESW@0,2"
THREE = "R Y O"
TO_CHOOSE = f"{LAID} R1:N R2:E / Y1:N Y2:E / O1:N O2:E /"


def phase_and_turn(state: State) -> tuple[str, str, str | None]:
    """Return the phase, the first player and the seat to act."""
    seen = describe(state)
    return seen["phase"], seen["first"], seen["turn"]


def played(tokens: str, seats: str = THREE, edition: str = "online") -> State:
    return after(tokens, start(seats, edition))


def test_player_leaving_before_placing_passes_the_placement_on() -> None:
    state = played("resign:R")

    assert phase_and_turn(state) == ("place", "Y", "Y")
    assert sorted(describe(state)["ants"]) == ["O1", "O2", "Y1", "Y2"]
    assert phase_and_turn(after(LAID, state)) == ("ants", "Y", "Y")


def test_first_player_leaving_passes_on_first_place_and_turn() -> None:
    assert phase_and_turn(played(f"{LAID} R1:N resign:R")) == ("ants", "Y", "Y")


def test_other_player_leaving_passes_on_only_the_turn() -> None:
    assert phase_and_turn(played(f"{LAID} R1:N R2:E / resign:Y")) == ("ants", "R", "O")


def test_spiders_move_when_the_last_player_leaves() -> None:
    state = played(f"{LAID} R1:N R2:E / Y1:N Y2:N / O1:N resign:O")

    assert phase_and_turn(state) == ("place", "Y", "Y")
    assert describe(state)["spiders"] == {"S1": "-1,0"}


def test_spider_choices_may_follow_when_the_last_player_leaves() -> None:
    state = played(f"{LAID} R1:N R2:E / Y1:N Y2:E / resign:O")

    assert phase_and_turn(state) == ("spiders", "R", "R")
    assert legal(state) == ["S1:N", "S1:E"]


def test_player_leaving_while_choosing_passes_all_choices_on() -> None:
    state = played(f"{TO_CHOOSE} resign:R")

    assert phase_and_turn(state) == ("spiders", "Y", "Y")
    assert legal(state) == ["S1:N", "S1:E"]


def test_choices_are_made_again_when_the_choosing_player_leaves() -> None:
    one = played(TO_CHOOSE)
    two = one._replace(spiders=one.spiders * 2, ways=one.ways * 2)

    state = after("S1:N resign:R", two)

    assert state.chosen == ()
    assert legal(state) == ["S1:N", "S1:E"]


def test_leaving_may_make_spider_choices_unnecessary() -> None:
    state = played(f"{LAID} R1:N R2:N / Y1:N Y2:E / O1:E O2:E / resign:R")

    assert phase_and_turn(state) == ("place", "O", "O")
    assert describe(state)["spiders"] == {"S1": "0,-1"}


def test_eliminated_colony_is_skipped_when_a_player_leaves() -> None:
    state = played(f"{LAID} R1:N R2:E / Y1:S Y2:S / O1:N O2:E / B1:W B2:NN / NS@0,3 resign:O", "R Y O B")

    assert describe(state)["out"] == ["Y", "O"]
    assert phase_and_turn(state) == ("ants", "B", "B")


def test_leaving_keeps_leaves_and_does_not_count_ants_as_eaten() -> None:
    state = played(f"{LAID} R1:N+ R2:E+ resign:R")

    assert describe(state)["leaves"] == {"0,1": 2, "1,0": 2, "0,-1": 2}
    assert describe(state)["eaten"] == {"R": 0, "Y": 0, "O": 0}
    assert describe(state)["out"] == ["R"]


def test_a_colony_that_left_has_no_turn_in_later_rounds() -> None:
    state = played(f"{LAID} R1:N R2:E / resign:Y O1:N O2:N / NS@0,3 O1:N /")

    assert phase_and_turn(state) == ("ants", "O", "R")


@pytest.mark.parametrize("edition", ["online", "2003"])
@pytest.mark.parametrize("when", ["", LAID, f"{LAID} R1:N R2:E / Y1:N Y2:E /"])
def test_leaving_a_two_player_game_makes_the_opponent_win_at_once(when: str, edition: str) -> None:
    ended = played(f"{when} resign:R", "R Y", edition).outcome

    assert ended is not None
    assert (ended.placements, ended.rule) == ((2, 1), "ATTA-LEAVE-1")
    assert str(ended.reason) == "Red resigned."


def test_last_colony_may_still_resign_under_the_2003_rules() -> None:
    alone = played(f"{LAID} R1:S R2:S / Y1:N Y2:N /", "R Y", "2003")
    ended = after("resign:Y", alone).outcome

    assert phase_and_turn(alone) == ("place", "Y", "Y")
    assert ended is not None
    assert ended.placements == (1, 2)


@pytest.mark.parametrize(
    ("leaving", "places"),
    [
        ("resign:R resign:Y", (3, 2, 1)),
        (f"{LAID} R1:N R2:E / resign:Y resign:O", (1, 3, 2)),
        (f"{LAID} R1:N R2:E / Y1:N Y2:E / resign:O S1:E resign:Y", (1, 2, 3)),
    ],
)
def test_player_who_stays_longer_ranks_higher(leaving: str, places: tuple[int, ...]) -> None:
    ended = played(leaving).outcome

    assert ended is not None
    assert ended.placements == places


def test_player_who_left_ranks_below_an_eliminated_colony() -> None:
    ended = played(f"{LAID} R1:S R2:S / Y1:N Y2:E / O1:N O2:E / NS@0,3 resign:Y").outcome

    assert ended is not None
    assert ended.placements == (2, 3, 1)


def test_agreed_draw_places_both_first_regardless_of_ants() -> None:
    ended = ruleset_of("online").agree_draw(played(f"{LAID} R1:S R2:N / Y1:N Y2:E /", "R Y")).outcome

    assert ended is not None
    assert (ended.placements, ended.rule, str(ended.reason)) == ((1, 1), "AGN-ADMIN-2", "The players agreed to a draw.")


# In another colony's turn


def test_player_who_resigns_in_another_turn_loses_only_its_own() -> None:
    assert phase_and_turn(played(f"{LAID} R1:N resign:Y")) == ("ants", "R", "R")
    assert phase_and_turn(played(f"{LAID} R1:N resign:Y R2:E /")) == ("ants", "R", "O")


def test_first_player_who_resigns_after_its_turn_passes_on_first_place_alone() -> None:
    state = played(f"{LAID} R1:N R2:E / Y1:N resign:R")

    assert phase_and_turn(state) == ("ants", "Y", "Y")
    assert describe(state)["ants"]["Y1"]["moved"]


def test_player_who_resigns_before_the_card_is_laid_leaves_it_to_the_first_player() -> None:
    assert phase_and_turn(played("resign:O")) == ("place", "R", "R")


def test_choices_are_made_again_when_another_player_resigns() -> None:
    one = played(TO_CHOOSE)
    two = one._replace(spiders=one.spiders * 2, ways=one.ways * 2)

    state = after("S1:N resign:O", two)

    assert phase_and_turn(state) == ("spiders", "R", "R")
    assert state.chosen == ()


@pytest.mark.parametrize("edition", ["online", "2003"])
@pytest.mark.parametrize("when", ["", LAID, f"{LAID} R1:N R2:E / Y1:N Y2:E /"])
def test_player_who_resigns_a_game_of_two_in_any_turn_loses_at_once(when: str, edition: str) -> None:
    for letter, places in (("R", (2, 1)), ("Y", (1, 2))):
        ended = played(f"{when} resign:{letter}", "R Y", edition).outcome

        assert ended is not None
        assert (ended.placements, ended.rule) == (places, "ATTA-LEAVE-1")


# As tokens


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("timeout:Y", "It is Red’s turn, so Yellow cannot run out of time now."),
        ("timeout:O", "There is no seat O in this game; Red (R) and Yellow (Y) play."),
        ("resign:r", "There is no seat r in this game; Red (R) and Yellow (Y) play."),
    ],
)
def test_only_the_seat_to_act_can_run_out_of_time(token: str, said: str) -> None:
    assert rule_and_place(fault_in(written(f"NESW@0,2 {token}"))) == (
        "AGN-ADMIN-1",
        10,
        10,
        said,
    )


def test_a_colony_that_left_cannot_resign_again() -> None:
    record = written("1. resign:R NESW@0,2 resign:R", "*", Seats="R Y O", Orange="Chloé")

    assert rule_and_place(fault_in(record))[::3] == ("AGN-ADMIN-1", "Red is no longer in the game.")


def test_two_of_three_cannot_agree_on_a_draw() -> None:
    record = written("1. resign:R draw", "1-1-1", Seats="R Y O", Orange="Chloé")

    assert rule_and_place(fault_in(record))[::3] == (
        "AGN-ADMIN-2",
        "Players can agree to a draw only in a game of two.",
    )


@pytest.mark.parametrize("how", ["resign", "timeout"])
def test_resignation_and_timeout_name_the_seat(how: str) -> None:
    verdict = verdict_on(written(f"NESW@0,2 {how}:R", "2-1"))

    assert verdict.outcome is not None
    assert verdict.outcome.placements == (2, 1)
