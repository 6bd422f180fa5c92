"""Traces in the form of OpenTelemetry: a span for each request and task, sent by OTLP over HTTP where that is set.

A request's id, which its log lines and messages have, is its trace: so the tasks that it causes belong to the same one.
Nobody waits for the collector: spans go to a thread, which sends them every few seconds and drops the oldest when too
many wait.
"""

import json
import os
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPException
from urllib.request import Request, urlopen

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from atta_site.logs import TRACEPARENT

log = structlog.stdlib.get_logger(__name__)

EVERY = 2.0
"""Seconds between two sendings."""
_MOST = 2048
"""Spans that wait; older ones are dropped."""
_TIMEOUT = 5
_TRACE = re.compile(r"(?!0{32})[0-9a-f]{32}")
"""A trace of zeros only is not valid."""


class SpanKind(IntEnum):
    """What OTLP calls a span's kind."""

    SERVER = 2
    CONSUMER = 5


@dataclass(slots=True)
class Span:
    """A piece of work, in a trace that may have begun elsewhere."""

    name: str
    kind: SpanKind
    trace: str
    parent: str
    number: str = field(default_factory=lambda: secrets.token_hex(8))
    begun: int = field(default_factory=time.time_ns)
    failed: bool = False
    attributes: dict[str, str | int] = field(default_factory=dict)


def is_on() -> bool:
    """Say whether traces are sent."""
    return bool(settings.TRACES_ENDPOINT)


def trace_of(request: str) -> str:
    """Return the trace of a request: its id if it looks like a trace, else a digest of it; a new one without an id."""
    if not request:
        return secrets.token_hex(16)
    return request if _TRACE.fullmatch(request) else sha256(request.encode()).hexdigest()[:32]


def span_of(request: str) -> str:
    """Return the id of a request's span, which its tasks give as their parent; empty if the request has no id."""
    return sha256(f"span {request}".encode()).hexdigest()[:16] if request else ""


def of_task(name: str, request: str) -> Span:
    """Begin the span of a task that a request has caused, if any."""
    return Span(name, SpanKind.CONSUMER, trace_of(request), span_of(request))


def end(span: Span) -> None:
    """End a span; it is sent soon."""
    _sender.put(_otlp(span, time.time_ns()))


class Traces:
    """Middleware: traces requests under the pattern of their address, never the address itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the rest of the chain. :raises MiddlewareNotUsed: when no endpoint is set."""
        if not is_on():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        number = str(structlog.contextvars.get_contextvars().get("request", ""))
        found = TRACEPARENT.fullmatch(request.headers.get("traceparent", ""))
        parent = found[2] if found and found[1] == number else ""
        span = Span(request.method or "", SpanKind.SERVER, trace_of(number), parent, span_of(number))
        response = self.get_response(request)
        route = f"/{request.resolver_match.route}" if request.resolver_match else "none"
        span.name = f"{request.method} {route}"
        span.failed = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
        span.attributes |= {"http.request.method": request.method or "", "http.route": route}
        span.attributes |= {"http.response.status_code": response.status_code}
        end(span)
        return response


class _Sender:
    """Sends spans from a thread of its own; a forked process gets another one."""

    def __init__(self) -> None:
        self._waiting: deque[dict[str, object]] = deque(maxlen=_MOST)
        self._process = 0
        self._lock = threading.Lock()

    def put(self, span: dict[str, object]) -> None:
        """Have a span sent."""
        with self._lock:
            if self._process != os.getpid():
                self._process = os.getpid()
                self._waiting.clear()  # the process that forked sends its own
                threading.Thread(target=self._send_forever, name="traces", daemon=True).start()
            self._waiting.append(span)

    def _send_forever(self) -> None:
        while True:
            time.sleep(EVERY)
            with self._lock:
                spans = list(self._waiting)
                self._waiting.clear()
            if spans:
                self._send(spans)

    def _send(self, spans: list[dict[str, object]]) -> None:
        service = {"attributes": _attributes({"service.name": "atta"})}
        body = {"resourceSpans": [{"resource": service, "scopeSpans": [{"scope": {"name": "atta"}, "spans": spans}]}]}
        address = f"{settings.TRACES_ENDPOINT.rstrip('/')}/v1/traces"
        request = Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310 - a setting
        try:
            with urlopen(request, timeout=_TIMEOUT):  # noqa: S310 - a setting
                pass
        except (OSError, HTTPException) as problem:
            log.info("traces.unsent", count=len(spans), problem=str(problem))


_sender = _Sender()


def _otlp(span: Span, ended: int) -> dict[str, object]:
    """Return a span in the JSON form of OTLP."""
    return {
        "traceId": span.trace,
        "spanId": span.number,
        "parentSpanId": span.parent,
        "name": span.name,
        "kind": int(span.kind),
        "startTimeUnixNano": str(span.begun),
        "endTimeUnixNano": str(ended),
        "attributes": _attributes(span.attributes),
        "status": {"code": 2 if span.failed else 0},
    }


def _attributes(given: dict[str, str | int]) -> list[dict[str, object]]:
    return [
        {"key": name, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for name, value in given.items()
    ]
