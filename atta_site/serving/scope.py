"""Requests as Django reads them, made of what the server received before their bodies are here."""

from collections.abc import MutableMapping
from io import BytesIO
from typing import Any, BinaryIO, Self
from urllib.parse import quote, unquote_to_bytes

from django.core.handlers.asgi import ASGIRequest
from django.utils.encoding import repercent_broken_unicode

from atta_site.serving.bodies import Body
from atta_site.serving.lanes import Lane, lane_of
from games.platform.addresses import address_of

Scope = MutableMapping[str, Any]
_CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE")
_ASCII = bytes(range(33, 127))


class Request(ASGIRequest):
    """A request of which only the address and the headers are here."""

    def __init__(self, scope: Scope) -> None:
        """Read what the server received; of the cookies that come in several headers one is made."""
        super().__init__(_as_django_reads(scope), BytesIO())
        self._received = scope

    def _set_content_type_params(self, _meta: dict[str, Any]) -> None:
        """Read the content type later: the gate looks first at whether it can be read."""
        self.content_type, self.content_params = "", {}

    @property
    def length(self) -> int:
        """The bytes of the body, as the client announced them."""
        return int(self.META.get("CONTENT_LENGTH") or 0)

    @property
    def address(self) -> str:
        """The address whose share of the resources the request uses."""
        return address_of(self.META)

    @property
    def lane(self) -> Lane:
        """Its kind, for which there are threads."""
        return lane_of(self)

    def receive(self, body: BinaryIO) -> None:
        """Take the body, once the gate has let the request through."""
        super()._set_content_type_params(self.META)  # type: ignore[misc]  # it has no types
        self._stream = body

    def unconditional(self) -> Self:
        """Return the request without what its client has already: others, who have not, get the same answer."""
        asked = type(self)(self._received)
        asked.META = {name: value for name, value in self.META.items() if name not in _CONDITIONS}
        asked.receive(BytesIO())
        return asked

    def piece(self, body: Body, at: int) -> Self:
        """Return the request for a piece of the body, which begins so many bytes after its beginning."""
        piece = type(self)(self._received)
        piece.META = self.META | {"CONTENT_LENGTH": str(body.size)}
        if at:
            piece.META["HTTP_UPLOAD_OFFSET"] = str(int(self.META["HTTP_UPLOAD_OFFSET"]) + at)
        piece.receive(body.file)
        return piece


def _as_django_reads(scope: Scope) -> Scope:
    """Return the scope with its address decoded as under WSGI, and one header of cookies."""
    path = repercent_broken_unicode(unquote_to_bytes(scope["raw_path"])).decode()
    query = quote(scope["query_string"], safe=_ASCII).encode()
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    others = [one for one in scope["headers"] if one[0] != b"cookie"]
    return {
        **scope,
        "path": path,
        "query_string": query,
        "headers": [*others, (b"cookie", cookies)] if cookies else others,
    }
