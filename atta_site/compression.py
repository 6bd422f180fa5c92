"""Compresses pages, JSON and pictures for clients that take gzip."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_TYPES = frozenset(
    {
        *("application/json", "application/vnd.oai.openapi", "application/vnd.oai.openapi+json"),
        *("image/svg+xml", "text/csv", "text/html", "text/plain", "text/xml"),
    }
)
"""What is worth compressing; downloads that offer compression choose it for themselves."""


class Compression(GZipMiddleware):
    """Middleware: compresses text answers that are made in one piece.

    Django pads each answer by a random length, so that its size does not reveal a token in it (BREACH). Streams are not
    compressed.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress an answer of a type that is worth it."""
        if response.streaming or response.headers.get("Content-Type", "").partition(";")[0] not in _TYPES:
            return response
        return super().process_response(request, response)
