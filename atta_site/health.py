"""The health endpoint: is the database there, and is anything left waiting."""

import structlog
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import selectors

log = structlog.stdlib.get_logger(__name__)


@require_safe
@never_cache
def health(_request: HttpRequest) -> JsonResponse:
    """Answer 200 with the age of the oldest log that waits for verification, 503 when the database is away.

    A worker that hangs is seen by that age, not by its process: a process can live and do nothing.
    """
    try:
        waiting = selectors.oldest_waiting_seconds()
    except (DatabaseError, InterfaceError) as problem:
        log.warning("database away", problem=str(problem))
        return JsonResponse({"database": "away", "oldest_waiting_seconds": None}, status=503)
    return JsonResponse({"database": "reachable", "oldest_waiting_seconds": waiting})
