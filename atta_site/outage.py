"""Outages: answers while the database is down, silent or full."""

import sys
from collections.abc import Callable, Iterator

import django.db
import psycopg
import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext

from atta_site.database.base import watch
from engine.words import marked
from games.api.errors import shape

RETRY_AFTER = 5
"""Seconds after which somebody who was refused shall ask again; it is back as soon as the database is."""
_AWAY = marked("The database does not answer, or has no room left. Try again in a few seconds.")
_BROKEN = marked("Something went wrong on our side. The error was logged.")
_PROGRAMS = "/api/v"
# The first four are errors that no single statement causes: no connection, no answer in time, no room on the disk, a
# deadlock. The last one is a database that is read-only.
_OUTAGES = (
    django.db.OperationalError,
    django.db.InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.ReadOnlySqlTransaction,
)
_FAULTS = ("54", psycopg.errors.QueryCanceled.sqlstate)
"""How the states begin of operational errors that are a statement's own: it is beyond a limit, or was cancelled."""

log = structlog.stdlib.get_logger(__name__)


class Outage:
    """Middleware: answers requests that failed because of the database itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the rest of the chain, and limit waiting for a silent database."""
        self.get_response = get_response
        watch()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer that the database is unavailable, if that is the reason; leave other errors to others."""
        return _unavailable(request, error) if _is_outage(error) else None


def failed(request: HttpRequest) -> HttpResponse:
    """Answer errors that nothing else has handled, also from middleware: with a 500, or as an outage."""
    error = sys.exc_info()[1]
    if _is_outage(error):
        return _unavailable(request, error)
    if request.path_info.startswith(_PROGRAMS):
        return JsonResponse(shape("error", marked("The request failed.")), status=500)
    return HttpResponse(_page(request, "500.html", _BROKEN), status=500)


def _is_outage(error: BaseException | None) -> bool:
    return any(isinstance(one, _OUTAGES) and not _is_fault(one) for one in _causes(error))


def _is_fault(error: BaseException) -> bool:
    """Return whether a statement is at fault and not the database; PostgreSQL's error is the cause of Django's."""
    states = (getattr(one, "sqlstate", None) for one in (error, error.__cause__))
    return any(state.startswith(_FAULTS) for state in states if state)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes, as a traceback would show them: nothing beyond `raise … from None`."""
    while error is not None:
        yield error
        error = error.__cause__ if error.__suppress_context__ else error.__context__


def _unavailable(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    log.warning("database unavailable", path=request.path, problem=str(error), exc_info=error)
    if request.path_info.startswith(_PROGRAMS):
        answer: HttpResponse = JsonResponse(shape("database_away", _AWAY), status=503)
    else:
        answer = HttpResponse(_page(request, "503.html", _AWAY), status=503)
    answer["Retry-After"] = str(RETRY_AFTER)
    answer["Cache-Control"] = "no-store"
    return answer


def _page(request: HttpRequest, template: str, sentence: str) -> str:
    """Return a page that asks for nothing else; a bare sentence if not even that can be made."""
    try:
        return loader.render_to_string(template, {"request": request})
    except Exception:
        log.exception("no page for an error", template=template)
        return f"<!doctype html><meta charset=utf-8><title>Atta</title><p>{gettext(sentence)}"
