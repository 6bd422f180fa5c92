"""Slots for slow responses, and delays after failures."""

from datetime import timedelta
from threading import Timer

from games.platform.backoff import Backoff
from games.platform.slots import Slots


def test_slot_can_be_taken_and_released_only_once() -> None:
    slots = Slots()
    first = slots.take()
    assert first
    assert slots.take() is None
    first.close()
    first.close()
    with slots.take() or first:
        assert slots.take() is None
    assert slots.take()


def test_backoff_grows_with_each_attempt_and_ends_after_the_last() -> None:
    backoff = Backoff.of_minutes(1, 5)
    assert [backoff.after(attempts) for attempts in (1, 2, 3)] == [timedelta(minutes=m) for m in (1, 5, 5)]
    assert [backoff.is_over(attempts) for attempts in (1, 2, 3)] == [False, False, True]


def test_who_waits_for_a_slot_gets_it_when_it_is_free() -> None:
    slots = Slots()
    slot = slots.take()
    assert slot
    Timer(0, slot.close).start()
    assert slots.take(patience=20)
