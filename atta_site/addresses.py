"""Addresses with a host: always that of the site, whatever a request says."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urljoin

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.encoding import iri_to_uri

Answer = Callable[[HttpRequest], HttpResponse]


class OneSite:
    """Middleware: has every absolute address that is made from a request begin with `SITE_URL`.

    A host that is allowed may come with any port, or from a proxy's header; links in mails, and addresses that
    caches and programs keep, would lead there. Here, so that no library can forget it.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        request.build_absolute_uri = partial(_absolute, request)  # type: ignore[method-assign]
        return self.get_response(request)


def _absolute(request: HttpRequest, location: str | None = None) -> str:
    """Return an address with the site before it; without a location, that of the request."""
    here = settings.SITE_URL + request.get_full_path()
    return str(iri_to_uri(here if location is None else urljoin(here, str(location))))
