"""Kept answers: what a thread has answered once is given to all whose requests are alike, while it has not changed.

Readers without an account who ask for the same page wait for one thread together. The page of a game is kept by the
game's version, which is asked for anew with every request; one statement asks for all games that are wanted meanwhile.
So no answer is older than its request.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import Enum, auto
from functools import lru_cache
from hashlib import sha256

import structlog
from django.core.cache.backends.base import BaseCache
from django.db import close_old_connections
from django.urls import resolve
from django.utils.http import parse_etags

from atta_site.logs import request_id
from atta_site.requests import sender_of
from atta_site.serving.alike import Alike, alike, is_for_all
from atta_site.serving.answers import Answer
from atta_site.serving.scope import Request
from games.platform.counted import count_request

Make = Callable[[Request], Awaitable[Answer]]
MayLead = Callable[[], bool]
Read = Callable[[Collection[str]], Mapping[str, int]]

PATIENCE = 2.0
"""Seconds after which a page is made without its game's version: the database may be waiting for a lock."""
_NOT_MODIFIED = 304
_NUMBER = "X-Request-ID"
_OF_CONTENT = frozenset({"content-encoding", "content-language", "content-length", "content-type"})

log = structlog.stdlib.get_logger("atta_site.logs")


class Versions:
    """Asks for the versions of games: while a statement runs, further games wait for the next one."""

    def __init__(self, read: Read, patience: float = PATIENCE) -> None:
        self._read, self._patience = read, patience
        self._waiting = dict[str, asyncio.Future[int | None]]()
        self._thread = ThreadPoolExecutor(1, "versions")
        self._task: asyncio.Task[None] | None = None

    async def of(self, game: str) -> int | None:
        """Return a game's version, from a statement that begins after this call; None if it has none, or none soon."""
        asked = self._waiting.get(game)
        if asked is None:
            asked = self._waiting[game] = asyncio.get_running_loop().create_future()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(asked)
        return None

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            found = await loop.run_in_executor(self._thread, self._found, list(asked))
            for game, future in asked.items():
                future.set_result(found.get(game))

    def _found(self, games: Collection[str]) -> Mapping[str, int]:
        """Return the versions; none while the database does not answer, which the page itself then says."""
        try:
            close_old_connections()
            return self._read(games)
        except Exception as problem:  # noqa: BLE001 - whatever it is, pages are made as without versions
            log.warning("versions unknown", problem=str(problem))
            return {}


class _Outcome(Enum):
    """Why a request gets no answer that was made for another one."""

    GONE = auto()
    """The client for which it was to be made has gone."""
    OWN = auto()
    """The answer is not the same for all."""


_Turn = asyncio.Future[Answer | _Outcome]


class Together:
    """Has an answer made once for all who wait for it."""

    def __init__(self) -> None:
        self._running, self._next = dict[Hashable, _Turn](), dict[Hashable, _Turn]()

    async def answer(
        self, name: Hashable, make: Callable[[], Awaitable[Answer]], *, may_join: bool, may_lead: MayLead
    ) -> tuple[Answer, bool]:
        """Return an answer, and whether it was made for another request.

        :param may_join: whether an answer will do whose making has begun already.
        :param may_lead: whether others may wait for the answer to this request.
        """
        while running := self._running.get(name):
            if not may_join and name not in self._next:
                return await self._after(running, name, make, may_lead), False
            made = await asyncio.shield(running if may_join else self._next[name])
            if isinstance(made, Answer):
                return made, True
            if made is _Outcome.OWN:
                return await make(), False
        return await (self._lead(name, _turn(), make) if may_lead() else make()), False

    async def _after(
        self, running: _Turn, name: Hashable, make: Callable[[], Awaitable[Answer]], may_lead: MayLead
    ) -> Answer:
        """Make the next answer when the one that is being made is there."""
        turn = self._next[name] = _turn()
        try:
            await asyncio.wait([running])
            if may_lead():
                del self._next[name]
                return await self._lead(name, turn, make)
        finally:
            if not turn.done():
                self._next.pop(name, None)
                turn.set_result(_Outcome.GONE)
        return await make()

    async def _lead(self, name: Hashable, turn: _Turn, make: Callable[[], Awaitable[Answer]]) -> Answer:
        self._running[name] = turn
        try:
            answer = await make()
            turn.set_result(answer if is_for_all(answer) else _Outcome.OWN)
            return answer
        finally:
            if self._running.get(name) is turn:
                del self._running[name]
            if not turn.done():
                turn.set_result(_Outcome.GONE)


def _turn() -> _Turn:
    return asyncio.get_running_loop().create_future()


class Kept:
    """Gives answers that threads have made to all whose requests are alike."""

    def __init__(self, read: Read, pages: BaseCache, *, largest: int) -> None:
        """Keep answers of at most `largest` bytes in `pages`; `read` returns the versions of games."""
        self._versions, self._pages, self._together = Versions(read), pages, Together()
        self._largest, self._longest = largest, pages.default_timeout or 0

    async def answer(self, request: Request, make: Make, may_lead: MayLead = lambda: True) -> Answer:
        """Return the answer to a request, made by `make` if there is none for all.

        :param may_lead: whether others may wait for it: not if it has to wait for other requests of its address.
        """
        asked = alike(request)
        return await make(request) if asked is None else await self._for_all(asked, request, make, may_lead)

    async def _for_all(self, asked: Alike, request: Request, make: Make, may_lead: MayLead) -> Answer:
        begin = time.perf_counter()
        version = await self._versions.of(asked.game) if asked.game else None
        found: Answer | None = None if version is None else self._pages.get(_name(asked, version))
        if found is None:
            found, is_anothers = await self._made(asked, version, lambda: make(request.unconditional()), may_lead)
            if not is_anothers:
                return await self._first(asked, version, request, found)
        given = _unless_known(found, request)
        return _noted(asked, given, request, time.perf_counter() - begin)

    async def _made(
        self, asked: Alike, version: int | None, make: Callable[[], Awaitable[Answer]], may_lead: MayLead
    ) -> tuple[Answer, bool]:
        """Return an answer, and whether it was made for another request, which may have begun before this one came."""
        if version is not None:
            found, is_anothers = await self._together.answer((asked, version), make, may_join=True, may_lead=may_lead)
            if not is_anothers or found.fresh_until > time.time():
                return found, is_anothers
        return await self._together.answer((asked, None), make, may_join=False, may_lead=may_lead)

    async def _first(self, asked: Alike, version: int | None, request: Request, answer: Answer) -> Answer:
        """Return an answer that was made for this very request; keep it if it is the same for all.

        It is kept only if the game has still the same version: otherwise it may show what was written meanwhile.
        """
        if not is_for_all(answer):
            return answer
        seconds = min(self._longest, answer.fresh_until - time.time())
        is_small = len(answer.content) <= self._largest
        if version is not None and is_small and seconds > 0 and version == await self._versions.of(asked.game):
            self._pages.set(_name(asked, version), answer, seconds)
        return _unless_known(answer, request)


def _name(asked: Alike, version: int) -> str:
    """Return the name of an answer in a cache, as short as caches want it: clients choose what it is made of."""
    return sha256(repr((asked, version)).encode()).hexdigest()


def _unless_known(answer: Answer, request: Request) -> Answer:
    """Return the answer, or that its client has it already."""
    known = request.META.get("HTTP_IF_NONE_MATCH")
    tag = next((value for name, value in answer.headers if name == "ETag"), "")
    if not known or not tag or tag.removeprefix("W/") not in [one.removeprefix("W/") for one in parse_etags(known)]:
        return answer
    return Answer(_NOT_MODIFIED, [one for one in answer.headers if one[0].lower() not in _OF_CONTENT], b"")


def _noted(asked: Alike, answer: Answer, request: Request, seconds: float) -> Answer:
    """Return an answer that was made for another request with this one's id; log and count it as Django does."""
    number = request_id(request.META.get("HTTP_X_REQUEST_ID", ""), request.META.get("HTTP_TRACEPARENT", ""))
    milliseconds = round(seconds * 1000, 1)
    line = {"method": "GET", "path": asked.path, "status": answer.status, "milliseconds": milliseconds}
    log.info("request", **line, **sender_of(request.META), request=number)
    count_request(_route(asked.path), "GET", answer.status, seconds)
    headers = [one for one in answer.headers if one[0] != _NUMBER]
    return answer._replace(headers=[*headers, (_NUMBER, number)])


@lru_cache(maxsize=4096)
def _route(path: str) -> str:
    return f"/{resolve(path).route}"
