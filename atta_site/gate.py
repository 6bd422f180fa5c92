"""The gate: what no page should have to deal with is answered before any of them looks at the request."""

import json
import re
from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers

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
        start_response("415 Unsupported Media Type", [("Content-Type", "application/json")])
        return [json.dumps(_shape("unsupported_charset", "Only UTF-8 is read here.")).encode()]

    return answer


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
        if response.get("Content-Type", "").startswith("text/html"):
            # Pages bear the theme of a cookie, and a part of them answers a script that asks for news.
            patch_vary_headers(response, ("Cookie", "HX-Request"))
        return response


def _refusal(request: HttpRequest) -> HttpResponse | None:
    length = request.META.get("CONTENT_LENGTH") or ""
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower() and not length:
        return _say(411, "length_required", "Send the body with its Content-Length, not in chunks.")
    if length.isascii() and length.isdigit() and int(length[:20]) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return _say(413, "too_large", f"A request has at most {most} bytes.")
    return None


def _say(status: int, code: str, message: str) -> JsonResponse:
    return JsonResponse(_shape(code, message), status=status)


def _shape(code: str, message: str) -> dict[str, dict[str, str | None]]:
    """An error in the interface's shape; no page of ours sends such requests."""
    return {"error": {"code": code, "message": message, "place": None}}


def _drop_forged_session(request: HttpRequest) -> None:
    """Forget a session key that none of ours can be: the database would choke on some."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if key is not None and _SESSION_KEY.fullmatch(key) is None:
        del request.COOKIES[settings.SESSION_COOKIE_NAME]
