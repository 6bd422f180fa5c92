"""Absolute addresses: they always begin with the site's own host, whatever a request says."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urljoin

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.encoding import iri_to_uri

Answer = Callable[[HttpRequest], HttpResponse]


class OneSite:
    """Middleware: makes every absolute address built from a request begin with `SITE_URL`.

    An allowed host may come with any port, or from a proxy's header, and links in mails, caches and programs would lead
    there. It is done here, so that no library can forget it.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        request.build_absolute_uri = partial(_absolute, request)  # type: ignore[method-assign]
        return self.get_response(request)


def _absolute(request: HttpRequest, location: str | None = None) -> str:
    """Return an absolute address on this site; without a location, that of the request."""
    here = settings.SITE_URL + request.get_full_path()
    return str(iri_to_uri(here if location is None else urljoin(here, str(location))))
