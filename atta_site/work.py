"""One budget of computing for each account, each guest's seat, and each address of visitors, whatever they ask for."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from math import ceil
from threading import Lock
from typing import Any, cast

import structlog
from django.conf import settings
from django.db import DatabaseError
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request

from atta_site.requests import account_of
from engine.words import marked
from engine.words import render as said
from games.api.errors import shape
from games.guests import guest_of_request
from games.platform import rate_limits
from games.platform.kept import Kept
from games.playing.reads.people import Person
from games.playing.reads.seats import seat_of
from games.sentences import translated
from games.web.rate_limits import WorkThrottle

Answer = Callable[[HttpRequest], HttpResponseBase]

LEAST = 50
"""Milliseconds of computing up to which a request is not counted: most pages take fewer."""
_SOON = 1000
"""Milliseconds after which a long answer is counted while it is still being written."""
FREE = frozenset({
    "home", "about", "contact", "privacy", "health", "health-live", "health-ready", "live-health", "metrics", "robots",
    "security-txt", "service-worker", "language", "theme", "results", "mails-stop",
})  # fmt: skip
"""Addresses whose cost does not grow with what is sent or stored; signing in is free, too, and has its own limits."""
_FREE_BEGINNINGS = ("account_", "mfa_", "live-", "rules")
_INTERFACE = "/api/v"
_TABLES = ("table", "api-table")
_TOO_MUCH = marked(
    "Your requests took more than {seconds} seconds of computing within a minute. Try again in {wait} seconds."
)

log = structlog.stdlib.get_logger(__name__)


class Work:
    """Middleware: counts how long requests kept the processor busy, and refuses those beyond the budget.

    What is written of a long answer while it is sent counts as what came before it. What a request costs is known only
    afterwards, so that one may go beyond the budget in each process. Who sends it is known
    before it is read: the credentials that turned out to be an account's before are that account's.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response
        self._accounts = Kept[bytes, int](10_000, lambda _: 1)
        self._seats = Kept[tuple[str, str], int](10_000, lambda _: 1)
        self._over, self._lock = dict[str, float](), Lock()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, and count what it took."""
        begin = time.thread_time()
        response = self.get_response(request)
        self._learn(request)
        if _is_free(request):
            return response
        meter = _Meter(partial(self._count, request))
        meter.add(time.thread_time() - begin)
        if isinstance(response, StreamingHttpResponse) and _is_written(response):
            pieces = cast("Iterator[bytes]", response.streaming_content)
            response.streaming_content = meter.pieces_of(pieces)
        else:
            meter.end()
        return response

    def process_view(self, request: HttpRequest, *_: object, **__: object) -> HttpResponse | None:
        """Refuse a request whose sender is beyond the budget."""
        if _is_free(request):
            return None
        if (credentials := _credentials(request)) and self._accounts.get(credentials) is None:
            bool(request.user.is_authenticated)  # reads who has the session, once in each process
            self._learn(request)
        wait = self._seconds_to_wait(self._sender(request)) if self._over else 0
        return _refused(request, wait) if wait else None

    def _learn(self, request: HttpRequest) -> None:
        """Remember whose credentials those of a request turned out to be."""
        account, credentials = account_of(request), _credentials(request)
        if account and credentials:
            self._accounts.put(credentials, account)

    def _sender(self, request: HttpRequest) -> str:
        credentials = _credentials(request)
        account = (self._accounts.get(credentials) if credentials else None) or account_of(request)
        if account:
            return f"account {account}"
        seat = self._seat(request)
        return f"seat {seat}" if seat else f"address {WorkThrottle().get_ident(Request(request))}"

    def _seat(self, request: HttpRequest) -> int | None:
        """Return the seat that a guest has at the table that a request is about: a whole club may have one address."""
        match = request.resolver_match
        guest = guest_of_request(request)
        if not guest or not match or not (match.url_name or "").startswith(_TABLES) or "key" not in match.kwargs:
            return None
        at = match.kwargs["key"], guest
        seat = self._seats.get(at)
        if seat is None:
            with suppress(DatabaseError):  # without the database, they are a visitor like others
                seat = seat_of(at[0], Person(guest=guest))
            if seat:
                self._seats.put(at, seat)
        return seat

    def _count(self, request: HttpRequest, milliseconds: int) -> None:
        budget, sender = WorkThrottle(), self._sender(request)
        if budget.rate is None or budget.num_requests is None:
            return
        limit = rate_limits.Limit(budget.num_requests, timedelta(seconds=budget.duration or 0))
        try:
            wait = rate_limits.count(f"work of {sender}", limit, now=timezone.now(), amount=milliseconds)
        except DatabaseError as error:
            log.warning("work was not counted", problem=str(error))
            return
        if wait:
            now = time.monotonic()
            with self._lock:
                self._over = {one: until for one, until in self._over.items() if until > now} | {sender: now + wait}

    def _seconds_to_wait(self, sender: str) -> int:
        return max(0, ceil(self._over.get(sender, 0) - time.monotonic()))


class _Meter:
    """Adds up what one request takes."""

    def __init__(self, count: Callable[[int], object]) -> None:
        """Count milliseconds by a function, when they are many or all."""
        self._count, self._seconds, self._is_counted = count, 0.0, False

    def add(self, seconds: float) -> None:
        """Add computing; what is much is counted at once."""
        self._seconds += seconds
        if self._seconds * 1000 > _SOON:
            self._tell()

    def end(self) -> None:
        """Count what is left, unless the whole request took little."""
        if self._is_counted or self._seconds * 1000 > LEAST:
            self._tell()

    def pieces_of(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the pieces of an answer, adding what each takes; any thread may ask for the next."""
        try:
            while True:
                begin = time.thread_time()
                piece = next(pieces, None)
                self.add(time.thread_time() - begin)
                if piece is None:
                    return
                yield piece
        finally:
            self.end()

    def _tell(self) -> None:
        milliseconds, self._seconds, self._is_counted = ceil(self._seconds * 1000), 0.0, True
        self._count(milliseconds)


def _credentials(request: HttpRequest) -> bytes:
    """Return what a request is known by, as a digest; empty for a visitor's."""
    given = request.headers.get("Authorization") or request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return sha256(given.encode(errors="replace")).digest() if given else b""


def _is_written(response: StreamingHttpResponse) -> bool:
    """Return whether an answer is made while it is sent: by threads, unlike a stream of events, which only waits."""
    return not isinstance(response, FileResponse) and not response.is_async


def _is_free(request: HttpRequest) -> bool:
    name = request.resolver_match.url_name if request.resolver_match else None
    if name == "home" and request.GET:
        return False  # parts of it, which compute what the address asks for
    return name is None or name in FREE or name.startswith(_FREE_BEGINNINGS)


def _refused(request: HttpRequest, wait: int) -> HttpResponse:
    params: dict[str, Any] = {"seconds": (WorkThrottle().num_requests or 0) // 1000, "wait": wait}
    answer: HttpResponse
    if request.path.startswith(_INTERFACE):
        answer = JsonResponse(shape("too_much_work", _TOO_MUCH, params), status=HTTPStatus.TOO_MANY_REQUESTS)
    else:
        sentence = said(_TOO_MUCH, params, translated)
        values = {"code": 429, "title": gettext("Too many requests"), "sentence": sentence}
        answer = render(request, "refused.html", values, status=HTTPStatus.TOO_MANY_REQUESTS)
    answer["Retry-After"] = str(wait)
    return answer
