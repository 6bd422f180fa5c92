"""The health endpoints: does the process live, can it serve, and is anything left waiting."""

from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from atta_site import statics
from atta_site.errors import RETRY_AFTER
from games.platform import replica
from games.playing.reads.alarms import count_alarms
from games.verification.reads import oldest_waiting_seconds

_SERVING = frozenset({"reachable", "replica only"})

log = structlog.stdlib.get_logger(__name__)


@require_safe
@never_cache
def health(_request: HttpRequest) -> JsonResponse:
    """Answer 200 with the age of the oldest log that waits for verification; 503 when no page could be made.

    `alarms` counts played games of which something is wrong that nobody has looked at yet.

    A worker that hangs is seen by that age, not by its process: a process can live and do nothing.
    """
    if problem := statics.problem():
        return _unwell({"static_files": problem})
    try:
        waiting, alarms = oldest_waiting_seconds(), count_alarms()
    except (DatabaseError, InterfaceError) as problem:
        log.warning("database unavailable", problem=str(problem))
        return _unwell({"database": "unavailable", "oldest_waiting_seconds": None})
    return JsonResponse({"database": "reachable", "oldest_waiting_seconds": waiting, "alarms": alarms})


@require_safe
@never_cache
def live(_request: HttpRequest) -> JsonResponse:
    """Answer 200 as long as the process answers at all: if it does not, starting it again helps."""
    return JsonResponse({"process": "lives"})


@require_safe
@never_cache
def ready(_request: HttpRequest) -> JsonResponse:
    """Answer 200 when this process can serve pages, 503 with what is missing: starting it again does not help then.

    A process that reaches only the replica serves readers.
    """
    found = {"database": _database(), "static_files": statics.problem() or "ready"}
    is_ready = found["database"] in _SERVING and found["static_files"] == "ready"
    return JsonResponse(found) if is_ready else _unwell(found)


def _unwell(found: dict[str, Any]) -> JsonResponse:
    return JsonResponse(found, status=503, headers={"Retry-After": str(RETRY_AFTER)})


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError) as problem:
        log.warning("database unavailable", problem=str(problem))
        return "replica only" if replica.answers() else "unavailable"
    return "reachable"
