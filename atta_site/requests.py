"""What operators see of requests: an id for each, a line with who asked for what and how long it took, and counts."""

import ipaddress
import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.encoding import iri_to_uri
from django.utils.functional import SimpleLazyObject

from atta_site.logs import request_id
from games.platform.addresses import client_of
from games.platform.counted import count_request

_SECRET = re.compile(r"^(/(?:i|j|mails/stop|api/v1/joins)/)[^/]+")
"""Addresses that hold a secret, which no log may know."""
_NETWORK = {4: 24, 6: 48}
"""How much of an address is kept when it is shortened, by the version of IP."""

log = structlog.stdlib.get_logger(__name__)


class Requests:
    """Middleware: gives a request an id, which is in every line and in the answer; writes a line of it, and counts it.

    Every absolute address that is built from a request begins with `SITE_URL`: an allowed host may come with any port,
    or from a proxy's header, and links in mails, caches and programs would lead there. It is done here, so that no
    library can forget it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the rest of the chain."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its id in `X-Request-ID`."""
        request.build_absolute_uri = partial(_absolute, request)  # type: ignore[method-assign]
        number = request_id(request.headers.get("X-Request-ID", ""), request.headers.get("traceparent", ""))
        with structlog.contextvars.bound_contextvars(request=number):
            begin = time.perf_counter()
            response = self.get_response(request)
            seconds = time.perf_counter() - begin
            log.info(
                "request",
                method=request.method,
                path=_SECRET.sub(r"\1…", request.path),
                status=response.status_code,
                milliseconds=round(seconds * 1000, 1),
                **sender_of(request.META, account_of(request)),
            )
        count_request(_route(request), request.method, response.status_code, seconds)
        response["X-Request-ID"] = number
        return response


def _absolute(request: HttpRequest, location: str | None = None) -> str:
    """Return an absolute address on this site; without a location, that of the request."""
    here = settings.SITE_URL + request.get_full_path()
    return str(iri_to_uri(here if location is None else urljoin(here, str(location))))


def _route(request: HttpRequest) -> str:
    """Return the pattern of the address that answered; "none" for a static file or what was refused before."""
    return f"/{request.resolver_match.route}" if request.resolver_match else "none"


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
