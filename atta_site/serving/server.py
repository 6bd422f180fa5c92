"""The front: receives a request, lets a thread answer it, sends the answer."""

import logging
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, Self
from wsgiref.types import WSGIApplication, WSGIEnvironment

from django.http import HttpRequest, HttpResponse

from atta_site.gate import busy, crowded, full, refusal, too_slow
from atta_site.health import live
from atta_site.serving import sockets
from atta_site.serving.answers import Answer, Send, Sender, answer_of
from atta_site.serving.bodies import Body, Cut, GoneError, Incoming, Receive, Spool
from atta_site.serving.kept import Kept
from atta_site.serving.lanes import LIVE, LONG_ANSWERS, LONG_ANSWERS_EACH, WIDTHS, Lane, lane_of
from atta_site.serving.pace import Pace, SlowError
from atta_site.serving.presence import Presence
from atta_site.serving.relay import PATHS as STREAMS
from atta_site.serving.relay import Relay
from atta_site.serving.scope import Scope, environ_of
from atta_site.serving.turns import CrowdedError
from atta_site.serving.work import Room, Threads
from games.platform.addresses import address_of
from games.platform.counted import REFUSED
from games.platform.shares import FullError, Shares

log = logging.getLogger(__name__)

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


class Front:
    """An ASGI application: a WSGI application in threads, each of which gets a request when all of it is here."""

    def __init__(  # noqa: PLR0913 - each part may be another one in tests
        self,
        application: WSGIApplication,
        folder: Path,
        room: int,
        *,
        relay: Relay | None = None,
        kept: Kept | None = None,
        sending: Pace = SENDING,
        reading: Pace = READING,
    ) -> None:
        """Keep what waits in `folder`, at most `room` bytes.

        :param relay: the way to event streams, if there is one.
        :param kept: where answers are kept that are the same for all readers; without it each is made anew.
        """
        folder.mkdir(parents=True, exist_ok=True)
        disk = ThreadPoolExecutor(_DISK_THREADS, "disk")
        places = Shares(LONG_ANSWERS, LONG_ANSWERS_EACH)
        self._threads = Threads(application, Room(folder, places, Shares(room, room // 2), disk))
        self._spool = Spool(folder, Shares(room, room // 2), disk)
        self._relay, self._kept, self._sending, self._reading = relay, kept, sending, reading
        self._under_way = Counter[tuple[Lane, str]]()
        sockets.allow_many()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            raise NotImplementedError(scope["type"])
        sockets.give_up_on_silence()
        environ, presence = environ_of(scope), Presence(receive)
        try:
            await self._answer(environ, receive, Sender(send, receive, presence, self._reading), presence)
        except SlowError:
            log.info("reader too slow", extra={"path": environ["PATH_INFO"]})
        except GoneError:
            pass
        finally:
            presence.end()

    async def _answer(self, environ: WSGIEnvironment, receive: Receive, sender: Sender, presence: Presence) -> None:
        if refused := refusal(environ):
            await sender.early(_refused(refused))
            return
        address, length = address_of(environ), int(environ.get("CONTENT_LENGTH") or 0)
        if environ["PATH_INFO"] == LIVE:
            answer = answer_of(_lives(environ))
        elif length:
            answer = await self._of_body(environ, Incoming(receive, length, self._sending), address, presence)
        else:
            answer = await self._of_relay(environ, address) or await self._of_all(environ, address, presence)
        await sender.whole(answer)

    async def _of_relay(self, environ: WSGIEnvironment, address: str) -> Answer | None:
        """Return the answer of the server that holds streams open; a thread says what there is until now otherwise."""
        is_stream = self._relay and environ["PATH_INFO"].startswith(STREAMS) and environ["REQUEST_METHOD"] == "GET"
        return await self._relay.answer(environ, address) if self._relay and is_stream else None

    async def _of_all(self, environ: WSGIEnvironment, address: str, presence: Presence) -> Answer:
        """Return the answer that is kept for all readers, or else the application's."""

        async def make(asked: WSGIEnvironment) -> Answer:
            return await self._of_thread(asked | {"wsgi.input": BytesIO()}, address, presence)

        if self._kept is None:
            return await make(environ)
        lane = lane_of(environ)
        at_a_time = WIDTHS[lane].bounds.at_a_time  # a further one waits for these, and so nobody else may wait for it
        return await self._kept.answer(environ, make, lambda: self._under_way[lane, address] < at_a_time)

    async def _of_body(self, environ: WSGIEnvironment, incoming: Incoming, address: str, presence: Presence) -> Answer:
        """Return the answer to a request with a body: to its last piece, or to the first one that is not accepted."""
        kind = _Kind.of(environ)
        while True:
            size = min(incoming.left, PIECE) if kind.in_pieces else incoming.left
            async with self._spool.body(incoming, size, address) as body:
                if body.cut and not (kind.in_part and body.size):
                    return _cut(environ, body.cut)
                # What arrived of a part is kept, even if its sender disconnects.
                answer = await self._of_thread(_of_piece(environ, body), address, None if kind.in_part else presence)
            if body.cut or not incoming.left or answer.status != _NO_CONTENT:
                return answer
            environ = _following(environ, body.size)

    async def _of_thread(self, environ: WSGIEnvironment, address: str, presence: Presence | None) -> Answer:
        """Return the application's answer, or why there is no thread. :raises GoneError: if the client goes before."""
        try:
            job = self._threads.put(environ, address)
        except CrowdedError:
            return _refused(crowded(environ))
        except FullError:
            return _refused(full(environ))
        if presence:
            presence.when_over(partial(self._threads.drop, job))
        place = lane_of(environ), address
        self._under_way[place] += 1
        try:
            return await job.answer
        finally:
            self._under_way[place] -= 1
            if not self._under_way[place]:
                del self._under_way[place]


def _refused(why: HttpResponse) -> Answer:
    """Return the answer to a request that no page will see, and count it."""
    REFUSED.labels(str(why.status_code)).inc()
    return answer_of(why)


def _lives(environ: WSGIEnvironment) -> HttpResponse:
    """Say that the process lives, which needs no thread."""
    request = HttpRequest()
    request.method = environ["REQUEST_METHOD"]
    return live(request)


class _Kind(NamedTuple):
    """What may be done with a body: handed on in part, as far as it came, or in several pieces."""

    in_part: bool
    in_pieces: bool

    @classmethod
    def of(cls, environ: WSGIEnvironment) -> Self:
        """Return what may be done with this one: one of tus 1.0.0 without a checksum says where its bytes belong."""
        is_tus = environ["PATH_INFO"].startswith(_TUS_PATH) and environ.get("CONTENT_TYPE") == _TUS
        is_part = is_tus and "HTTP_UPLOAD_CHECKSUM" not in environ
        has_offset = _OFFSET.fullmatch(environ.get("HTTP_UPLOAD_OFFSET", "")) is not None
        return cls(is_part, is_part and has_offset and environ["REQUEST_METHOD"] == "PATCH")


def _of_piece(environ: WSGIEnvironment, body: Body) -> WSGIEnvironment:
    return environ | {"wsgi.input": body.file, "CONTENT_LENGTH": str(body.size)}


def _following(environ: WSGIEnvironment, size: int) -> WSGIEnvironment:
    """Return the request for the piece that comes after one of this size."""
    return environ | {"HTTP_UPLOAD_OFFSET": str(int(environ["HTTP_UPLOAD_OFFSET"]) + size)}


def _cut(environ: WSGIEnvironment, cut: Cut) -> Answer:
    """Return the answer to a client of whose body too little came. :raises GoneError: when it would not get it."""
    if isinstance(cut, GoneError):
        raise cut
    return _refused(too_slow(environ) if isinstance(cut, SlowError) else busy(environ))
