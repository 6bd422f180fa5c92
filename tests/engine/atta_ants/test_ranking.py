"""How a round and a game end, and who gets which place (ATTA-END-1 to 5, ATTA-RANK-1)."""

import pytest

from engine.atta_ants.board import NEST, NOWHERE
from engine.atta_ants.state import COLONY, State, describe
from engine.ruleset import Outcome
from tests.engine.atta_ants.table import after, start

SEATS = "R Y O B"
CORNER = 8
"""A card the spider in the other corner cannot reach in one step."""


def with_ants(counts: list[int], eaten: list[int], edition: str = "online", deck: int = 0) -> State:
    """Return the last turn of a round, with given numbers of ants in play and eaten."""
    state = start(" ".join(SEATS.split(" ")[: len(counts)]), edition)
    ants = [CORNER if number < count else NOWHERE for count in counts for number in range(COLONY)]
    seats = tuple(range(len(counts)))
    out = frozenset(seat for seat in seats if not counts[seat])
    return state._replace(
        phase="ants", queue=(0,), ants=tuple(ants), eaten=tuple(eaten), stock=state.stock[:deck], out=out, first=0
    )


def ended(state: State) -> Outcome:
    found = after("/", state).outcome
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("ants", "eaten", "online", "printed"),
    [
        ([3, 2], [0, 0], (1, 2), (1, 2)),
        ([2, 3], [0, 5], (2, 1), (2, 1)),
        ([2, 2], [1, 2], (1, 2), (1, 1)),
        ([2, 2], [3, 2], (2, 1), (1, 1)),
        ([2, 2], [2, 2], (1, 1), (1, 1)),
        ([4, 2, 2], [0, 1, 1], (1, 2, 2), (1, 2, 2)),
        ([4, 4, 2], [1, 1, 0], (1, 1, 3), (1, 1, 3)),
        ([1, 3, 3, 2], [9, 1, 0, 0], (4, 2, 1, 3), (4, 1, 1, 3)),
        ([5, 3, 3, 1], [0, 2, 2, 0], (1, 2, 2, 4), (1, 2, 2, 4)),
        ([1, 1, 1, 1], [4, 3, 2, 1], (4, 3, 2, 1), (1, 1, 1, 1)),
        ([2, 1, 0, 0], [0, 0, 3, 2], (1, 2, 4, 3), (1, 2, 3, 3)),
    ],
)
def test_more_ants_rank_higher_and_eaten_ants_break_ties(
    ants: list[int], eaten: list[int], online: tuple[int, ...], printed: tuple[int, ...]
) -> None:
    assert ended(with_ants(ants, eaten)).placements == online
    assert ended(with_ants(ants, eaten, "2003")).placements == printed


def test_the_game_is_over_when_the_deck_is_empty() -> None:
    over = ended(with_ants([2, 2], [0, 0]))

    equal = "Red and Yellow have the same number of ants in play, 2, and lost the same number to spiders, 0."
    assert (over.rule, str(over.reason)) == ("ATTA-END-4", f"The deck is empty. {equal}")


def test_the_game_is_over_when_a_colony_has_six_ants() -> None:
    over = ended(with_ants([2, 6], [0, 0], deck=5))

    assert (over.rule, str(over.reason), over.placements) == ("ATTA-END-3", "Yellow has all six ants in play.", (2, 1))


SIX, SIXES = "Red and Yellow have all six ants in play.", "Red, Yellow and Orange have all six ants in play."
EQUAL = "have the same number of ants in play, 6, and"


@pytest.mark.parametrize(
    ("ants", "eaten", "edition", "said"),
    [
        ([6, 6], [0, 1], "online", f"{SIX} Fewer ants eaten decided the first place."),
        ([6, 6, 2], [1, 1, 0], "online", f"{SIX} Red and Yellow {EQUAL} lost the same number to spiders, 1."),
        ([6, 6], [0, 1], "2003", f"{SIX} Red and Yellow {EQUAL} the rules of 2003 compare nothing else."),
        ([6, 6, 6], [0, 1, 0], "online", f"{SIXES} Red and Orange {EQUAL} lost the same number to spiders, 0."),
    ],
)
def test_colonies_that_end_or_share_a_game_are_named(
    ants: list[int], eaten: list[int], edition: str, said: str
) -> None:
    assert str(ended(with_ants(ants, eaten, edition, deck=5)).reason) == said


def test_six_ants_within_a_round_do_not_end_the_game() -> None:
    assert with_ants([6, 2], [0, 0], deck=5).outcome is None


def test_game_continues_when_one_of_six_ants_is_eaten() -> None:
    state = with_ants([6, 1], [0, 0], deck=5)
    near_the_spider = state._replace(ants=(state.board.slot_at((0, -1)), *state.ants[1:]))
    state = after("/", near_the_spider._replace(ants=(*[state.board.slot_at((0, -1))] * 4, *state.ants[4:])))

    assert state.outcome is None
    assert describe(state)["eaten"] == {"R": 4, "Y": 0}


@pytest.mark.parametrize("edition", ["online", "2003"])
def test_game_ends_when_no_colony_is_left(edition: str) -> None:
    over = ended(with_ants([0, 0], [2, 2], edition, deck=5))

    assert (over.rule, over.placements) == ("ATTA-END-2", (1, 1))
    assert str(over.reason).startswith(
        "No colony is left. Red and Yellow have the same number of ants in play, 0, and "
    )


def test_last_colony_wins_online_but_plays_on_under_the_2003_rules() -> None:
    assert ended(with_ants([0, 1, 0], [2, 0, 3], deck=5)).placements == (2, 1, 3)
    assert after("/", with_ants([0, 1, 0], [2, 0, 3], "2003", deck=5)).outcome is None


def test_a_colony_without_ants_is_out_only_at_the_end_of_the_round() -> None:
    state = after("NESW@0,2 R1:S R2:S / Y1:N Y2:E / O1:N O2:E", start("R Y O"))

    assert describe(state)["out"] == []
    assert describe(after("/", state))["out"] == ["R"]


def test_deck_skips_eliminated_colonies() -> None:
    state = with_ants([2, 0, 0, 1], [0, 2, 2, 1], "2003", deck=5)

    assert describe(after("/", state))["first"] == "B"


def test_the_last_colony_passes_the_deck_to_itself() -> None:
    state = with_ants([2, 0], [0, 2], "2003", deck=5)

    assert describe(after("/", state))["first"] == "R"


def test_ant_born_in_the_last_round_counts_for_the_ranking() -> None:
    state = with_ants([2, 2], [0, 0])
    state = state._replace(ants=(*state.ants[:2], NEST, *state.ants[3:]), new=1 << 2)

    assert ended(state).placements == (1, 2)


def test_no_ant_is_new_or_moved_when_the_game_is_over() -> None:
    state = with_ants([2, 2], [0, 0])._replace(new=1, moved=2)
    state = after("/", state)

    seen = describe(state)
    assert (seen["phase"], seen["turn"], seen["placements"]) == ("over", None, [1, 1])
    assert not any(ant["new"] or ant["moved"] for ant in seen["ants"].values())
