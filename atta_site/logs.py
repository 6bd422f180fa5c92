"""How log lines are made: one JSON object a line for machines, a readable line in a terminal."""

import re
import uuid
from typing import Any

import structlog
from structlog.typing import Processor

from atta_site import traces

SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    traces.add_to_line,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
)
# Without the values of variables, which may be secrets or private games.
TRACEBACKS = structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False))
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
TRACEPARENT = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}")
"""W3C Trace Context: the trace, which becomes the request's id, and its span. Neither may consist of zeros only."""


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
            # `requests.py` writes every request already, the refused ones too.
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


def request_id(given: str, traced: str) -> str:
    """Return the id or the trace that a proxy gave, if it is safe to log, otherwise a new one."""
    if REQUEST_ID.fullmatch(given):
        return given
    trace = TRACEPARENT.fullmatch(traced)
    return trace[1] if trace else uuid.uuid4().hex
