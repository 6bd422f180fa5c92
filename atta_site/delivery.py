"""How an answer is delivered: who may keep it, how a client asks whether it has changed, and compressed.

These belong together because of their order: an ETag is made of an answer before it is compressed, which pads each
answer at random, and an answer for one reader has none.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from games.cookies import LANGUAGE, THEME

_LOOKS = frozenset({THEME, LANGUAGE})
"""Cookies that say nothing about who reads."""
_PRIVATE = (
    *("/account/", "/claims/", "/i/", "/invitations/", "/j/", "/mails/", "/moderation/", "/uploads/"),
    *("/api/v1/account/", "/api/v1/claims/", "/api/v1/invitations/", "/api/v1/joins/"),
    *("/api/v1/files", "/api/v1/uploads"),
)
"""Where addresses hold secrets, or pages are about one account, signed in or not."""
_LASTING = ("/about/", "/contact/", "/privacy/", "/rules/")
"""Pages that change only with the site itself: shared caches may hold them."""
_HELD = 300
"""Seconds for which they may."""
_DIGITS = 24
_OK = 200
_PROGRAMS = "/api/v"
_HTML = "text/html"
_COMPRESSED = frozenset(
    {
        *("application/json", "application/vnd.oai.openapi", "application/vnd.oai.openapi+json"),
        *("image/svg+xml", "text/csv", _HTML, "text/plain", "text/xml"),
    }
)
"""What is worth compressing; downloads that offer compression choose it for themselves."""


class Delivery(GZipMiddleware):
    """Middleware: adds to every answer who may keep it, and answers 304 to clients that have it already.

    This is the only place for `no-store`. Pages depend on who is signed in, so everything that a reader with an account
    gets is personal; a view that had to say so itself would one day forget it.

    Text that is made in one piece is compressed. Django pads each answer by a random length, so that its size does not
    reveal a token in it (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer as it is sent."""
        _say_what_it_varies_by(response)
        if is_personal(request) or response.cookies:
            patch_cache_control(response, private=True, no_store=True)
        else:
            response = _unless_known(request, response)
        answer_all_origins(request.META, response)
        if response.streaming or _kind(response) not in _COMPRESSED:
            return response
        return super().process_response(request, response)


def is_personal(request: HttpRequest) -> bool:
    """Return whether the request identifies its reader, or the address is private."""
    known = "HTTP_AUTHORIZATION" in request.META or not _LOOKS.issuperset(request.COOKIES)
    return known or request.path_info.startswith(_PRIVATE)


def answer_all_origins(meta: Mapping[str, Any], response: HttpResponseBase) -> None:
    """Say of a read of the API that pages of any origin may have the answer, also a refusal.

    With ``*`` browsers hand it over only if no cookie and no token was sent, so it is what a visitor sees
    (https://fetch.spec.whatwg.org/#http-cors-protocol).
    """
    if meta.get("REQUEST_METHOD") not in ("GET", "HEAD") or not meta.get("PATH_INFO", "").startswith(_PROGRAMS):
        return
    if _kind(response) != _HTML:
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = "*"


def _kind(response: HttpResponseBase) -> str:
    return str(response.headers.get("Content-Type", "")).partition(";")[0]


def _say_what_it_varies_by(response: HttpResponseBase) -> None:
    """Add what an answer varies by: the language depends on a cookie, too; answers without sentences have none."""
    # Pages depend on the theme cookie, and a script may ask for a part of a page.
    patch_vary_headers(response, ("Cookie", "Authorization", *(("HX-Request",) if _kind(response) == _HTML else ())))
    if _kind(response) not in (_HTML, "application/json"):
        del response["Content-Language"]


def _unless_known(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Give a public answer an ETag; return that its client has it already, if so.

    The ETag is a digest of the answer itself, and so depends on everything that the answer depends on: the data, the
    engine's version, the language and the theme. Shared caches have to revalidate before they give an answer to others,
    so that something that becomes private is private at once.
    """
    if request.method not in ("GET", "HEAD") or not isinstance(response, HttpResponse) or _is_none(response):
        return response
    response.headers.setdefault("ETag", f'W/"{sha256(response.content).hexdigest()[:_DIGITS]}"')
    if "Cache-Control" not in response.headers:
        held = {"s_maxage": _HELD} if request.path_info.startswith(_LASTING) else {"no_cache": True}
        patch_cache_control(response, public=True, max_age=0, **held)
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


def _is_none(response: HttpResponse) -> bool:
    """Return whether an answer is not to be kept."""
    return response.status_code != _OK or "no-store" in response.headers.get("Cache-Control", "")
