"""The gate: what no page should have to deal with is answered before any of them looks at the request."""

import re
from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.cookie import parse_cookie
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, gettext, override

from engine.words import marked, say

_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]*)", re.IGNORECASE)
_UTF_8 = frozenset({"utf-8", "utf8", "us-ascii"})
_SESSION_KEY = re.compile(r"[a-z0-9]{32}")

Answer = Callable[[HttpRequest], HttpResponse]


def utf_8_only(application: WSGIApplication) -> WSGIApplication:
    """Wrap an application so that it sees no charset but UTF-8: making a request of some others fails."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        named = _CHARSET.search(environ.get("CONTENT_TYPE") or "")
        if named is None or named[1].lower() in _UTF_8:
            return application(environ, start_response)
        refusal = _say(_bare(environ), 415, "unsupported_charset", marked("Only UTF-8 is read here."))
        start_response(f"{refusal.status_code} {refusal.reason_phrase}", list(refusal.items()))
        return [refusal.content]

    return answer


def _bare(environ: WSGIEnvironment) -> HttpRequest:
    """As much of a request as tells the reader's language."""
    request = HttpRequest()
    request.META = environ
    request.COOKIES = parse_cookie(environ.get("HTTP_COOKIE", ""))
    return request


class Gate:
    """Middleware: refuses bodies that are too large or of unknown length."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, or say why not."""
        refused = _refusal(request)
        if refused:
            return refused
        _drop_forged_session(request)
        response = self.get_response(request)
        _tell_language(response)
        return response


def _tell_language(response: HttpResponse) -> None:
    """Say what an answer varies by: the language is chosen by a cookie, too; what holds no sentences has none."""
    content = response.get("Content-Type", "")
    if content.startswith("text/html"):
        # Pages bear the theme of a cookie, and a part of them answers a script that asks for news.
        patch_vary_headers(response, ("Cookie", "HX-Request"))
    elif content.startswith("application/json"):
        patch_vary_headers(response, ("Cookie",))
    else:
        del response["Content-Language"]


def _refusal(request: HttpRequest) -> HttpResponse | None:
    length = request.META.get("CONTENT_LENGTH") or ""
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower() and not length:
        sentence = marked("Send the body with its Content-Length, not in chunks.")
        return _say(request, 411, "length_required", sentence)
    most = _most(request.path)
    if length.isascii() and length.isdigit() and int(length[:20]) > most:
        return _say(request, 413, "too_large", marked("A request has at most {most} bytes."), most=most)
    return None


def _most(path: str) -> int:
    """Bytes that a request may have: most addresses hold all of it in memory, some take it as it comes."""
    found = (most for beginning, most in settings.BODY_LIMITS.items() if path.startswith(beginning))
    return next(found, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _say(request: HttpRequest, status: int, code: str, template: str, **params: object) -> JsonResponse:
    """An error in the interface's shape; no page of ours sends such requests."""
    language = get_language_from_request(request)
    with override(language):
        message = say(template, params, gettext)
    error = {"code": code, "message": message, "template": template, "params": params, "place": None}
    answer = JsonResponse({"error": error}, status=status, headers={"Content-Language": language})
    patch_vary_headers(answer, ("Accept-Language", "Cookie"))
    return answer


def _drop_forged_session(request: HttpRequest) -> None:
    """Forget a session key that none of ours can be: the database would choke on some."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if key is not None and _SESSION_KEY.fullmatch(key) is None:
        del request.COOKIES[settings.SESSION_COOKIE_NAME]
