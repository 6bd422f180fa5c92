"""Scheduling: addresses take turns, and the queue is bounded."""

import pytest

from atta_site.serving.turns import Bounds, CrowdedError, Turns
from games.platform.shares import FullError


def turns(most: int = 100, each: int = 100, at_a_time: int = 100, *, waiting: str = "") -> Turns[str]:
    """Return a queue with waiting requests, each named by its address and a number."""
    made = Turns[str](Bounds(most, each, at_a_time))
    for number, address in enumerate(waiting):
        made.put(address, f"{address}{number}")
    return made


def order(queue: Turns[str]) -> list[str]:
    """Return all requests that may be served, in order."""
    return [taken[1] for taken in iter(queue.take, None)]


def test_addresses_take_turns_regardless_of_their_number_of_requests() -> None:
    assert order(turns(waiting="aaaabbc")) == ["a0", "b4", "c6", "a1", "b5", "a2", "a3"]


def test_address_at_its_concurrency_limit_lets_others_go_first() -> None:
    queue = turns(at_a_time=2, waiting="aaab")

    assert order(queue) == ["a0", "b3", "a1"]
    queue.end("a")
    assert order(queue) == ["a2"]


def test_address_may_queue_a_limited_number_of_requests() -> None:
    queue = turns(each=2, waiting="aa")

    with pytest.raises(CrowdedError):
        queue.put("a", "a2")
    assert queue.put("b", "b0") is None


def test_full_queue_drops_a_request_of_the_busiest_address() -> None:
    queue = turns(most=4, waiting="aaab")

    assert queue.put("c", "c4") == "a2"
    assert order(queue) == ["a0", "b3", "c4", "a1"]


def test_full_queue_rejects_an_address_with_as_many_requests_as_any_other() -> None:
    queue = turns(most=4, waiting="aabb")

    with pytest.raises(FullError):
        queue.put("a", "a4")
    assert len(order(queue)) == 4


def test_dropped_request_is_not_served_and_frees_its_place() -> None:
    queue = turns(most=2, waiting="ab")

    assert (queue.drop("a", "a0"), queue.drop("a", "a0"), queue.drop("c", "c0")) == (True, False, False)
    assert queue.put("c", "c2") is None
    assert order(queue) == ["b1", "c2"]


def test_no_state_remains_for_an_address_without_requests() -> None:
    queue = turns(waiting="aab")
    for address in [taken[0] for taken in iter(queue.take, None)]:
        queue.end(address)

    assert (queue._waiting, queue._under_way, queue._number) == ({}, {}, 0)
