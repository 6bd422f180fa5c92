"""The health endpoint reports whether the site can work and does work."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client

from atta_site import health, statics

Browse = Callable[..., Client]


def test_healthy_idle_site_reports_no_problem(db: None, browse: Browse) -> None:
    answer = browse().get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"database": "reachable", "oldest_waiting_seconds": None, "alarms": 0}


def test_health_reports_the_age_of_the_oldest_waiting_log(
    db: None, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "oldest_waiting_seconds", lambda: 42)
    assert browse().get("/health").json()["oldest_waiting_seconds"] == 42


def test_health_returns_503_when_the_database_is_unreachable(
    transactional_db: None, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "PORT", 1)
        patch.setitem(connection.settings_dict, "OPTIONS", {})
        answer = browse().get("/health")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json() == {"database": "unavailable", "oldest_waiting_seconds": None}


def test_process_that_is_not_ready_sends_retry_after(db: None, browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statics, "problem", lambda: "no manifest")
    answers = [browse().get(path) for path in ("/health", "/health/ready")]
    assert [(answer.status_code, answer["Retry-After"]) for answer in answers] == [(503, "5")] * 2


def test_health_response_is_never_cached(db: None, browse: Browse) -> None:
    assert "no-store" in browse().get("/health")["Cache-Control"]


def test_health_accepts_only_get(browse: Browse) -> None:
    assert browse().post("/health").status_code == 405
