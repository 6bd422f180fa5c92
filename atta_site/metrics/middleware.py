"""Counts requests by route."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from games.platform.counted import count_request


class RequestCount:
    """Middleware: counts each answer and the time it took, under the pattern of its address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the rest of the chain."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        begin = time.perf_counter()
        response = self.get_response(request)
        count_request(_route(request), request.method, response.status_code, time.perf_counter() - begin)
        return response


def _route(request: HttpRequest) -> str:
    """Return the pattern of the address that answered; "none" for a static file or what was refused before."""
    return f"/{request.resolver_match.route}" if request.resolver_match else "none"
