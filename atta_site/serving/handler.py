"""The handler: receives a request, lets a thread have Django answer it, and sends the answer."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple, Self, TypeVar

import structlog
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import response_for_exception
from django.core.signals import request_started
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase

from atta_site.gate import busy, full, refusal, too_slow
from atta_site.health import live
from atta_site.serving import sockets
from atta_site.serving.answers import (
    Answer,
    Client,
    Long,
    Send,
    Written,
    answer_of,
    from_disk,
    head_of,
    in_slices,
    is_short,
    to_its_end,
)
from atta_site.serving.bodies import Cut, Incoming, Receive, Spool
from atta_site.serving.kept import Kept
from atta_site.serving.lanes import LIVE, LONG_ANSWERS, LONG_ANSWERS_EACH, WIDTHS, Lane
from atta_site.serving.limits import PATIENCE, GoneError, Pace, Places, SlowError
from atta_site.serving.scope import Request, Scope
from games.platform.counted import REFUSED
from games.platform.freshness import fresh_until
from games.platform.long_answers import EventStream, LongAnswer
from games.platform.shares import FullError, Shares

T = TypeVar("T")
SENDING = Pace()
"""How slowly a body may come."""
READING = Pace(stall=30, grace=30)
"""How slowly a long answer may be read."""
PIECE = 64 * 1024**2
"""Bytes of a piece of a file that are handed on together; more of it is taken in after that."""
_TUS, _TUS_PATH = "application/offset+octet-stream", "/api/v1/files"
_OFFSET = re.compile(r"[0-9]{1,15}")
_NO_CONTENT = 204
_DISK_THREADS = 2

log = structlog.stdlib.get_logger(__name__)


class Handler(ASGIHandler):
    """Django's ASGI handler, with so many requests under way at once as there are threads.

    Middleware and views are synchronous, and run together in one thread. Only an answer whose content is asynchronous,
    such as a stream of events, is made in the event loop.
    """

    def __init__(
        self,
        folder: Path,
        room: int,
        *,
        kept: Kept | None = None,
        sending: Pace = SENDING,
        reading: Pace = READING,
    ) -> None:
        """Keep what waits in `folder`, at most `room` bytes.

        :param kept: where answers are kept that are the same for all readers; without it each is made anew.
        """
        BaseHandler.__init__(self)
        self.load_middleware()
        folder.mkdir(parents=True, exist_ok=True)
        self._threads = ThreadPoolExecutor(sum(width.places for width in WIDTHS.values()), "django")
        self._disk = ThreadPoolExecutor(_DISK_THREADS, "disk")
        self._places = {lane: Places(*width) for lane, width in WIDTHS.items()}
        self._long = Shares(LONG_ANSWERS, LONG_ANSWERS_EACH)
        self._folder, self._written = folder, Shares(room, room // 2)
        self._spool = Spool(folder, Shares(room, room // 2), self._disk)
        self._kept, self._sending, self._reading = kept, sending, reading
        sockets.allow_many()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[override]
        """Answer a request."""
        if scope["type"] != "http":
            raise NotImplementedError(scope["type"])
        sockets.give_up_on_silence()
        client, request = Client(send, receive, self._reading), Request(scope)
        try:
            await self._serve(request, client, receive)
        except SlowError:
            log.info("reader too slow", path=request.path)
        except GoneError:
            pass
        except Exception:
            log.exception("an answer was cut off", path=request.path)

    async def _serve(self, request: Request, client: Client, receive: Receive) -> None:
        if refused := refusal(request.META):
            await client.refuse(_refused(refused))
        elif request.path_info == LIVE:
            await client.give(answer_of(live(request)))
        elif request.length:
            await self._with_body(request, client, Incoming(receive, request.length, self._sending))
        else:
            request.receive(BytesIO())
            await _unless_gone(client, self._give(client, self._of_all(request)))

    async def _with_body(self, request: Request, client: Client, incoming: Incoming) -> None:
        """Answer a request with a body: its last piece, or the first one that is not accepted."""
        kind, received = _Kind.of(request), 0
        while True:
            size = min(incoming.left, PIECE) if kind.in_pieces else incoming.left
            async with self._spool.body(incoming, size, request.address) as body:
                if body.cut and not (kind.in_part and body.size):
                    await client.give(_cut(request, body.cut))
                    return
                piece = request.piece(body, received)
                if not kind.in_part:
                    await _unless_gone(client, self._give(client, self._of_thread(piece)))
                    return
                answer = await self._of_thread(piece)  # what arrived of a part is kept, even if its sender disconnects
            received += body.size
            if body.cut or not incoming.left or answer.status != _NO_CONTENT:
                await client.give(answer)
                return

    async def _give(self, client: Client, coming: Awaitable[Answer]) -> None:
        """Send an answer as soon as it is there."""
        answer = await coming
        if isinstance(answer.content, bytes):
            await client.give(answer)
            return
        try:
            await client.give(answer)
        finally:
            self._disk.submit(answer.content.close)

    async def _of_all(self, request: Request) -> Answer:
        """Return the answer that is kept for all readers, or else Django's."""
        if self._kept is None:
            return await self._of_thread(request)
        places = self._places[request.lane]
        return await self._kept.answer(request, self._of_thread, lambda: places.has_free(request.address))

    async def _of_thread(self, request: Request) -> Answer:
        """Return Django's answer, or why there is no place for the request."""
        gone, made = Event(), list[Answer]()

        def work() -> Answer:
            made.append(self._answer(request, gone))
            return made[0]

        try:
            return await self._in_place(request.lane, request.address, work, gone=gone)
        except FullError:
            return _refused(full(request.META))
        except asyncio.CancelledError:
            for content in (answer.content for answer in made):
                if isinstance(content, Long):
                    self._disk.submit(content.close)
            raise

    async def _in_place(
        self,
        lane: Lane,
        address: str,
        work: Callable[[], T],
        *,
        gone: Event | None = None,
        forever: bool = False,
    ) -> T:
        """Return what a thread makes. :raises FullError: when there is no place for it in time."""
        places = self._places[lane]
        try:
            async with asyncio.timeout(None if forever else PATIENCE):
                await places.take(address)
        except TimeoutError:
            raise FullError from None
        try:
            return await to_its_end(asyncio.get_running_loop().run_in_executor(self._threads, work), gone)
        finally:
            places.give_back(address)

    def _answer(self, request: Request, gone: Event) -> Answer:
        """Have Django answer a request, in a thread."""
        request_started.send(sender=type(self), scope=request.scope)
        response = self.get_response(request)
        setattr(response, "_handler_class", type(self))  # noqa: B010 - as in Django's own handlers: it tells of the end
        try:
            answer = self._answer_of(request, response, gone)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            answer = answer_of(response_for_exception(request, error))
        if isinstance(answer.content, bytes):
            response.close()
        return answer

    def _answer_of(self, request: Request, response: HttpResponseBase, gone: Event) -> Answer:
        head = head_of(response)
        if request.method == "HEAD":
            return Answer(*head, b"")
        try:
            return Answer(*head, self._content_of(request, response, gone), fresh_until(response))
        except FullError:
            log.warning("no room for a long answer", path=request.path)
            return _refused(busy(request.META))
        except GoneError:
            return Answer(*head, b"")

    def _content_of(self, request: Request, response: HttpResponseBase, gone: Event) -> bytes | Long:
        """Return what is sent. :raises FullError: when there is no room. :raises GoneError: when nobody reads it."""
        if isinstance(response, EventStream):
            return Long(response.events, response.close)
        if is_short(response):
            return b"".join(response)
        with ExitStack() as held:
            place = self._long.of(request.address)
            place.take(1)
            held.callback(place.give_back)
            if isinstance(response, LongAnswer):
                in_thread = partial(self._in_place, Lane.DOWNLOADS, request.address, forever=True)
                pieces = in_slices(response, in_thread)
                held.callback(response.close)
            elif isinstance(response, FileResponse):
                pieces = from_disk(response, self._disk)
                held.callback(response.close)
            else:
                written = Written(response, self._folder, self._written.of(request.address), gone)
                pieces = from_disk(written, self._disk)
                held.callback(written.close)
                response.close()
            return Long(pieces, held.pop_all().close)


class _Kind(NamedTuple):
    """What may be done with a body: handed on in part, as far as it came, or in several pieces."""

    in_part: bool
    in_pieces: bool

    @classmethod
    def of(cls, request: Request) -> Self:
        """Return what may be done with this one: one of tus 1.0.0 without a checksum says where its bytes belong."""
        is_tus = request.path_info.startswith(_TUS_PATH) and request.META.get("CONTENT_TYPE") == _TUS
        is_part = is_tus and "HTTP_UPLOAD_CHECKSUM" not in request.META
        has_offset = _OFFSET.fullmatch(request.META.get("HTTP_UPLOAD_OFFSET", "")) is not None
        return cls(is_part, is_part and has_offset and request.method == "PATCH")


async def _unless_gone(client: Client, giving: Coroutine[Any, Any, None]) -> None:
    """Give an answer, unless its client goes before it has all of it."""
    watching, given = asyncio.create_task(client.gone()), asyncio.create_task(giving)
    try:
        await asyncio.wait([watching, given], return_when=asyncio.FIRST_COMPLETED)
    finally:
        watching.cancel()
        given.cancel()
    await asyncio.wait([watching, given])
    if not given.cancelled():
        given.result()


def _refused(why: HttpResponse) -> Answer:
    """Return the answer to a request that no page will see, and count it."""
    REFUSED.labels(str(why.status_code)).inc()
    return answer_of(why)


def _cut(request: Request, cut: Cut) -> Answer:
    """Return the answer to a client of whose body too little came. :raises GoneError: when it would not get it."""
    if isinstance(cut, GoneError):
        raise cut
    return _refused(too_slow(request.META) if isinstance(cut, SlowError) else busy(request.META))
