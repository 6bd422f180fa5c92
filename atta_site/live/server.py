"""The server: has Django answer a request, and holds the answer open if it is a stream."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from wsgiref.types import WSGIApplication, WSGIEnvironment

import structlog
from django.http import JsonResponse

from atta_site.gate import crowded, full, refusal
from atta_site.metrics.page import counted_by_processes
from atta_site.serving import sockets
from atta_site.serving.answers import Answer, Send, Sender, answer_of
from atta_site.serving.bodies import GoneError, Receive
from atta_site.serving.pace import Pace, SlowError
from atta_site.serving.presence import Presence
from atta_site.serving.relay import PATHS
from atta_site.serving.scope import Scope, environ_of
from atta_site.serving.turns import CrowdedError
from atta_site.serving.work import Room, Threads
from games.platform.addresses import address_of
from games.platform.counted import STREAMS
from games.platform.shares import FullError, Shares
from games.web.live.hub import Hub
from games.web.live.streams import BEAT, HOLDS, LINES, TOPIC, Topic, as_lines
from games.web.live.subscription import Subscription

HEALTH, METRICS = "/live/health", "/live/metrics"
HEARTBEAT = 15.0
"""Seconds without events after which an empty line is sent, because proxies close silent connections."""
LIFE = 15 * 60.0
"""Seconds, roughly, after which a stream ends: its reader resumes. What it is open by is checked more often."""
_SPREAD = 0.2
_READING = Pace(stall=20, grace=30)
_LONG_ANSWERS = 64

log = structlog.stdlib.get_logger(__name__)


class Held:
    """A stream that is held open: first what Django has written, then new events."""

    def __init__(self, begin: bytes, reader: Subscription, *, lines: bool) -> None:
        self._begin, self._reader = begin, reader
        self._written: Callable[[bytes], bytes] = as_lines if lines else bytes

    async def read(self) -> bytes:
        """Return the next part, perhaps only a sign of life; nothing at the end."""
        begin, self._begin = self._begin, b""
        if begin:
            return begin
        try:
            async with asyncio.timeout(HEARTBEAT):
                return self._written(await self._reader.take())
        except TimeoutError:
            return self._written(BEAT)

    def leave(self) -> None:
        """End the stream: its reader has disconnected."""
        self._reader.end()


class Live:
    """An ASGI application: a WSGI application in threads, whose event streams are held open without one."""

    def __init__(self, application: WSGIApplication, hub: Hub, streams: Shares, folder: Path) -> None:
        """Set how many streams are held; further readers poll."""
        folder.mkdir(parents=True, exist_ok=True)
        disk = ThreadPoolExecutor(1, "disk")
        places = Shares(_LONG_ANSWERS, _LONG_ANSWERS)
        self._threads = Threads(application, Room(folder, places, Shares(2**26, 2**26), disk))
        self._hub, self._streams = hub, streams
        self._held = set[Subscription]()
        sockets.allow_many()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; begin and end with the process."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            raise NotImplementedError(scope["type"])
        sockets.give_up_on_silence()
        environ, presence = environ_of(scope), Presence(receive)
        try:
            await self._answer(environ, Sender(send, receive, presence, _READING), presence)
        except SlowError:
            log.info("live: reader too slow", path=environ["PATH_INFO"])
        except GoneError:
            pass
        finally:
            presence.end()

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._hub.start()
            else:
                await self._end()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def _end(self) -> None:
        for reader in self._held:
            reader.end()
        await self._hub.stop()

    async def _answer(self, environ: WSGIEnvironment, sender: Sender, presence: Presence) -> None:
        if refused := refusal(environ):
            await sender.early(answer_of(refused))
        elif environ["PATH_INFO"] == HEALTH:
            await sender.whole(answer_of(self._health()))
        elif environ["PATH_INFO"] == METRICS:
            await sender.whole(answer_of(counted_by_processes(environ.get("HTTP_AUTHORIZATION", ""))))
        elif environ["REQUEST_METHOD"] != "GET" or not environ["PATH_INFO"].startswith(PATHS):
            await sender.early(answer_of(JsonResponse({"error": "Only event streams are here."}, status=404)))
        else:
            await self._stream(environ, sender, presence)

    def _health(self) -> JsonResponse:
        """Answer whether notifications arrive, and how many streams are open."""
        found = {"listening": self._hub.is_listening, "streams": len(self._held)}
        return JsonResponse(found, status=200 if self._hub.is_listening else 503)

    async def _stream(self, environ: WSGIEnvironment, sender: Sender, presence: Presence) -> None:
        address = address_of(environ)
        share = self._streams.of(address)
        try:
            share.take(1)
            environ = environ | {HOLDS: True}
        except FullError:
            log.info("live: no stream left", address=address)
        try:
            answer = await self._of_thread(environ | {"wsgi.input": BytesIO()}, address, presence)
            topic = _topic(answer)
            if topic is None or not isinstance(answer.content, bytes):
                await sender.whole(answer)
                return
            async with self._reader(topic) as reader:
                held = Held(answer.content, reader, lines=_is_lines(answer))
                await sender.whole(Answer(answer.status, _without(answer.headers), held))
        finally:
            share.give_back()

    async def _of_thread(self, environ: WSGIEnvironment, address: str, presence: Presence) -> Answer:
        try:
            job = self._threads.put(environ, address)
        except CrowdedError:
            return answer_of(crowded(environ))
        except FullError:
            return answer_of(full(environ))
        presence.when_over(partial(self._threads.drop, job))
        return await job.answer

    @asynccontextmanager
    async def _reader(self, topic: Topic) -> AsyncIterator[Subscription]:
        """Give a topic's events to a reader while they read."""
        reader = Subscription(topic.language, topic.number, watches=not topic.sits, credential=topic.credential)
        self._held.add(reader)
        STREAMS.inc()
        end = asyncio.get_running_loop().call_later(_life(), reader.end)
        try:
            await self._hub.join(topic, reader)
            yield reader
        finally:
            end.cancel()
            self._hub.leave(topic, reader)
            self._held.discard(reader)
            STREAMS.dec()


def _life() -> float:
    """Return how long a stream is held, with some jitter so that streams do not all end together."""
    return LIFE * random.uniform(1 - _SPREAD, 1 + _SPREAD)  # noqa: S311 - nobody gains by foreseeing it


def _topic(answer: Answer) -> Topic | None:
    header = next((value for name, value in answer.headers if name == TOPIC), None)
    return Topic.of(header) if header else None


def _is_lines(answer: Answer) -> bool:
    return any(name == "Content-Type" and value.startswith(LINES) for name, value in answer.headers)


def _without(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the headers of a stream of unknown length."""
    return [(name, value) for name, value in headers if name not in {TOPIC, "Content-Length"}]
