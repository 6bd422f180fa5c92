"""Selecting actions in Atta Ants: a card and its place, an ant and its path, a leaf on the way."""

from typing import Any

from engine.atta_ants.state import State
from engine.touching import position
from tests.engine.atta_ants.bots import ruleset_of
from tests.engine.atta_ants.table import after, start

Json = dict[str, Any]


def shown(state: State, drawn: str | None = None) -> Json:
    return position(ruleset_of("online"), [state], (), drawn=drawn)


def touch(nodes: list[Json], *targets: str) -> Json:
    """Return the node reached by some selections."""
    node: Json = {"k": nodes}
    for target in targets:
        (node,) = [one for one in node["k"] if one["t"] == target]
    return node


def ends(nodes: list[Json]) -> list[str]:
    return [node["a"] for node in nodes if "a" in node]


def test_a_card_is_touched_then_its_place_then_how_it_is_turned() -> None:
    answer = shown(start())
    there = touch(answer["tree"], "choice:card:NE*", "place:0,2")

    assert answer["places"]["place:0,2"] == {"x": -48, "y": -248, "w": 96, "h": 96}
    assert sorted(ends(there["k"])) == ["ES*@0,2", "SW*@0,2"]
    assert {node["g"]["turn"] for node in there["k"]} == {90, 180}


def test_card_with_one_fitting_rotation_offers_no_choice() -> None:
    node = touch(shown(start())["tree"], "choice:card:NESW", "place:0,2")

    assert (node["a"], node["c"]) == ("NESW@0,2", "Red lays NESW at 0,2.")
    assert "k" not in node


def test_known_drawn_card_offers_its_places_first() -> None:
    answer = shown(start(), drawn="SW*")

    assert answer["picker"] is None
    assert {node["t"][:6] for node in answer["tree"]} == {"place:"}
    assert ends(touch(answer["tree"], "place:0,2")["k"]) == ["ES*@0,2", "SW*@0,2"]


def test_card_picker_shows_how_many_of_each_card_are_left() -> None:
    picker = shown(start())["picker"]
    plain = {card["part"]: (card["left"], card["of"]) for card in picker["groups"][2]["cards"]}

    assert [group["label"] for group in picker["groups"]] == ["Leaf", "Spider", "Plain"]
    assert plain["NESW"] == (3, 3)
    assert plain["NE"] == (0, 2)


def test_ant_walks_step_by_step_or_directly_to_the_end_of_two_steps() -> None:
    tree = shown(after("NESW@0,2"))["tree"]

    assert touch(tree, "R1", "card:0,1")["a"] == "R1:N"
    assert touch(tree, "R1", "card:0,1", "card:0,2")["a"] == "R1:NN"
    direct = touch(tree, "R1", "card:0,2")
    assert (direct["a"], direct["p"], direct["d"]) == ("R1:NN", "NN", "2")
    assert direct["c"] == "R1 walks north twice."


def test_a_leaf_is_taken_before_between_or_after_the_steps() -> None:
    tree = shown(after("NESW@0,2"))["tree"]

    assert touch(tree, "R1", "card:0,1", "choice:+")["a"] == "R1:N+"
    assert touch(tree, "R1", "card:0,1", "choice:+", "card:0,2")["a"] == "R1:N+N"


def test_leaf_is_stolen_by_selecting_the_ant_that_carries_it() -> None:
    tree = shown(after("NESW@0,2 R1:N+ R2:E /"))["tree"]

    assert touch(tree, "Y1", "card:0,1", "R1")["a"] == "Y1:NxR1"


def test_ants_that_must_leave_the_nest_are_listed_until_they_have_left() -> None:
    before, then = shown(after("NESW@0,2"))["must"], shown(after("NESW@0,2 R1:N"))["must"]

    assert [must["target"] for must in before] == ["R1", "R2"]
    why = "Ant R2 was in the nest when the turn began and must leave it."
    assert then == [{"target": "R2", "why": why, "rule": "ATTA-NEST-4"}]
