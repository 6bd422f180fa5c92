"""Requests in the log: an id for each, and a line with who asked for what, from where, and how long it took."""

import ipaddress
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from atta_site.logs import request_id
from games.platform.addresses import client_of

_SECRET = re.compile(r"^(/(?:i|j|mails/stop|api/v1/joins)/)[^/]+")
"""Addresses that hold a secret, which no log may know."""
_NETWORK = {4: 24, 6: 48}
"""How much of an address is kept when it is shortened, by the version of IP."""

log = structlog.stdlib.get_logger(__name__)


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
                **sender_of(request.META, account_of(request)),
            )
        response["X-Request-ID"] = number
        return response


def account_of(request: HttpRequest) -> int | None:
    """Return the number of the account that a request turned out to be from; none if nothing asked for it."""
    user = getattr(request, "user", None)
    if isinstance(user, SimpleLazyObject):  # by a session; to look at it would read the account
        user = getattr(request, "_cached_user", None)
    number: int | None = getattr(user, "pk", None)
    return number


def sender_of(meta: Mapping[str, Any], account: int | None = None) -> dict[str, str | int]:
    """Return what a line says about who sent a request: the account's number and the client's address, if known."""
    address = _logged(client_of(meta))
    return ({"account": account} if account else {}) | ({"address": address} if address else {})


def _logged(address: str) -> str:
    """Return an address as the settings want it; empty where it is none: what a client invents is not logged."""
    if settings.LOG_ADDRESSES == "none":
        return ""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    found = getattr(found, "ipv4_mapped", None) or found
    if settings.LOG_ADDRESSES == "full":
        return str(found)
    return str(ipaddress.ip_network((found, _NETWORK[found.version]), strict=False))
