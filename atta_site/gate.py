"""The gate: answers bad requests before any page sees them."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple

import structlog
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.cookie import parse_cookie
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_header_parameters
from django.utils.translation import get_language_from_request, gettext, override

from atta_site.delivery import answer_all_origins
from engine.words import marked, render
from games.cookies import THEME, without_prefix
from games.platform.plain_text import NOT_TEXT, Fault, fault_in, fault_in_fields
from games.sentences import translated

_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]*)", re.IGNORECASE)
_UTF_8 = frozenset({"utf-8", "utf8", "us-ascii"})
_SENT = frozenset({"PATH_INFO", "QUERY_STRING", "CONTENT_TYPE", "CONTENT_LENGTH"})
_SESSION_KEY = re.compile(r"[a-z0-9]{32}")

MOST_HEADERS = 16 * 1024
"""Bytes of an address with its query, and of all headers."""
MOST_COOKIES = 8 * 1024
_MOST_TYPE = 1024
"""Characters of a content type: a boundary has at most 70, and the event loop parses it."""
_IN_ASCII = ("HTTP_UPLOAD_CHECKSUM", "HTTP_UPLOAD_METADATA")

_PROGRAMS = "/api/v"
_HTML = "text/html"
_THEMES = ("dark", "light")
_BUSY = marked("The site is busy")
_REFUSED = marked("The request was refused")
_UNREADABLE = marked("This is not text")

log = structlog.stdlib.get_logger(__name__)

Answer = Callable[[HttpRequest], HttpResponse]
Meta = dict[str, Any]
"""What Django calls `META`: the headers and the address of a request."""


def refusal(meta: Meta) -> HttpResponse | None:
    """Return why a request is refused, before anything parses its headers; None if it and its cookies are harmless."""
    refused = _of_headers(meta)
    if refused:
        return _say({**meta, "HTTP_COOKIE": ""}, refused)
    if cookies := meta.get("HTTP_COOKIE"):
        meta["HTTP_COOKIE"] = without_prefix(_harmless(cookies))
    refused = _of_type(meta) or _of_charset(meta) or _of_bytes(meta) or _of_texts(meta) or _of_body(meta)
    return _say(meta, refused) if refused else None


def too_slow(meta: Meta) -> HttpResponse:
    """Return the answer to a client whose body arrives too slowly."""
    sentence = marked("The body of the request arrived too slowly.")
    return _say(meta, _Refusal(408, "too_slow", sentence, title=marked("Too slow")))


def busy(meta: Meta) -> HttpResponse:
    """Return the answer to a client for whose body or answer there is no room."""
    sentence = marked("The site is sending and receiving too much right now. Try again in half a minute.")
    return _say(meta, _Refusal(503, "busy", sentence, title=_BUSY, wait=30))


def full(meta: Meta) -> HttpResponse:
    """Return the answer to a client whose request cannot even wait for its turn."""
    sentence = marked("Too many requests are waiting. Try again in a few seconds.")
    return _say(meta, _Refusal(503, "busy", sentence, title=_BUSY, wait=5))


class _Refusal(NamedTuple):
    """Why a request is refused; one with a title can happen to people, who then get a page.

    Others happen to programs, and get a page only where they ask for one.
    """

    status: int
    code: str
    template: str
    most: int | None = None
    title: str = ""
    wait: int = 0
    field: str = ""
    char: str = ""


def _of_headers(meta: Meta) -> _Refusal | None:
    if len(meta.get("HTTP_COOKIE", "")) > MOST_COOKIES:
        sentence = marked("The cookies are too large: a request may send at most {most} bytes of them.")
        return _Refusal(431, "headers_too_large", sentence, MOST_COOKIES)
    if sum(len(name) + len(value) for name, value in meta.items() if _is_sent(name)) > MOST_HEADERS:
        sentence = marked("The address and headers are too large: a request may send at most {most} bytes of them.")
        return _Refusal(431, "headers_too_large", sentence, MOST_HEADERS)
    return None


def _is_sent(name: str) -> bool:
    return name.startswith("HTTP_") or name in _SENT


def _harmless(cookies: str) -> str:
    """Return the cookies without those that contain a backslash, which are not this site's, and forged session keys.

    Python before 3.11.10 and 3.12.6 needs seconds to unquote a few thousand of the former; on some of the latter the
    database would fail.
    """
    session = f"{settings.SESSION_COOKIE_NAME}="
    return ";".join(
        cookie
        for cookie in cookies.split(";")
        if "\\" not in cookie
        and (not cookie.strip().startswith(session) or _SESSION_KEY.fullmatch(cookie.strip().removeprefix(session)))
    )


def _of_type(meta: Meta) -> _Refusal | None:
    """Parse the content type as Django does when it makes a request, where an error would leave it unanswered."""
    named = meta.get("CONTENT_TYPE") or ""
    try:
        is_read = len(named) <= _MOST_TYPE
        if is_read:
            parse_header_parameters(named)
    except Exception:  # noqa: BLE001 - Python's parser of mail raises many kinds
        is_read = False
    return None if is_read else _Refusal(400, "bad_content_type", marked("The Content-Type cannot be read."))


def _of_bytes(meta: Meta) -> _Refusal | None:
    """Refuse bytes beyond ASCII where tokens and base64 are read."""
    if not meta.get("HTTP_AUTHORIZATION", "").isascii():
        return _Refusal(401, "authentication_failed", marked("Invalid token."))
    if all(meta.get(name, "").isascii() for name in _IN_ASCII):
        return None
    return _Refusal(400, "bad_header", marked("Upload-Checksum and Upload-Metadata must be ASCII."))


def _of_texts(meta: Meta) -> _Refusal | None:
    """Refuse an address or a header that is not text; most have none of the signs that could make them so."""
    named = {name: meta.get(name, "") for name in ("PATH_INFO", *filter(_is_sent, meta))}
    fault = fault_in({_header(name): value for name, value in named.items() if isinstance(value, str)})
    if fault is None and "%00" in meta.get("QUERY_STRING", ""):
        with suppress(TooManyFieldsSent):
            fault = fault_in_fields(QueryDict(meta["QUERY_STRING"]))
    return _not_text(fault) if fault else None


def _header(name: str) -> str:
    """Return a header's name as people write it."""
    names = {"PATH_INFO": "address", "QUERY_STRING": "query"}
    return names.get(name) or name.removeprefix("HTTP_").replace("_", "-").title()


def not_text(meta: Meta, fault: Fault) -> HttpResponse:
    """Return the answer to a request of which something is not text."""
    return _say(meta, _not_text(fault))


def _not_text(fault: Fault) -> _Refusal:
    return _Refusal(400, "invalid", NOT_TEXT, title=_UNREADABLE, field=fault.field, char=fault.char)


def _of_charset(meta: Meta) -> _Refusal | None:
    named = _CHARSET.search(meta.get("CONTENT_TYPE") or "")
    if named is None or named[1].lower() in _UTF_8:
        return None
    return _Refusal(415, "unsupported_charset", marked("Use UTF-8; other encodings are not supported."))


def _of_body(meta: Meta) -> _Refusal | None:
    length = meta.get("CONTENT_LENGTH") or ""
    if "chunked" in meta.get("HTTP_TRANSFER_ENCODING", "").lower() and not length:
        return _Refusal(411, "length_required", marked("Send the body with its Content-Length, not in chunks."))
    most = _most(meta.get("PATH_INFO", ""))
    if length.isascii() and length.isdigit() and int(length[:20]) > most:
        return _Refusal(413, "too_large", marked("This request is too large: at most {most} bytes are allowed."), most)
    return None


def _most(path: str) -> int:
    """Return how many bytes a request's body may have: forms are short, except those with files."""
    found = (most for beginning, most in settings.BODY_LIMITS.items() if path.startswith(beginning))
    return next(found, settings.BODY_LIMIT)


def _say(meta: Meta, refused: _Refusal) -> HttpResponse:
    """Answer as a page or as the API: no page of this site sends requests that are refused without a title.

    A browser whose cookies of other sites of the same domain are too large still gets a page: it asks for HTML.
    """
    request = _bare(meta)
    language = get_language_from_request(request)
    is_read = refused.title or _HTML in meta.get("HTTP_ACCEPT", "")
    if is_read and not meta.get("PATH_INFO", "").startswith(_PROGRAMS):
        theme = request.COOKIES.get(THEME, "")
        page = _page(refused, language, theme if theme in _THEMES else "")
        answer = HttpResponse(page, status=refused.status)
    else:
        answer = JsonResponse(_error(refused, language), status=refused.status)
    answer["Content-Language"] = language
    patch_vary_headers(answer, ("Accept-Language", "Cookie"))
    _guard(answer, refused)
    answer_all_origins(meta, answer)
    return answer


def _guard(answer: HttpResponse, refused: _Refusal) -> None:
    """Add the headers that middleware adds to other answers."""
    answer["Cache-Control"] = "no-store"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = _policy()
    if refused.wait:
        answer["Retry-After"] = str(refused.wait)
    if refused.status == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = "Bearer"


def _error(refused: _Refusal, language: str) -> dict[str, Any]:
    params = _params(refused)
    with override(language):
        message = render(refused.template, params, translated)
    place = {"parameter": refused.field} if refused.field else None
    error = {"code": refused.code, "message": message, "template": refused.template, "params": params, "place": place}
    return {"error": error}


def _params(refused: _Refusal) -> dict[str, Any]:
    if refused.field:
        return {"field": refused.field, "char": refused.char}
    return {} if refused.most is None else {"most": refused.most}


@lru_cache(maxsize=64)
def _page(refused: _Refusal, language: str, theme: str) -> str:
    """Return a page, made only once, so that refused requests cost next to nothing."""
    with override(language):
        sentence = render(refused.template, _params(refused), translated)
        said = {"code": refused.status, "title": gettext(refused.title or _REFUSED), "sentence": sentence}
        try:
            return render_to_string("refused.html", {**said, "request": {"COOKIES": {"theme": theme}}})
        except Exception:
            log.exception("no page for a refusal", code=refused.code)
            return f"<!doctype html><meta charset=utf-8><title>Atta</title><p>{said['sentence']}"


@cache
def _policy() -> str:
    return str(build_policy())


def _bare(meta: Meta) -> HttpRequest:
    """Return the part of a request that decides the reader's language."""
    request = HttpRequest()
    request.META = meta
    request.COOKIES = parse_cookie(meta.get("HTTP_COOKIE", ""))
    return request
