"""Errors that Django itself raises: a page for people, and the API's error for programs."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults

from engine.words import marked
from games.api.errors import shape

_INTERFACE = "/api/v"


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
    if request.path_info.startswith(_INTERFACE):
        return JsonResponse(shape(code, template), status=status)
    return page(request, *reasons)
