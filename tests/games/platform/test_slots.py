"""Places for slow answers, and waits after failures."""

from datetime import timedelta

from games.platform.backoff import Backoff
from games.platform.slots import Slots


def test_a_place_is_had_once_and_given_back_once() -> None:
    slots = Slots()
    first = slots.take()
    assert first
    assert slots.take() is None
    first.close()
    first.close()
    with slots.take() or first:
        assert slots.take() is None
    assert slots.take()


def test_after_each_attempt_the_wait_is_the_next_and_after_the_last_it_is_over() -> None:
    backoff = Backoff.of_minutes(1, 5)
    assert [backoff.after(attempts) for attempts in (1, 2, 3)] == [timedelta(minutes=m) for m in (1, 5, 5)]
    assert [backoff.is_over(attempts) for attempts in (1, 2, 3)] == [False, False, True]
