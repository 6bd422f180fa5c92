"""Legality in Atta Ants, and the message for each rejected action."""

import pytest

from engine.atta_ants.board import NOWHERE
from engine.atta_ants.notation import RECONSTRUCTION_1
from engine.atta_ants.state import State, describe
from engine.ruleset import TagError
from tests.engine.agn.records import fault_in, written
from tests.engine.atta_ants.bots import ruleset_of
from tests.engine.atta_ants.table import after, legal, refusal, start, tags_of

LAID = "NESW@0,2"
OUT = f"{LAID} R1:N+ R2:E+ / Y1:N Y2:E / S1:E"
"""All ants are out, red carries two leaves, and the spider moved south."""
HOME = f"{OUT} NS@0,3 / R1:S"
"""Red has brought one leaf home: R3 was born."""


def ants(state: State) -> dict[str, str]:
    return {name: ant["at"] + "+" * ant["leaf"] for name, ant in describe(state)["ants"].items()}


def test_the_nest_is_counted_with_the_ant_that_a_leaf_would_bring() -> None:
    home = after(HOME)
    (first, second, third), others = home.ants[:3], home.ants[6:]
    alone = home._replace(ants=(first, second, *[NOWHERE] * 4, *others))
    full = home._replace(ants=(first, second, third, *[second] * 3, *others))

    assert [refusal("R2:W", state)[1] for state in (home, alone, full)] == [
        "With ant R2 and the ant for its leaf, Red would have four ants in the nest.",
        "With ant R2 and the ant for its leaf, Red would have three ants in the nest.",
        "With ant R2, Red would have three ants in the nest.",
    ]


def test_a_spider_that_is_not_there_is_named_with_how_many_there_are() -> None:
    ring = "N# NS# ES# ESW# NSW NS NE NW"
    no_spider = start(deck="printed", ring="N NS ES ESW NSW NS NE NW")

    assert refusal("S9:N", start(deck="printed", ring=ring))[1] == "There is no spider S9; 4 are in play."
    assert refusal("S1:N", no_spider)[1] == "There is no spider S1; none is in play."


@pytest.mark.parametrize(
    ("moves", "token", "ant"),
    [(f"{LAID} R1:N", "/", "R2"), (f"{LAID} R1:N", "R2:SS", "R2"), (f"{LAID} R1:N R2:E / Y1:N", "/", "Y2")],
)
def test_legal_moves_of_the_ant_that_is_named_are_listed_first(moves: str, token: str, ant: str) -> None:
    fault = fault_in(written(f"{moves} {token}"))
    own = [action for action in legal(after(moves)) if action.startswith(ant)]

    assert fault.legal
    assert own
    assert list(fault.legal[: len(own)]) == own[:20]


# Setup


@pytest.mark.parametrize(
    ("changes", "tag", "rule", "sentence"),
    [
        ({"Setup": "N NS*"}, "Setup", "ATTA-SETUP-1", "Setup has 2 words; expected the eight cards around the nest."),
        ({"Setup": "N NS* ES ESW NSW* NS# NE* WN"}, "Setup", "ATTA-CARD-2", "'WN' in Setup is not a card such as NS*."),
        ({"Setup": "N NS* ES ESW NSW* NS# NE* NE"}, "Setup", "ATTA-PLACE-2",
         "Card NE does not fit at 1,-1: trail must meet trail."),
        ({"Setup": "N* NS* ES ESW NSW* NS# NE* N*W"}, "Setup", "ATTA-CARD-2",
         "'N*W' in Setup is not a card such as NS*."),
        ({"Setup": "N NS* ES ESW NS*W NS# NE* NW"}, "Setup", "ATTA-CARD-2",
         "'NS*W' in Setup is not a card such as NS*."),
        ({"Setup": "N# NS* ES ESW NSW* NS# NE* NW"}, "Setup", "ATTA-DECK-2",
         "Setup has more cards like N# than there are."),
        ({"Deck": "printed NS"}, "Deck", "ATTA-DECK-1",
         "Deck must be `printed`, `reconstruction-1` or a list of 23 cards."),
        ({"Deck": " ".join(["NESW"] * 23)}, "Deck", "ATTA-DECK-1",
         "Deck must have 8 leaf, 4 spider and 11 plain cards."),
        ({"Deck": " ".join(["WE"] * 23)}, "Deck", "ATTA-CARD-2", "'WE' in Deck is not a card such as NS*."),
    ],
)  # fmt: skip
def test_impossible_start_is_rejected_with_its_tag_and_reason(
    changes: dict[str, str], tag: str, rule: str, sentence: str
) -> None:
    tags = {**tags_of(), **changes}

    with pytest.raises(TagError) as refused:
        ruleset_of("online").initial(tags)
    assert (refused.value.tag, refused.value.rule, str(refused.value)) == (tag, rule, sentence)


@pytest.mark.parametrize("deck", ["printed", RECONSTRUCTION_1, "reconstruction-1", None])
def test_deck_may_be_given_in_three_ways_or_omitted(deck: str | None) -> None:
    tags = {name: value for name, value in {**tags_of(), "Deck": deck}.items() if value is not None}

    assert ruleset_of("online").initial(tags).deck == 15


def test_a_game_starts_with_leaves_spiders_and_two_ants_each() -> None:
    state = describe(start("Y R O"))

    assert state["leaves"] == {"0,1": 2, "1,0": 2, "0,-1": 2}
    assert state["spiders"] == {"S1": "-1,-1"}
    assert sorted(state["ants"]) == ["O1", "O2", "R1", "R2", "Y1", "Y2"]
    assert (state["deck"], state["turn"], state["first"], state["phase"]) == (15, "Y", "Y", "place")


# Rejections

CARD_FIRST = "The first player must lay a card before anything else in the round."
TURNS_ARE_OVER = "All turns of this round are over; now the first player chooses where the spiders go."


@pytest.mark.parametrize(
    ("before", "token", "rule", "sentence"),
    [
        ("", "NESW@0,1", "ATTA-PLACE-2", "There is already a card at 0,1."),
        ("", "NESW@0,3", "ATTA-PLACE-2", "There is no card next to 0,3."),
        ("", "NESW@2,2", "ATTA-PLACE-2", "There is no card next to 2,2."),
        ("", "NESW@64,1", "ATTA-PLACE-2", "There is no card next to 64,1."),
        ("", "EW@0,2", "ATTA-PLACE-2",
         "Card EW does not fit at 0,2: trail must meet trail, and grass must meet grass."),
        ("", "NESW@-", "ATTA-PLACE-4", "Card NESW fits somewhere, so it cannot be set aside."),
        ("", "E@-2,0", "ATTA-DECK-2", "The deck has no plain card like E left."),
        ("", "NES|W#@0,2", "ATTA-DECK-2", "The deck has no spider card like NES|W# left."),
        ("", "R1:N", "ATTA-PHASE-1", CARD_FIRST),
        ("", "/", "ATTA-TURN-1", CARD_FIRST),
        ("", "S1:N", "ATTA-PHASE-1", CARD_FIRST),
        (LAID, "NS@0,3", "ATTA-PLACE-3",
         "A card can be laid only at the start of a round; now the colonies move their ants."),
        (LAID, "Y1:N", "ATTA-MOVE-1", "It is Red’s turn; Y1 is a yellow ant."),
        (LAID, "B1:N", "ATTA-MOVE-1", "It is Red’s turn; B1 is a brown ant."),
        (LAID, "R3:N", "ATTA-MOVE-1", "Ant R3 is not in play."),
        (f"{LAID} R1:N", "R1:N", "ATTA-MOVE-1", "Ant R1 has already moved this turn."),
        (LAID, "R1:WW", "ATTA-MOVE-2", "Ant R1 cannot step west: there is no card."),
        (LAID, "R1:NE", "ATTA-MOVE-3", "Ant R1 cannot take a second step: no trail leads east."),
        (LAID, "R1:WS", "ATTA-MOVE-4", "Ant R1 cannot step south: there is a spider."),
        (f"{LAID} R1:N+ R2:E / Y1:N Y2:E / S1:E NS@0,3 /", "R1:+", "ATTA-LEAF-1", "Ant R1 is already carrying a leaf."),
        (LAID, "R1:W+", "ATTA-LEAF-2", "There is no leaf on the card of ant R1."),
        (LAID, "R1:+N", "ATTA-LEAF-2", "There is no leaf on the card of ant R1."),
        (LAID, "R1:N-", "ATTA-LEAF-3", "Ant R1 has no leaf to put down."),
        (LAID, "R1:NxR2", "ATTA-LEAF-4",
         "Ant R1 cannot take a leaf from R2: no such ant with a leaf is on the same card."),
        (f"{LAID} R1:N+", "R2:ExR1", "ATTA-LEAF-4",
         "Ant R2 cannot take a leaf from R1: no such ant with a leaf is on the same card."),
        (LAID, "R1:NxO1", "ATTA-LEAF-4",
         "Ant R1 cannot take a leaf from O1: no such ant with a leaf is on the same card."),
        (LAID, "R1:NxY6", "ATTA-LEAF-4",
         "Ant R1 cannot take a leaf from Y6: no such ant with a leaf is on the same card."),
        (f"{LAID} R1:N+", "R2:NxR2", "ATTA-LEAF-4",
         "Ant R2 cannot take a leaf from R2: no such ant with a leaf is on the same card."),
        (LAID, "R1:N+-", "ATTA-LEAF-5", "Ant R1 can take or put down a leaf only once in a move."),
        (LAID, "R1:N+-+-+-+-+-+-N", "ATTA-LEAF-5", "Ant R1 can take or put down a leaf only once in a move."),
        (f"{OUT} NS@0,3 /", "R1:SW", "ATTA-NEST-1", "Ant R1 brought its leaf into the nest and must stop there."),
        (f"{OUT} NS@0,3 /", "R1:S-", "ATTA-NEST-1", "Ant R1 brought its leaf into the nest and must stop there."),
        (HOME, "R2:W", "ATTA-NEST-2", "With ant R2 and the ant for its leaf, Red would have four ants in the nest."),
        (HOME, "R3:N", "ATTA-NEST-3", "Ant R3 came into play this round and cannot move until the next."),
        (f"{LAID} R1:N", "/", "ATTA-NEST-4", "Ant R2 was in the nest when the turn began and must leave it."),
        (LAID, "R1:NS", "ATTA-NEST-5", "Ant R1 left the nest and cannot return in the same round."),
        (f"{LAID} R1:N R2:E / Y1:N Y2:E /", "R1:N", "ATTA-PHASE-1",
         TURNS_ARE_OVER),
        (f"{LAID} R1:N R2:E / Y1:N Y2:E /", "/", "ATTA-TURN-1",
         TURNS_ARE_OVER),
        (f"{LAID} R1:N R2:E / Y1:N Y2:E /", "S2:N", "ATTA-SPIDER-5", "There is no spider S2; only S1 is in play."),
        (f"{LAID} R1:N", "S9:N", "ATTA-SPIDER-5", "There is no spider S9; only S1 is in play."),
        (f"{LAID} R1:N R2:E / Y1:N Y2:E /", "S1:W", "ATTA-SPIDER-4",
         "A step west does not bring spider S1 closer to one of its nearest targets."),
        (f"{OUT} NS@0,3 Y2:N / /", "S1:N", "ATTA-SPIDER-6",
         "Spider S1 cannot step north: spiders cannot enter the nest."),
    ],
)  # fmt: skip
def test_illegal_action_is_rejected_with_its_rule_and_reason(before: str, token: str, rule: str, sentence: str) -> None:
    assert refusal(token, after(before)) == (rule, sentence)


def test_printed_deck_is_limited_by_symbol_counts() -> None:
    four_spiders = start(deck="printed", ring="N# NS# ES ESW NSW# NS# NE* NW")

    assert refusal("N#@-1,2", four_spiders) == ("ATTA-DECK-2", "The deck has no spider card like N# left.")
    assert after("S@-1,2", four_spiders).deck == 14


# Effects


def test_a_card_set_aside_counts_as_played() -> None:
    state = start(ring="NW* NS* NE* EW* EW SW NS ES")

    assert "@-" in " ".join(legal(state))
    assert after(".#@-", state).deck == 14
    assert after(".#@-", state).board == state.board


def test_first_step_may_cross_grass_but_a_second_follows_a_trail() -> None:
    state = after(f"{LAID} R1:N R2:E / Y1:N Y2:E / S1:E NS@0,3 /")

    assert {"R1:W", "R1:E", "R1:NN", "R1:SW"} <= set(legal(state))
    assert not {"R1:WS", "R1:EE", "R1:EN"} & set(legal(state))


def test_ant_may_turn_back_on_the_card_it_reached() -> None:
    assert ants(after(f"{LAID} R1:N R2:E / Y1:N Y2:E / S1:E NS@0,3 / R1:SN"))["R1"] == "0,1"


def test_an_ant_without_a_leaf_walks_through_the_nest_around_a_corner() -> None:
    assert ants(after(f"{LAID} R1:N R2:E / Y1:N Y2:E / S1:E NS@0,3 / R1:SW"))["R1"] == "-1,0"


def test_a_leaf_is_picked_up_carried_and_put_down() -> None:
    state = after(f"{OUT} NS@0,3 / R1:N-")

    assert ants(state)["R1"] == "0,2"
    assert describe(state)["leaves"] == {"0,1": 1, "1,0": 1, "0,-1": 2, "0,2": 1}


def test_ant_can_take_a_leaf_from_its_own_or_another_colony() -> None:
    assert ants(after(f"{LAID} R1:N+ R2:NxR1")) == {"R1": "0,1", "R2": "0,1+", "Y1": "0,0", "Y2": "0,0"}
    assert ants(after(f"{LAID} R1:N+ R2:N / Y1:NxR1N"))["Y1"] == "0,2+"


def test_leaf_brought_home_becomes_the_ant_with_the_lowest_free_number() -> None:
    state = after(HOME)

    assert ants(state) == {"R1": "0,0", "R2": "1,0+", "R3": "0,0", "Y1": "0,1", "Y2": "1,0"}
    assert describe(state)["ants"]["R3"] == {"at": "0,0", "leaf": False, "moved": False, "new": True}
    assert describe(state)["leaves"] == {"0,1": 1, "1,0": 1, "0,-1": 2}


def test_leaf_brought_home_with_six_ants_in_play_is_lost() -> None:
    state = after(f"{OUT} NS@0,3 /")
    six = state._replace(ants=(*state.ants[:2], 1, 1, 2, 2, *state.ants[6:]))

    home = after("R1:S", six)

    assert ants(home).keys() == ants(six).keys()
    assert (ants(home)["R1"], sum(home.leaves)) == ("0,0", sum(six.leaves))


def test_the_new_ant_moves_in_the_next_round() -> None:
    assert "R3:N" in legal(after(f"{HOME} / NES@-1,-2"))


def test_ants_in_the_nest_must_leave_unless_spiders_sit_all_around() -> None:
    state = after(LAID)
    around = state._replace(spiders=tuple(state.board.around(0)))

    assert "/" not in legal(state)
    assert legal(around) == ["/"]


def test_the_ant_that_brought_a_leaf_home_need_not_leave() -> None:
    assert "/" in legal(after(HOME))


# Spiders


def spider_after(tokens: str, seats: str = "R Y") -> str:
    spider: str = describe(after(tokens, start(seats)))["spiders"]["S1"]
    return spider


def test_spiders_stay_when_all_ants_are_in_the_nest() -> None:
    assert spider_after(f"{LAID} R1:N R2:E / Y1:N Y2:E / S1:E .#@0,-2 Y1:S Y2:W / R1:S R2:W /") == "0,-1"


def test_spider_passes_a_single_ant_to_reach_a_group() -> None:
    assert spider_after(f"{LAID} R1:N R2:N / Y1:N Y2:S /") == "-1,0"


def test_a_spider_goes_around_the_nest() -> None:
    assert spider_after(f"{LAID} R1:E R2:E / Y1:E Y2:N /") == "0,-1"


def test_player_chooses_between_two_equally_near_targets() -> None:
    assert legal(after(f"{LAID} R1:N R2:E / Y1:N Y2:E /")) == ["S1:N", "S1:E"]


def test_eaten_ants_drop_their_leaves_and_can_return() -> None:
    state = after(f"{LAID} R1:S+ R2:N+ / Y1:S Y2:E /")

    assert ants(state) == {"R2": "0,1+", "Y2": "1,0"}
    assert describe(state)["leaves"] == {"0,1": 1, "1,0": 2, "0,-1": 2}
    assert describe(state)["eaten"] == {"R": 1, "Y": 1}
    assert ants(after("NS@0,3 / R2:S", state))["R1"] == "0,0"


def test_spiders_move_only_after_the_last_choice() -> None:
    choosing = after(f"{LAID} R1:N R2:E / Y1:N Y2:E / S1:E NS@0,3 Y2:N / /")
    second = choosing._replace(spiders=(*choosing.spiders, choosing.spiders[0]), ways=choosing.ways * 2)

    assert legal(choosing) == ["S1:E", "S1:W"]
    assert after("S1:W", second).spiders == second.spiders
    assert legal(after("S1:W", second)) == ["S2:E", "S2:W"]
    assert describe(after("S1:W S2:E", second))["spiders"] == {"S1": "-1,-1", "S2": "1,-1"}


def test_spiders_share_a_card() -> None:
    state = after(f"{LAID} R1:N R2:N / Y1:N Y2:N")
    both = state._replace(spiders=(state.spiders[0],) * 2)

    assert describe(after("/", both))["spiders"] == {"S1": "-1,0", "S2": "-1,0"}


@pytest.mark.parametrize("token", ["O6:E", "O1:N", "O6:E+", "O6:E-"])
def test_ant_of_an_unused_colour_is_rejected(token: str) -> None:
    placing = start("R Y")
    placing = placing._replace(ants=(*placing.ants[:-1], 0))  # including the last ant of the last colony

    assert refusal(token, placing) == ("ATTA-PHASE-1", CARD_FIRST)
