"""Rate limits, at chosen moments."""

from datetime import datetime, timedelta

import pytest

from games.models import Throttle
from games.platform.rate_limits import Limit, count, forget_old, uncount

pytestmark = pytest.mark.django_db

TWICE = Limit(2, timedelta(minutes=1))


def at(now: datetime, *seconds: float) -> list[int]:
    return [count("ada", TWICE, now=now + timedelta(seconds=after)) for after in seconds]


def test_caller_over_the_limit_must_wait_until_the_period_ends(now: datetime) -> None:
    assert at(now, 0, 10, 20, 59.5) == [0, 0, 40, 1]


def test_period_begins_with_the_first_request(now: datetime) -> None:
    assert at(now, 0, 59, 60, 61, 62) == [0, 0, 0, 0, 58]


def test_repeated_requests_do_not_extend_the_wait(now: datetime) -> None:
    assert at(now, 0, 0, *[30] * 50, 60) == [0, 0, *[30] * 50, 0]


def test_each_key_is_counted_separately(now: datetime) -> None:
    assert at(now, 0, 0, 0)[-1] == 60
    assert count("bruno", TWICE, now=now) == 0


def test_count_can_be_reset(now: datetime) -> None:
    at(now, 0, 0)
    uncount("ada")
    assert at(now, 0, 0) == [0, 60]


def test_expired_counts_are_deleted(now: datetime) -> None:
    Throttle.objects.all().delete()  # remove earlier counts
    at(now, 0)
    count("bruno", TWICE, now=now + timedelta(seconds=30))
    assert forget_old(now=now + timedelta(seconds=60)) == 1
    assert [row.key for row in Throttle.objects.all()] == ["bruno"]
