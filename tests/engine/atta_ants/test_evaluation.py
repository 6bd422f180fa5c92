"""How good a position is for a colony depends on who moves before the spiders do, and on the rounds that are left."""

from engine.atta_ants.board import NOWHERE
from engine.atta_ants.evaluation import evaluate
from engine.atta_ants.state import ANTS, COLONY, PLACE, State
from tests.engine.atta_ants.table import start

NORTH_WEST, NORTH, NORTH_EAST, WEST = 1, 2, 3, 4
"""Slots of the ring."""
RED_1 = 1


def lone(red: int, yellow: int = NOWHERE, **others: object) -> State:
    """Return a turn of Red with one red ant outside the nest, at most one yellow one, and no spiders."""
    ants = ((red, *[NOWHERE] * (COLONY - 1)), (yellow, *[NOWHERE] * (COLONY - 1)))
    state = start()._replace(phase=ANTS, queue=(0, 1), ants=sum(ants, ()), spiders=())
    return state._replace(**others)  # type: ignore[arg-type]


def test_spider_beside_an_ant_matters_less_while_the_ant_can_still_walk_away() -> None:
    before, after = lone(NORTH_WEST, spiders=(WEST,)), lone(NORTH_WEST, spiders=(WEST,), moved=RED_1)

    assert evaluate(before, "R") > evaluate(after, "R") + 20


def test_ant_enclosed_by_spiders_is_worth_less_than_one_that_can_escape() -> None:
    free, enclosed = [lone(NORTH_WEST, phase=PLACE, spiders=spiders) for spiders in ((WEST,), (WEST, NORTH))]

    assert evaluate(free, "R") > evaluate(enclosed, "R") + 20


def test_carried_leaf_is_worth_nothing_when_no_round_is_left_to_bring_it_home() -> None:
    late = lone(NORTH, stock="", moved=RED_1, leaves=(0,) * 9)

    assert evaluate(late._replace(laden=RED_1), "R") == evaluate(late, "R")
    assert evaluate(late._replace(laden=RED_1, moved=0), "R") > evaluate(late._replace(moved=0), "R")


def test_carried_leaf_is_worth_less_where_another_colony_moves_first_and_can_take_it() -> None:
    far, near = [lone(NORTH_WEST, yellow, laden=RED_1) for yellow in (8, NORTH)]

    assert evaluate(far._replace(moved=RED_1), "R") == evaluate(far, "R")
    assert evaluate(near._replace(moved=RED_1), "R") < evaluate(near, "R") - 20


def test_carried_leaf_is_safe_from_ants_that_carry_one_themselves() -> None:
    both = 1 | 1 << COLONY
    robbed, safe = [lone(NORTH_WEST, NORTH, laden=laden, moved=RED_1) for laden in (RED_1, both)]

    assert evaluate(robbed, "R") == -evaluate(robbed, "Y")
    assert evaluate(safe, "R") == evaluate(lone(NORTH_WEST, 8, laden=both, moved=RED_1), "R")


def test_leaf_counts_for_more_the_closer_its_colony_is_to_six_ants() -> None:
    gains = list[float]()
    for count in (2, 4, 5):
        red = (NORTH, *[NOWHERE] * (COLONY - count), *[WEST] * (count - 1))
        state = lone(NORTH, ants=(*red, *[NOWHERE] * COLONY), leaves=(0,) * 9)
        gains.append(evaluate(state._replace(laden=RED_1), "R") - evaluate(state, "R"))

    assert gains == sorted(set(gains))
