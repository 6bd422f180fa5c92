"""The threads that run Django, each one request at a time."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, NamedTuple, Protocol, TypeVar
from wsgiref.types import WSGIApplication, WSGIEnvironment

from django.db import close_old_connections
from django.http import HttpResponse

from atta_site.gate import busy, failed, full
from atta_site.serving.answers import SHORT, Answer, Download, Outbox, Source, Written, answer_of
from atta_site.serving.bodies import GoneError
from atta_site.serving.lanes import WIDTHS, Lane, Width, lane_of
from atta_site.serving.slices import Sliced
from atta_site.serving.turns import Turns
from games.platform.shares import FullError, Share, Shares

T = TypeVar("T")
log = logging.getLogger(__name__)


class Room(NamedTuple):
    """Where long answers wait for their readers, and how much room there is."""

    folder: Path
    places: Shares
    """How many long answers."""
    written: Shares
    """Bytes that were written for their readers."""
    disk: Executor


class _Waiting(Protocol):
    """What waits for a thread."""

    @property
    def address(self) -> str: ...

    def run(self, application: WSGIApplication) -> None: ...

    def refuse(self, why: Callable[[WSGIEnvironment], HttpResponse]) -> None: ...


class _File:
    """What WSGI calls a file wrapper: a file that the server sends by itself."""

    def __init__(self, file: BinaryIO, _size: int = 0) -> None:
        self.file = file


class _Head:
    """Notes an answer's status and headers."""

    def __init__(self) -> None:
        self.status, self.headers = 500, list[tuple[str, str]]()

    def __call__(self, status: str, headers: list[tuple[str, str]], _info: object = None) -> Any:  # noqa: ANN401 (WSGI's)
        self.status, self.headers = int(status[:3]), headers


class Threads:
    """Runs an application in threads, so many for each lane; in a lane the addresses take turns."""

    def __init__(self, application: WSGIApplication, room: Room) -> None:
        self._room = room
        self._lanes = {lane: _Queue(application, lane, width) for lane, width in WIDTHS.items()}

    def put(self, environ: WSGIEnvironment, address: str) -> "Job":
        """Queue a request for a thread.

        :raises CrowdedError: when its address has too many waiting.
        :raises FullError: when too many wait in all.
        """
        job = Job(environ | {"wsgi.file_wrapper": _File}, address, self._room, self._lanes[Lane.DOWNLOADS].put)
        self._lanes[lane_of(environ)].put(job)
        return job

    def drop(self, job: "Job") -> None:
        """Forget a request whose client has gone, if it still waits."""
        if self._lanes[lane_of(job.environ)].drop(job):
            job.leave()


class _Queue:
    """The requests of one lane, and its threads."""

    def __init__(self, application: WSGIApplication, lane: Lane, width: Width) -> None:
        self._application, self._number = application, width.threads
        self._turns, self._lock = Turns[_Waiting](width.bounds), Lock()
        self._threads, self._busy = ThreadPoolExecutor(width.threads, lane.name.lower()), 0

    def put(self, job: _Waiting) -> None:
        with self._lock:
            ousted = self._turns.put(job.address, job)
            is_one_free = self._busy < self._number
            self._busy += is_one_free
        if is_one_free:
            self._threads.submit(self._work)
        if ousted:
            ousted.refuse(full)

    def drop(self, job: _Waiting) -> bool:
        with self._lock:
            return self._turns.drop(job.address, job)

    def _work(self) -> None:
        """Run what waits, until nothing does."""
        while job := self._next():
            try:
                job.run(self._application)
            finally:
                with self._lock:
                    self._turns.end(job.address)

    def _next(self) -> _Waiting | None:
        with self._lock:
            taken = self._turns.take()
            self._busy -= taken is None
        return taken[1] if taken else None


class Job:
    """A request for a thread."""

    def __init__(
        self, environ: WSGIEnvironment, address: str, room: Room, in_slices: Callable[[Sliced], object]
    ) -> None:
        """Answer a request; queue the slices of a long answer by `in_slices`."""
        self.address, self.environ, self._room, self._in_slices = address, environ, room, in_slices
        self._loop = asyncio.get_running_loop()
        self._head = _Head()
        self.answer: asyncio.Future[Answer] = self._loop.create_future()

    def run(self, application: WSGIApplication) -> None:
        """Run the application, and pass its answer to the event loop."""
        try:
            result = application(self.environ, self._head)
            if isinstance(result, _File):
                self._send_file(result.file)
            elif getattr(result, "in_slices", False) and self.environ["REQUEST_METHOD"] != "HEAD":
                self._slice(result)
            else:
                self._read(result)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            self._tell(self._fail, error)

    def _read(self, result: Iterable[bytes]) -> None:
        try:
            if self.environ["REQUEST_METHOD"] == "HEAD":
                self._give(b"")
            elif getattr(result, "streaming", False):
                self._write_all(result)
            else:
                self._give_whole(b"".join(result))
        finally:
            if close := getattr(result, "close", None):
                close()

    def _give_whole(self, content: bytes) -> None:
        if len(content) > SHORT:
            self._write_all([content])
        else:
            self._give(content)

    def _slice(self, result: Any) -> None:  # noqa: ANN401 (a response that says it is `InSlices`)
        """Let a long answer be written in slices for its reader."""
        try:
            outbox = self._outbox()
        except FullError:
            result.close()
            self.refuse(busy)
            return
        self._give(outbox)
        close_old_connections()
        self._in_slices(Sliced(self.address, result, outbox, self._in_slices))

    def _write_all(self, pieces: Iterable[bytes]) -> None:
        """Write an answer for its reader, who may begin at once."""
        try:
            outbox = self._outbox()
        except FullError:
            self.refuse(busy)
            return
        self._give(outbox)
        is_whole = False
        try:
            for piece in pieces:
                outbox.write(piece)
            is_whole = True
        except GoneError:
            pass
        except FullError:
            log.warning("no room for a long answer", extra={"path": self.environ["PATH_INFO"]})
        finally:
            outbox.end(is_whole=is_whole)

    def _outbox(self) -> Outbox:
        place = self._place()
        written = self._room.written.of(self.address)
        return Outbox(self._room.folder, Written(place, written), self._loop, self._room.disk)

    def _place(self) -> Share:
        place = self._room.places.of(self.address)
        place.take(1)
        return place

    def _send_file(self, file: BinaryIO) -> None:
        close_old_connections()  # Django does so when the answer is closed, and that is in another thread
        length = dict(self._head.headers).get("Content-Length", "")
        if self.environ["REQUEST_METHOD"] == "HEAD":
            file.close()
            self._give(b"")
        elif length.isdecimal() and int(length) <= SHORT:
            with closing(file):
                self._give(file.read())
        else:
            self._download(file)

    def _download(self, file: BinaryIO) -> None:
        try:
            self._give(Download(file, self._place(), self._room.disk))
        except FullError:
            file.close()
            self.refuse(busy)

    def leave(self) -> None:
        """Mark the job as abandoned: nobody waits for the answer."""
        if not self.answer.done():
            self.answer.set_exception(GoneError())

    def refuse(self, why: Callable[[WSGIEnvironment], HttpResponse]) -> None:
        """Answer why there is no answer."""
        self._tell(self._set_result, answer_of(why(self.environ)))

    def _give(self, content: bytes | Source) -> None:
        self._tell(self._set_result, Answer(self._head.status, self._head.headers, content))

    def _set_result(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)
        elif not isinstance(answer.content, bytes):
            answer.content.leave()

    def _fail(self, error: Exception) -> None:
        if self.answer.done():
            log.error("an answer was cut off", exc_info=error, extra={"path": self.environ["PATH_INFO"]})
        else:
            log.error("a request failed", exc_info=error, extra={"path": self.environ["PATH_INFO"]})
            self.answer.set_result(answer_of(failed(self.environ)))

    def _tell(self, what: Callable[[T], None], value: T) -> None:
        with suppress(RuntimeError):  # the loop is closed: the process ends
            self._loop.call_soon_threadsafe(what, value)
