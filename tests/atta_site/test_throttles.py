"""API requests are counted once each, across all processes."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from games.models import Throttle

Call = Callable[..., APIClient]


@pytest.fixture
def two_a_minute(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Throttle.objects.all().delete()  # remove earlier counts
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"anon": "2/minute", "user": "2/minute"})


def statuses(client: APIClient, times: int) -> list[int]:
    return [client.get("/api/v1/games").status_code for _ in range(times)]


def test_a_visitor_who_asks_too_often_has_to_wait(db: None, call: Call, two_a_minute: None) -> None:
    assert statuses(call(), 3) == [200, 200, 429]


def test_each_account_is_throttled_separately(alice: User, bob: User, call: Call, two_a_minute: None) -> None:
    assert statuses(call(alice), 3) == [200, 200, 429]
    assert statuses(call(bob), 1) == [200]


def test_forged_forwarded_header_does_not_evade_the_throttle(db: None, call: Call, two_a_minute: None) -> None:
    client = call()
    answers = [client.get("/api/v1/games", headers={"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(3)]
    assert answers == [200, 200, 429]


def test_one_ipv6_network_is_throttled_as_one_client(db: None, call: Call, two_a_minute: None) -> None:
    addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::dead:beef", "2001:db8:0:1::1"]
    answers = [call().get("/api/v1/games", REMOTE_ADDR=address).status_code for address in addresses]
    assert answers == [200, 200, 429, 200]


def test_throttled_client_gets_retry_after(db: None, call: Call, two_a_minute: None) -> None:
    client = call()
    refused = [client.get("/api/v1/games") for _ in range(3)][-1]
    assert 0 < int(refused["Retry-After"]) <= 60


def test_a_request_is_counted_once(db: None, call: Call) -> None:
    with CaptureQueriesContext(connection) as queries:
        call().get("/api/v1/games")
    assert sum("games_throttle" in query["sql"] for query in queries) == 1


@pytest.mark.full
def test_concurrent_requests_cannot_exceed_the_limit(
    transactional_db: None, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"anon": "30/minute", "user": "30/minute"})

    def ask(_: int) -> int:
        try:
            return call().get("/api/v1/games").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = Counter(threads.map(ask, range(80)))
    assert answers == {200: 30, 429: 50}


def test_throttle_and_cache_tables_are_unlogged(transactional_db: None) -> None:
    call_command("prepare", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT relpersistence FROM pg_class WHERE relname IN ('cache', 'games_throttle')")
        assert cursor.fetchall() == [("u",), ("u",)]
    cache.set("kept", 1)
    assert cache.get("kept") == 1
