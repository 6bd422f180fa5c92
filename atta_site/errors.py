"""What is said when a request fails: a page for people, and the API's error for programs."""

import sys
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import django.db
import psycopg
import structlog
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.urls import reverse
from django.utils.translation import gettext
from django.views import defaults
from psycopg.errors import DeadlockDetected, ForeignKeyViolation

from atta_site.database.base import watch
from atta_site.gate import not_text
from engine.words import marked
from games.api.errors import shape
from games.platform.plain_text import fault_in_fields
from games.web.answers import SeeOther

RETRY_AFTER = 5
"""Seconds after which somebody who was refused shall ask again; it is back as soon as the database is."""
_AWAY = marked("The database does not answer, or has no room left. Try again in a few seconds.")
_BROKEN = marked("Something went wrong on our side. The error was logged.")
_DELETED = marked("This account has just been deleted. Nothing was changed.")
_REFUSED = (ForeignKeyViolation, DeadlockDetected)
"""What the database refuses when an account no longer exists."""
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

Answer = Callable[[HttpRequest], HttpResponse]

log = structlog.stdlib.get_logger(__name__)


class Errors:
    """Middleware: answers requests that the database or a page's form has made fail, and wrong methods."""

    def __init__(self, get_response: Answer) -> None:
        """Keep the rest of the chain, and limit waiting for a silent database."""
        self.get_response = get_response
        watch()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; write a page for status 405, which Django answers without one, for browsers."""
        answer = self.get_response(request)
        is_bare = answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not answer.content
        if not is_bare or "text/html" not in request.headers.get("Accept", ""):
            return answer
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = answer["Allow"]
        return page

    def process_view(self, request: HttpRequest, view: Any, *_: object) -> HttpResponse | None:  # noqa: ANN401
        """Refuse a form with what is not text before its view; views of the API read their requests by parsers."""
        if request.method != "POST" or hasattr(view, "cls"):
            return None
        fault = fault_in_fields(request.POST) or fault_in_fields(request.FILES)
        return not_text(request.META, fault) if fault else None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer that the database is away or that the account was deleted, if that is the reason."""
        if isinstance(error.__cause__, _REFUSED) and _is_gone(request):
            return _account_gone(request)
        return _unavailable(request, error) if _is_outage(error) else None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer requests that Django refuses, such as those with a thousand parameters or an unknown host."""
    return _said(request, 400, "bad_request", marked("The request cannot be read."), defaults.bad_request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer requests for addresses that do not exist."""
    there_is = marked("There is nothing at this address.")
    return _said(request, 404, "not_found", there_is, defaults.page_not_found, exception)


def _said(
    request: HttpRequest, status: int, code: str, template: str, page: Callable[..., HttpResponse], *reasons: Exception
) -> HttpResponse:
    if request.path_info.startswith(_PROGRAMS):
        return JsonResponse(shape(code, template), status=status)
    return page(request, *reasons)


def failed(request: HttpRequest) -> HttpResponse:
    """Answer errors that nothing else has handled, also from middleware: with a 500, or as an outage."""
    error = sys.exc_info()[1]
    if _is_outage(error):
        return _unavailable(request, error)
    if request.path_info.startswith(_PROGRAMS):
        return JsonResponse(shape("error", marked("The request failed.")), status=500)
    return HttpResponse(_page(request, "500.html", _BROKEN), status=500)


def _is_gone(request: HttpRequest) -> bool:
    account = request.user.pk if hasattr(request, "user") and request.user.is_authenticated else None
    return account is not None and not User.objects.filter(pk=account).exists()


def _account_gone(request: HttpRequest) -> HttpResponse:
    """Answer a request of an account that was deleted meanwhile.

    This is the only place for it: whatever an account does refers to its row, which the database checks at the end and
    then rolls everything back. With a lock on the row, all requests of an account would wait for each other.
    """
    if request.path.startswith(_PROGRAMS):
        return JsonResponse(shape("account_gone", _DELETED), status=401)
    logout(request)
    messages.error(request, gettext(_DELETED))
    return SeeOther(reverse("home"))


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
