"""Traces by OpenTelemetry's own instrumentation, where its variables name a collector and the extra `traces` is there.

Requests, statements and tasks become spans. Its other variables, as OTEL_TRACES_SAMPLER, say what they say everywhere.
"""
# ruff: noqa: PLC0415 - an extra, which is imported only where it is wanted

import os
import sys

import structlog
from django.http import HttpRequest
from structlog.typing import EventDict

log = structlog.stdlib.get_logger(__name__)

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_SHOWN = frozenset({"http.method", "http.request.method", "http.scheme", "url.scheme", "http.flavor"})
"""What a span keeps of a request besides its route and status: an address has names and secrets, the rest says who."""


def start() -> None:
    """Trace what this process does from now on, if a collector is named; without the extra, say that it is missing."""
    off = _env("OTEL_SDK_DISABLED").lower() == "true" or _env("OTEL_TRACES_EXPORTER") == "none"
    if off or not any(map(_env, _ENDPOINTS)):
        return
    try:
        _instrument({name.strip() for name in _env("OTEL_PYTHON_DISABLED_INSTRUMENTATIONS").split(",")})
    except ModuleNotFoundError as missing:
        log.warning("traces.unavailable", problem=f"{missing}: install the extra `traces`.")


def _instrument(without: set[str]) -> None:
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.celery import CeleryInstrumentor
    from opentelemetry.instrumentation.django import DjangoInstrumentor
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if "service.name=" not in _env("OTEL_RESOURCE_ATTRIBUTES"):
        os.environ.setdefault("OTEL_SERVICE_NAME", "atta")
    os.environ.setdefault("OTEL_EXPORTER_OTLP_TIMEOUT", "3")  # so long does a process that ends wait for a collector
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    # Before `Requests`, whose line has the trace, too.
    DjangoInstrumentor().instrument(middleware_position=0, request_hook=_hide)
    CeleryInstrumentor().instrument()  # type: ignore[no-untyped-call]
    if "psycopg" not in without:
        PsycopgInstrumentor().instrument()


def _env(name: str) -> str:
    return os.environ.get(name, "").strip()


def _hide(span: object, _: HttpRequest) -> None:
    from opentelemetry.sdk.trace import Span

    if isinstance(span, Span):  # not one that no sample has
        for name in (span.attributes or {}).keys() - _SHOWN:
            span.set_attribute(name, None)


def add_to_line(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Add to a log line the trace that it belongs to."""
    if opentelemetry := sys.modules.get("opentelemetry.trace"):
        context = opentelemetry.get_current_span().get_span_context()
        if context.is_valid:
            line["trace_id"] = opentelemetry.format_trace_id(context.trace_id)
    return line
