"""How log lines are made: one JSON object a line for machines, a readable line in a terminal."""

import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from structlog.typing import Processor

SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
)
# Without the values of variables, which may be secrets or private games.
TRACEBACKS = structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False))
_SECRET = re.compile(r"^(/(?:i|j|mails/stop|api/v1/joins)/)[^/]+")
"""Addresses that hold a secret, which no log may know."""
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

log = structlog.stdlib.get_logger(__name__)


def configure(form: str, level: str) -> dict[str, Any]:
    """Set structlog up and return Django's LOGGING; `form` is `json` or `console`."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": _formatter(form)},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django adds its own handlers to these two; here everything goes through the root logger.
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            # `requests` below writes every request already, the refused ones too.
            "django.request": {"level": "ERROR"},
            # The sweep runs every five seconds; only its failures are logged.
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }


def _formatter(form: str) -> dict[str, Any]:
    renderers: list[Processor] = (
        [TRACEBACKS, structlog.processors.JSONRenderer()] if form == "json" else [structlog.dev.ConsoleRenderer()]
    )
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": SHARED,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
    }


TRACEPARENT = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}")
"""W3C Trace Context: the trace, which becomes the request's id, and its span. Neither may consist of zeros only."""


class RequestLog:
    """Middleware: gives a request an id, adds it to every line and to the answer, and writes one line a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the rest of the chain."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its id in `X-Request-ID`."""
        number = request_id(request.headers.get("X-Request-ID", ""), request.headers.get("traceparent", ""))
        with structlog.contextvars.bound_contextvars(request=number):
            begin = time.perf_counter()
            response = self.get_response(request)
            milliseconds = round((time.perf_counter() - begin) * 1000, 1)
            log.info(
                "request",
                method=request.method,
                path=_SECRET.sub(r"\1…", request.path),
                status=response.status_code,
                milliseconds=milliseconds,
            )
        response["X-Request-ID"] = number
        return response


def request_id(given: str, traced: str) -> str:
    """Return the id or the trace that a proxy gave, if it is safe to log, otherwise a new one."""
    if REQUEST_ID.fullmatch(given):
        return given
    trace = TRACEPARENT.fullmatch(traced)
    return trace[1] if trace else uuid.uuid4().hex
