"""Requests and the tasks that they cause are one trace, sent to a collector if one is set."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from celery.signals import before_task_publish, task_postrun, task_prerun
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from atta_site import traces
from atta_site.request_log import RequestLog
from games import tasks
from tests.games.receiver import Receiver, receiving

GIVEN = f"00-{'a' * 32}-{'b' * 16}-01"


@pytest.fixture
def collector(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setattr(traces, "EVERY", 0.05)
    with receiving() as receiver:
        settings.TRACES_ENDPOINT = f"http://{receiver.place}"
        monkeypatch.setattr(traces, "_sender", traces._Sender())
        yield receiver


def spans(collector: Receiver, count: int) -> list[dict[str, Any]]:
    """Return the spans that a collector got, once there are as many."""
    deadline, found = time.monotonic() + 20, list[dict[str, Any]]()
    while len(found) < count:
        assert time.monotonic() < deadline, found
        time.sleep(0.02)
        bodies = [json.loads(body) for path, _, body in collector.heard if path == "/v1/traces"]
        found = [span for body in bodies for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]]
    return found


def answer(_: HttpRequest) -> HttpResponse:
    """Send a message to a worker, do its task, and fail."""
    headers: dict[str, object] = {}
    before_task_publish.send(sender=tasks.sweep.name, headers=headers)
    answer.sent = headers.get("request_id")  # type: ignore[attr-defined]
    return HttpResponse(status=503)


def test_without_an_endpoint_nothing_is_traced() -> None:
    with pytest.raises(MiddlewareNotUsed):
        traces.Traces(answer)


def test_request_continues_the_trace_that_its_header_names(collector: Receiver) -> None:
    RequestLog(traces.Traces(answer))(RequestFactory().get("/players/ada-secret/", headers={"traceparent": GIVEN}))
    (span,) = spans(collector, 1)
    assert (span["traceId"], span["parentSpanId"]) == ("a" * 32, "b" * 16)
    assert (span["name"], span["status"]) == ("GET none", {"code": 2})
    assert "ada-secret" not in json.dumps(span)


@pytest.mark.parametrize("headers", [{}, {"X-Request-ID": "proxy-17"}], ids=["own", "proxy"])
def test_task_belongs_to_the_trace_of_its_request(collector: Receiver, headers: dict[str, str]) -> None:
    RequestLog(traces.Traces(answer))(RequestFactory().get("/", headers=headers))
    tasks.sweep.push_request(headers={"request_id": answer.sent})  # type: ignore[attr-defined, call-arg]
    task_prerun.send(sender=tasks.sweep, task=tasks.sweep, task_id="1")
    task_postrun.send(sender=tasks.sweep, task=tasks.sweep, task_id="1", state="FAILURE")
    tasks.sweep.pop_request()
    asked, done = spans(collector, 2)
    assert (done["traceId"], done["parentSpanId"]) == (asked["traceId"], asked["spanId"])
    assert (done["name"], done["status"]) == ("sweep", {"code": 2})


def test_spans_are_sent_after_a_collector_answered_with_garbage(collector: Receiver) -> None:
    collector.status = 99_999  # no HTTP status
    for count in (1, 2):
        RequestLog(traces.Traces(answer))(RequestFactory().get("/"))
        spans(collector, count)


@pytest.mark.parametrize(
    "headers",
    [{"traceparent": f"00-{'0' * 32}-{'b' * 16}-01"}, {"X-Request-ID": "0" * 32}],
    ids=["traceparent", "request-id"],
)
def test_trace_of_zeros_is_not_continued(collector: Receiver, headers: dict[str, str]) -> None:
    RequestLog(traces.Traces(answer))(RequestFactory().get("/", headers=headers))
    (span,) = spans(collector, 1)
    assert span["traceId"] != "0" * 32
