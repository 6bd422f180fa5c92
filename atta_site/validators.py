"""ETags of public pages and answers, so that clients that have them already get a 304 without a body."""

from collections.abc import Callable
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control

from atta_site.caching import is_personal

Answer = Callable[[HttpRequest], HttpResponseBase]

_LASTING = ("/about/", "/contact/", "/privacy/", "/rules/")
"""Pages that change only with the site itself: shared caches may hold them."""
_HELD = 300
"""Seconds for which they may."""
_DIGITS = 24


class Validators:
    """Middleware: gives every public answer an ETag, and answers 304 if the client has it.

    The ETag is a digest of the answer itself, and so depends on everything that the answer depends on: the data, the
    engine's version, the language and the theme. It is computed before compression, which pads each answer at random.
    Shared caches have to revalidate before they give an answer to others, so that something that becomes private is
    private at once.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        answer = self.get_response(request)
        if request.method not in ("GET", "HEAD") or not isinstance(answer, HttpResponse) or _is_none(request, answer):
            return answer
        answer.headers.setdefault("ETag", f'W/"{sha256(answer.content).hexdigest()[:_DIGITS]}"')
        if "Cache-Control" not in answer.headers:
            held = {"s_maxage": _HELD} if request.path_info.startswith(_LASTING) else {"no_cache": True}
            patch_cache_control(answer, public=True, max_age=0, **held)
        return get_conditional_response(request, etag=answer.headers["ETag"], response=answer) or answer


def _is_none(request: HttpRequest, answer: HttpResponse) -> bool:
    """Return whether an answer is for one reader only, or not cacheable."""
    kept = answer.headers.get("Cache-Control", "")
    return answer.status_code != 200 or bool(answer.cookies) or "no-store" in kept or is_personal(request)  # noqa: PLR2004
