"""Cache headers: answers for one reader, or at secret addresses, are never cached."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers

from games.cookies import LANGUAGE, THEME

_LOOKS = frozenset({THEME, LANGUAGE})
"""Cookies that say nothing about who reads."""
_PRIVATE = (
    *("/account/", "/claims/", "/i/", "/invitations/", "/j/", "/mails/", "/moderation/", "/uploads/"),
    *("/api/v1/account/", "/api/v1/claims/", "/api/v1/invitations/", "/api/v1/joins/"),
    *("/api/v1/files", "/api/v1/uploads"),
)
"""Where addresses hold secrets, or pages are about one account, signed in or not."""

Answer = Callable[[HttpRequest], HttpResponse]


class Caching:
    """Middleware: adds `no-store` to every answer that is not the same for everybody.

    This is the only place for it. Pages depend on who is signed in, so everything that a reader with an account gets is
    personal; a view that had to say so itself would one day forget it.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        answer = self.get_response(request)
        patch_vary_headers(answer, ("Cookie", "Authorization"))
        if is_personal(request) or answer.cookies:
            patch_cache_control(answer, private=True, no_store=True)
        return answer


def is_personal(request: HttpRequest) -> bool:
    """Return whether the request identifies its reader, or the address is private."""
    known = "HTTP_AUTHORIZATION" in request.META or not _LOOKS.issuperset(request.COOKIES)
    return known or request.path_info.startswith(_PRIVATE)
