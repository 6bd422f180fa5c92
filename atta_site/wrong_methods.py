"""A page for addresses that take only forms, where somebody opens them."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

Answer = Callable[[HttpRequest], HttpResponse]


class WrongMethods:
    """Middleware: writes a page for status 405, which Django answers without one, for browsers."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        answer = self.get_response(request)
        if (
            answer.status_code != HTTPStatus.METHOD_NOT_ALLOWED
            or answer.content
            or "text/html" not in request.headers.get("Accept", "")
        ):
            return answer
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = answer["Allow"]
        return page
