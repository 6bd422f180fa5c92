"""Selecting actions in Army Ants: a card and its target; two cards; a run of cards from either end."""

from typing import Any

from engine.army_ants.ruleset import ARMY_ANTS
from engine.touching import position
from tests.engine.army_ants.table import BATTLE, after

Json = dict[str, Any]


def tree(tokens: str) -> list[Json]:
    nodes: list[Json] = position(ARMY_ANTS, [after(tokens)], ())["tree"]
    return nodes


def touch(nodes: list[Json], *targets: str) -> Json:
    node: Json = {"k": nodes}
    for target in targets:
        (node,) = [one for one in node["k"] if one["t"] == target]
    return node


def test_two_cards_swap_whichever_is_touched_first() -> None:
    nodes = tree("")

    assert touch(nodes, "R2a", "RAa")["a"] == touch(nodes, "RAa", "R2a")["a"] == "a1~a2"


def test_a_run_marches_whichever_end_is_touched_first() -> None:
    nodes = tree("")

    assert touch(nodes, "R2a", "R4a", "cell:c1")["a"] == "a1-b1E1"
    assert touch(nodes, "R4a", "R2a", "cell:c1")["a"] == "a1-b1E1"
    assert touch(nodes, "R2a", "R4a", "choice:~")["a"] == "a1~b1"


def test_target_of_two_actions_offers_a_choice() -> None:
    asked = touch(tree(BATTLE), "R7a", "cell:c4")

    assert [node["a"] for node in asked["k"]] == ["c3N1", "c3>c4"]
    assert asked["s"] == "2 ways"


def test_the_gambit_is_a_choice() -> None:
    assert touch(tree(""), "choice:QG")["a"] == "QG"
