"""Responses are sent without occupying a thread, however slowly they are read."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from atta_site.serving import answers, handler
from games.platform.long_answers import EventStream, LongAnswer
from tests.atta_site.serving.asking import KINDS, Answer, Client, Echo, Endless, Site, ask, run, site_of, until


class Given:
    """Responds with a file in the form in which Django passes it to a server, one for each request."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.files: list[BytesIO] = []

    def __call__(self, _request: HttpRequest) -> FileResponse:
        """Respond with the file."""
        self.files.append(BytesIO(self.content))
        return FileResponse(self.files[-1])

    @property
    def closed(self) -> bool:
        """Whether every file is closed."""
        return all(file.closed for file in self.files)


async def ask_to_the_end(site: Site, client: Client, is_over: Callable[[], bool]) -> None:
    """Send a request and wait until the thread has finished, which happens after the response."""
    await ask(site, client)
    await until(is_over)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pieces", [0, 1, 50])
def test_streamed_response_arrives_complete_and_is_closed(
    tmp_path: Path, pieces: int, kind: type[StreamingHttpResponse]
) -> None:
    client, endless = Client(), Endless(pieces, kind)

    run(ask_to_the_end(site_of(endless, tmp_path), client, lambda: bool(endless.closed)))

    assert (client.answer.is_whole, len(client.answer.body), endless.closed) == (True, pieces * 100_000, 1)


@pytest.mark.parametrize("size", [answers.SHORT, answers.SHORT + 1])
def test_long_page_waits_for_its_reader_in_a_file(tmp_path: Path, size: int) -> None:
    client = Client()

    async def asked() -> None:
        site = site_of(lambda _: HttpResponse(b"x" * size), tmp_path)
        await ask(site, client)
        await until(lambda: not site._written._total)

    run(asked())

    assert (client.answer.is_whole, client.answer.body) == (True, b"x" * size)


def test_other_kinds_of_answers_and_their_cookies_arrive(tmp_path: Path) -> None:
    async def events() -> AsyncGenerator[bytes]:
        for number in range(3):
            yield b"%d" % number

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = EventStream(events()) if request.path == "/events" else HttpResponse(b"page")
        response.set_cookie("a", "b")
        return response

    async def asked() -> list[Answer]:
        site, asking = site_of(answer, tmp_path), [("GET", "/events"), ("GET", "/"), ("HEAD", "/"), ("HEAD", "/events")]
        clients = [Client() for _ in asking]
        for client, (method, path) in zip(clients, asking, strict=True):
            await ask(site, client, method, path)
        return [client.answer for client in clients]

    answers = run(asked())

    assert [answer.body for answer in answers] == [b"012", b"page", b"", b""]
    assert {(answer.is_whole, answer.headers["set-cookie"]) for answer in answers} == {(True, "a=b; Path=/")}


@pytest.mark.parametrize("size", [10, 300_000, 2_000_000])
def test_file_response_arrives_complete_and_is_closed(tmp_path: Path, size: int) -> None:
    file, client, content = Given(b"ab" * (size // 2)), Client(), b"ab" * (size // 2)

    async def asked() -> None:
        await ask(site_of(file, tmp_path), client)
        await until(lambda: file.closed)

    run(asked())

    assert (client.answer.is_whole, client.answer.body) == (True, content)


@pytest.mark.parametrize("kind", KINDS)
def test_clients_that_stop_reading_occupy_no_thread_and_are_disconnected(
    tmp_path: Path, kind: type[StreamingHttpResponse]
) -> None:
    endless = Endless(20, kind)

    async def asked() -> list[Client]:
        site, clients = site_of(endless, tmp_path), [Client(reads=1) for _ in range(20)]
        reading = [asyncio.ensure_future(ask(site, client)) for client in clients]
        await until(lambda: all(len(client.sent) == 2 for client in clients))
        assert not any(one.done() for one in reading)
        await asyncio.gather(*reading)
        await until(lambda: endless.closed == 20)
        return clients

    assert not any(client.answer.is_whole for client in run(asked()))


@pytest.mark.parametrize(
    "application", [Endless(10), Endless(10, LongAnswer), Given(b"a" * 300_000)], ids=["stream", "slices", "file"]
)
def test_client_that_stops_before_the_end_of_a_response_is_disconnected(
    tmp_path: Path, application: Endless | Given
) -> None:
    client = Client(reads=1)

    run(ask_to_the_end(site_of(application, tmp_path), client, lambda: bool(application.closed)))

    assert not client.answer.is_whole


def test_a_file_that_nobody_reads_is_closed(tmp_path: Path) -> None:
    file, client = Given(b"a" * 2_000_000), Client(reads=1)

    async def asked() -> None:
        await ask(site_of(file, tmp_path), client)
        await until(lambda: file.closed)

    run(asked())

    assert not client.answer.is_whole


@pytest.mark.parametrize("kind", KINDS)
def test_response_is_closed_when_the_client_disconnects(tmp_path: Path, kind: type[StreamingHttpResponse]) -> None:
    endless, client = Endless(None, kind), Client(then="goes")

    async def asked() -> None:
        await ask(site_of(endless, tmp_path), client)
        await until(lambda: endless.closed == 1)

    run(asked())

    assert not client.sent or not client.answer.is_whole


class Broken(Endless):
    """A stream that breaks off."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"some"
        raise ValueError("amid it")


def test_response_that_breaks_off_is_reported_as_incomplete(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    client, broken = Client(), Broken(None, Sliced)

    run(ask_to_the_end(site_of(broken, tmp_path), client, lambda: "an answer was cut off" in caplog.text))

    assert (client.answer.body, client.answer.is_whole, broken.closed) == (b"some", False, 1)


class Sliced(LongAnswer):
    """A long answer each of whose pieces is a slice."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__(pieces, every=0.001)


def test_response_that_breaks_off_before_it_is_sent_becomes_an_error(tmp_path: Path) -> None:
    client, broken = Client(), Broken()

    run(ask(site_of(broken, tmp_path), client, path="/api/v1/games"))

    assert (client.answer.status, client.answer.is_whole, broken.closed) == (500, True, 1)
    assert json.loads(client.answer.body)["error"]["code"] == "error"


def test_long_answers_take_turns_and_hold_no_connection_between_two_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, closed = list[str](), list[str]()
    monkeypatch.setattr(answers, "close_old_connections", lambda: closed.append("closed"))

    def view(request: HttpRequest) -> LongAnswer:
        def pieces() -> Iterator[bytes]:
            for _ in range(3):
                order.append(request.META["REMOTE_ADDR"])
                time.sleep(2 * answers.SLICE)
                yield b"x"

        return LongAnswer(pieces())

    async def asked() -> None:
        site = site_of(view, tmp_path)
        await asyncio.gather(*(ask(site, Client(), address=f"192.0.2.{number}") for number in (1, 2)))

    run(asked())

    assert order == ["192.0.2.1", "192.0.2.2"] * 3
    assert len(closed) == 8


def test_one_address_may_use_half_of_the_response_buffer(tmp_path: Path) -> None:
    client, endless = Client(), Endless()

    run(ask_to_the_end(site_of(endless, tmp_path, 2_000_000), client, lambda: bool(endless.closed)))

    assert (client.answer.status, client.answer.headers["retry-after"], client.answer.is_whole) == (503, "30", True)


def test_one_address_may_read_only_a_limited_number_of_long_responses_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handler, "LONG_ANSWERS_EACH", 1)

    async def asked() -> Client:
        site = site_of(Endless(20), tmp_path)
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
            site = site_of(application, tmp_path)
            await asyncio.gather(*(ask(site, Client(reads=reads)) for reads in (None, 1)))
            await until(lambda site=site: site._long._total == site._written._total == 0)  # type: ignore[misc]

    run(asked())

    assert list(tmp_path.iterdir()) == []
