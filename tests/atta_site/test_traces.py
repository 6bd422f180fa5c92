"""Requests, their statements and the tasks that they cause are one trace, sent to a collector if one is named."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests import sites
from tests.conftest import Worker, of_this_run
from tests.games.receiver import Receiver, receiving

TRACE, PARENT = "a" * 32, "b" * 16
ASK = f"""
import django
django.setup()
from atta_site import traces
traces.start()
from django.test import Client
Client().get("/j/ada-secret/", {{"name": "ada-secret"}}, headers={{"traceparent": "00-{TRACE}-{PARENT}-01"}})
headers = {{"X-Request-ID": "proxy-17", "User-Agent": "ada-secret"}}
Client().get("/robots.txt", headers=headers, REMOTE_ADDR="192.0.2.77")
"""


@pytest.fixture
def collector() -> Iterator[Receiver]:
    with receiving() as receiver:
        receiver.status = 200
        yield receiver


def spans(collector: Receiver) -> list[Span]:
    """Return the spans that a collector has."""
    bodies = [ExportTraceServiceRequest.FromString(body) for path, _, body in collector.heard if path == "/v1/traces"]
    return [span for body in bodies for of in body.resource_spans for scope in of.scope_spans for span in scope.spans]


def ask(**environment: str) -> list[dict[str, Any]]:
    """Return the log lines of a process that asks for two pages."""
    given = os.environ | {"DJANGO_SETTINGS_MODULE": "atta_site.settings"} | environment
    done = subprocess.run([sys.executable, "-c", ASK], env=given, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_request_continues_the_trace_that_its_header_names_as_do_its_log_lines(collector: Receiver) -> None:
    lines = ask(OTEL_EXPORTER_OTLP_ENDPOINT=f"http://{collector.place}")
    asked, other = (one for one in spans(collector) if one.kind == Span.SPAN_KIND_SERVER)
    assert (asked.trace_id.hex(), asked.parent_span_id.hex()) == (TRACE, PARENT)
    assert other.name == "GET robots.txt"
    logged = [(line["trace_id"], line["request"]) for line in lines if line["event"] == "request"]
    assert logged == [(TRACE, TRACE), (other.trace_id.hex(), "proxy-17")]
    assert all(word not in b"".join(body for *_, body in collector.heard) for word in (b"ada-secret", b"192.0.2.77"))


@pytest.mark.full
@pytest.mark.parametrize("switch", ["OTEL_SDK_DISABLED=true", "OTEL_TRACES_EXPORTER=none"])
def test_traces_are_switched_off_by_the_variables_of_opentelemetry(collector: Receiver, switch: str) -> None:
    name, _, value = switch.partition("=")
    lines = ask(OTEL_EXPORTER_OTLP_ENDPOINT=f"http://{collector.place}", **{name: value})
    assert not collector.heard
    assert all("trace_id" not in line for line in lines)


def test_nothing_is_loaded_without_a_collector() -> None:
    loaded = "import sys; from atta_site import traces; traces.start(); assert 'opentelemetry' not in sys.modules"
    subprocess.run([sys.executable, "-c", loaded], env=os.environ, check=True)


@pytest.mark.full
def test_process_without_the_extra_says_so_and_goes_on(collector: Receiver) -> None:
    missing = "import sys; sys.modules['opentelemetry'] = None; import atta_site.asgi"
    given = os.environ | {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://{collector.place}"}
    done = subprocess.run([sys.executable, "-c", missing], env=given, capture_output=True, text=True, check=True)
    assert "traces.unavailable" in done.stderr


@pytest.mark.full
def test_statements_and_tasks_belong_to_the_trace_of_their_request(
    collector: Receiver, stopped_worker: Worker, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://{collector.place}")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    stopped_worker.start(concurrency=1)
    given = {"Authorization": f"Bearer {AuthToken.objects.create(alice)[1]}", "traceparent": f"00-{TRACE}-{PARENT}-01"}
    with sites.web(tmp_path, of_this_run()) as site:
        assert site.ask("/api/v1/uploads", data=b"x", Content_Type="text/plain", **given).status == 202
        deadline, names = time.monotonic() + sites.PATIENCE, set[str]()
        while not {"POST api/v1/uploads", "INSERT", "run/games.tasks.verify_waiting"} <= names:
            assert time.monotonic() < deadline, names
            time.sleep(0.05)
            names = {span.name for span in spans(collector) if span.trace_id.hex() == TRACE}
