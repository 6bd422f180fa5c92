"""Responses are sent without occupying a thread, however slowly they are read."""

import asyncio
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from atta_site.serving import server
from atta_site.serving.server import Front
from tests.atta_site.serving.asking import Client, Echo, Endless, ask, front, run, until


class Given:
    """Responds with a file in the form in which Django passes it to a server, one for each request."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.files: list[BytesIO] = []

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> object:
        """Respond with the file."""
        start("200 OK", [("Content-Length", str(len(self.content)))])
        self.files.append(BytesIO(self.content))
        return environ["wsgi.file_wrapper"](self.files[-1], 4096)

    @property
    def closed(self) -> bool:
        """Whether every file is closed."""
        return all(file.closed for file in self.files)


async def ask_to_the_end(site: Front, client: Client, is_over: Callable[[], bool]) -> None:
    """Send a request and wait until the thread has finished, which happens after the response."""
    await ask(site, client)
    await until(is_over)


@pytest.mark.parametrize("pieces", [0, 1, 50])
def test_streamed_response_arrives_complete_and_is_closed(tmp_path: Path, pieces: int) -> None:
    client, endless = Client(), Endless(pieces)

    run(ask_to_the_end(front(endless, tmp_path), client, lambda: bool(endless.closed)))

    assert (client.answer.is_whole, len(client.answer.body), endless.closed) == (True, pieces * 100_000, 1)


@pytest.mark.parametrize("size", [10, 300_000, 2_000_000])
def test_file_response_arrives_complete_and_is_closed(tmp_path: Path, size: int) -> None:
    file, client, content = Given(b"ab" * (size // 2)), Client(), b"ab" * (size // 2)

    async def asked() -> None:
        await ask(front(file, tmp_path), client)
        await until(lambda: file.closed)

    run(asked())

    assert (client.answer.is_whole, client.answer.body) == (True, content)


def test_clients_that_stop_reading_occupy_no_thread_and_are_disconnected(tmp_path: Path) -> None:
    endless = Endless(20)

    async def asked() -> list[Client]:
        site, clients = front(endless, tmp_path), [Client(reads=1) for _ in range(20)]
        reading = [asyncio.ensure_future(ask(site, client)) for client in clients]
        await until(lambda: endless.closed == 20)
        assert not any(one.done() for one in reading)
        await asyncio.gather(*reading)
        return clients

    assert not any(client.answer.is_whole for client in run(asked()))


@pytest.mark.parametrize("application", [Endless(1), Given(b"a" * 300_000)], ids=["stream", "file"])
def test_client_that_stops_before_the_end_of_a_response_is_disconnected(
    tmp_path: Path, application: Endless | Given
) -> None:
    client = Client(reads=1 if isinstance(application, Endless) else 2)

    run(ask_to_the_end(front(application, tmp_path), client, lambda: bool(application.closed)))

    assert not client.answer.is_whole


def test_a_file_that_nobody_reads_is_closed(tmp_path: Path) -> None:
    file, client = Given(b"a" * 2_000_000), Client(reads=1)

    async def asked() -> None:
        await ask(front(file, tmp_path), client)
        await until(lambda: file.closed)

    run(asked())

    assert not client.answer.is_whole


def test_response_is_closed_when_the_client_disconnects(tmp_path: Path) -> None:
    endless, client = Endless(), Client(then="goes")

    async def asked() -> None:
        await ask(front(endless, tmp_path), client)
        await until(lambda: endless.closed == 1)

    run(asked())

    assert not client.answer.is_whole


def test_response_that_breaks_off_is_reported_as_incomplete(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Endless):
        def __iter__(self) -> Iterator[bytes]:
            yield b"some"
            raise ValueError("amid it")

    client, broken = Client(), Broken()

    run(ask_to_the_end(front(broken, tmp_path), client, lambda: "an answer was cut off" in caplog.text))

    assert (client.answer.body, client.answer.is_whole, broken.closed) == (b"some", False, 1)


def test_one_address_may_use_half_of_the_response_buffer(tmp_path: Path) -> None:
    client, endless = Client(), Endless()

    run(ask_to_the_end(front(endless, tmp_path, 2_000_000), client, lambda: bool(endless.closed)))

    assert (client.answer.is_whole, len(client.answer.body), endless.closed) == (False, 1_000_000, 1)


def test_one_address_may_read_only_a_limited_number_of_long_responses_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LONG_ANSWERS_EACH", 1)

    async def asked() -> Client:
        site = front(Endless(20), tmp_path)
        first = asyncio.ensure_future(ask(site, slow := Client(reads=1)))
        await until(lambda: len(slow.sent) > 1)
        await ask(site, second := Client())
        await first
        await ask(site, third := Client())
        assert third.answer.is_whole
        return second

    refused = run(asked()).answer
    assert (refused.status, refused.headers["retry-after"], refused.is_whole) == (503, "30", True)


def test_response_buffers_and_places_are_released(tmp_path: Path) -> None:
    async def asked() -> None:
        for application in (Endless(20), Given(b"a" * 2_000_000), Echo()):
            site = front(application, tmp_path)
            await asyncio.gather(*(ask(site, Client(reads=reads)) for reads in (None, 1)))
            room = site._threads._room
            await until(lambda room=room: room.places._total == room.written._total == 0)  # type: ignore[misc]

    run(asked())

    assert list(tmp_path.iterdir()) == []


def test_application_exception_gets_a_json_error_response(tmp_path: Path) -> None:
    client = Client()

    def broken(_environ: WSGIEnvironment, _start: StartResponse) -> list[bytes]:
        raise LookupError("unknown encoding")

    run(ask(front(broken, tmp_path), client, path="/api/v1/games"))

    assert (client.answer.status, client.answer.is_whole) == (500, True)
    assert json.loads(client.answer.body)["error"]["code"] == "error"
