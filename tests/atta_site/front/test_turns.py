"""Who is next: addresses take turns, and what waits is bounded."""

import pytest

from atta_site.front.shares import FullError
from atta_site.front.turns import Bounds, CrowdedError, Turns


def turns(most: int = 100, each: int = 100, at_a_time: int = 100, *, waiting: str = "") -> Turns[str]:
    """A queue in which so many wait, each named by its address and a number."""
    made = Turns[str](Bounds(most, each, at_a_time))
    for number, address in enumerate(waiting):
        made.put(address, f"{address}{number}")
    return made


def order(queue: Turns[str]) -> list[str]:
    """All that may be taken, in its order."""
    return [taken[1] for taken in iter(queue.take, None)]


def test_addresses_take_turns_however_many_requests_one_has() -> None:
    assert order(turns(waiting="aaaabbc")) == ["a0", "b4", "c6", "a1", "b5", "a2", "a3"]


def test_an_address_has_so_many_under_way_and_the_others_go_first_then() -> None:
    queue = turns(at_a_time=2, waiting="aaab")

    assert order(queue) == ["a0", "b3", "a1"]
    queue.end("a")
    assert order(queue) == ["a2"]


def test_an_address_has_so_many_waiting() -> None:
    queue = turns(each=2, waiting="aa")

    with pytest.raises(CrowdedError):
        queue.put("a", "a2")
    assert queue.put("b", "b0") is None


def test_in_a_full_queue_the_address_with_most_gives_way() -> None:
    queue = turns(most=4, waiting="aaab")

    assert queue.put("c", "c4") == "a2"
    assert order(queue) == ["a0", "b3", "c4", "a1"]


def test_in_a_full_queue_nobody_gives_way_to_an_address_that_has_as_many() -> None:
    queue = turns(most=4, waiting="aabb")

    with pytest.raises(FullError):
        queue.put("a", "a4")
    assert len(order(queue)) == 4


def test_what_is_dropped_is_not_taken_and_makes_room() -> None:
    queue = turns(most=2, waiting="ab")

    assert (queue.drop("a", "a0"), queue.drop("a", "a0"), queue.drop("c", "c0")) == (True, False, False)
    assert queue.put("c", "c2") is None
    assert order(queue) == ["b1", "c2"]


def test_nothing_is_kept_of_an_address_that_has_gone() -> None:
    queue = turns(waiting="aab")
    for address in [taken[0] for taken in iter(queue.take, None)]:
        queue.end(address)

    assert (queue._waiting, queue._under_way, queue._number) == ({}, {}, 0)
