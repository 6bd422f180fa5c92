"""Messages expire by the database's clock, whatever a worker's own clock says."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from celery.worker.request import Request
from kombu.message import Message
from kombu.utils.imports import symbol_by_name

from atta_site import clock
from atta_site.celery import app
from games import tasks

HOUR = 3600.0


@pytest.fixture(autouse=True)
def _own_clock() -> Iterator[None]:
    yield
    clock.learn(0)


def received(*, expires: datetime) -> Request:
    """Return a message as a worker receives it."""
    headers = {"id": "1", "task": tasks.sweep.name, "expires": expires.isoformat(), "lang": "py"}
    body = json.dumps([[], {}, {}])
    message = Message(body, headers=headers, content_type="application/json", content_encoding="utf-8")
    kind: type[Request] = symbol_by_name(app.tasks[tasks.sweep.name].Request)
    return kind(message, app=app)


def test_worker_with_a_fast_clock_takes_a_message_that_has_not_expired() -> None:
    sent_by_others = datetime.now(UTC) - timedelta(minutes=59)
    assert received(expires=sent_by_others).maybe_expire()
    clock.learn(HOUR)
    assert not received(expires=sent_by_others).maybe_expire()


def test_worker_with_a_slow_clock_drops_a_message_that_has_expired() -> None:
    sent_by_others = datetime.now(UTC) + timedelta(minutes=59)
    assert not received(expires=sent_by_others).maybe_expire()
    clock.learn(-HOUR)
    assert received(expires=sent_by_others).maybe_expire()


def test_worker_with_a_fast_clock_drops_a_message_that_has_expired() -> None:
    clock.learn(HOUR)
    assert received(expires=datetime.now(UTC) - timedelta(minutes=61)).maybe_expire()
