"""Clients of a handler without a server: they pass on what a server would receive."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from atta_site.serving.answers import Send
from atta_site.serving.bodies import Receive
from atta_site.serving.handler import Handler
from atta_site.serving.kept import Kept
from atta_site.serving.limits import Pace
from atta_site.serving.scope import Scope
from games.platform.long_answers import LongAnswer

T = TypeVar("T")
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
QUICK = Pace(stall=0.3, grace=0.3)


def run(what: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in its own thread: after browser tests this one already has an event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, what).result()


class Answer(NamedTuple):
    """A response as received by a client; incomplete when its end is missing."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_whole: bool


@dataclass
class Client:
    """A client that sends a body in pieces and reads the response as fast as it likes."""

    pieces: list[bytes] = field(default_factory=list)
    length: int | None = None
    then: str = "waits"  # or "goes"
    reads: int | None = None
    """Number of response pieces the client reads before it stops reading."""
    sent: list[Any] = field(default_factory=list)

    async def receive(self) -> dict[str, Any]:
        """Return the next message from this client."""
        if self.pieces:
            piece = self.pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self.pieces) or self.is_short}
        if self.then == "goes":
            return {"type": "http.disconnect"}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Any) -> None:
        """Receive the response piece by piece."""
        if self.reads is not None and len(self.sent) > self.reads:
            await asyncio.Event().wait()
        self.sent.append(message)

    def __post_init__(self) -> None:
        came = sum(map(len, self.pieces))
        self.length = came if self.length is None else self.length
        self.is_short = came < self.length

    @property
    def answer(self) -> Answer:
        """Return the response received so far."""
        head, *rest = self.sent
        headers = {name.decode(): value.decode() for name, value in head["headers"]}
        body = b"".join(message.get("body", b"") for message in rest)
        return Answer(head["status"], headers, body, bool(rest) and not rest[-1].get("more_body"))


async def ask(site: Application, client: Client, method: str = "GET", path: str = "/", **headers: str) -> None:
    """Let a client send a request, by default from one address."""
    address = headers.pop("address", "192.0.2.1")
    path, _, query = path.partition("?")
    named = {**headers, **({"content_length": str(client.length)} if client.length else {})}
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path,
        "raw_path": path.encode(), "query_string": query.encode(),
        "server": ("localhost", "80"), "client": (address, "5"),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()],
    }  # fmt: skip
    await site(scope, client.receive, client.send)


class Echo:
    """A view that stores its requests and answers with the length of the body."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.asked: list[HttpRequest] = []
        self.bodies: list[bytes] = []

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        self.asked.append(request)
        self.bodies.append(request.read())
        return HttpResponse(str(len(self.bodies[-1])), status=self.status)


class Held:
    """A view that answers nothing until it is released and records its requests in order."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._go = threading.Event()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        self.asked.append(request.META["REMOTE_ADDR"])
        assert self._go.wait(20)
        return HttpResponse(b"done")

    def let_go(self) -> None:
        """Let it answer from now on."""
        self._go.set()


class Endless:
    """An endless streamed response that records when it is closed, as Django writes it or as a `LongAnswer`."""

    def __init__(self, pieces: int | None = None, kind: type[StreamingHttpResponse] = StreamingHttpResponse) -> None:
        self.pieces, self.kind, self.closed = pieces, kind, 0

    def __call__(self, _request: HttpRequest) -> HttpResponseBase:
        """Answer."""
        response = self.kind(iter(self))
        response._resource_closers.append(self.close)  # type: ignore[attr-defined]  # Django's own
        return response

    def __iter__(self) -> Iterator[bytes]:
        number = 0
        while self.pieces is None or number < self.pieces:
            yield b"x" * 100_000
            number += 1

    def close(self) -> None:
        """Note it."""
        self.closed += 1


KINDS = (StreamingHttpResponse, LongAnswer)


class Site(Handler):
    """A handler in which a view takes the place of all of Django."""

    def __init__(self, view: Callable[[Any], HttpResponseBase], folder: Path, room: int, kept: Kept | None) -> None:
        super().__init__(folder, room, kept=kept, sending=QUICK, reading=QUICK)
        self.view = view

    def load_middleware(self, is_async: bool = False) -> None:
        """Load none."""

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Answer."""
        return self.view(request)


async def until(true: Callable[[], bool]) -> None:
    """Wait for a condition, a few seconds at most."""
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def site_of(view: Any, folder: Path, room: int = 2**30, kept: Kept | None = None) -> Site:
    """Return a site that gives clients a third of a second."""
    return Site(view, folder, room, kept)
