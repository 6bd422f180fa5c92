"""Answers are sent without a thread, however slowly they are read."""

import asyncio
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from atta_site.front import server
from atta_site.front.server import Front
from tests.atta_site.front.asking import Client, Echo, Endless, ask, front, run, until


class Given(BytesIO):
    """A file as Django gives it to a server."""

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> object:
        """Answer with it."""
        start("200 OK", [("Content-Length", str(len(self.getbuffer())))])
        return environ["wsgi.file_wrapper"](self, 4096)


async def ask_to_the_end(site: Front, client: Client, is_over: Callable[[], bool]) -> None:
    """Have a client ask, and wait until the thread has ended its work, which it does after the answer."""
    await ask(site, client)
    await until(is_over)


@pytest.mark.parametrize("pieces", [0, 1, 50])
def test_a_streamed_answer_comes_as_it_is(tmp_path: Path, pieces: int) -> None:
    client, endless = Client(), Endless(pieces)

    run(ask_to_the_end(front(endless, tmp_path), client, lambda: bool(endless.closed)))

    assert (client.answer.is_whole, len(client.answer.body), endless.closed) == (True, pieces * 100_000, 1)


@pytest.mark.parametrize("size", [10, 300_000, 2_000_000])
def test_a_file_comes_as_it_is_and_is_closed(tmp_path: Path, size: int) -> None:
    file, client, content = Given(b"ab" * (size // 2)), Client(), b"ab" * (size // 2)

    async def asked() -> None:
        await ask(front(file, tmp_path), client)
        await until(lambda: file.closed)

    run(asked())

    assert (client.answer.is_whole, client.answer.body) == (True, content)


def test_a_reader_who_does_not_read_holds_no_thread_and_is_cut_off(tmp_path: Path) -> None:
    endless = Endless(20)

    async def asked() -> list[Client]:
        site, clients = front(endless, tmp_path), [Client(reads=1) for _ in range(20)]
        reading = [asyncio.ensure_future(ask(site, client)) for client in clients]
        await until(lambda: endless.closed == 20)
        assert not any(one.done() for one in reading)
        await asyncio.gather(*reading)
        return clients

    assert not any(client.answer.is_whole for client in run(asked()))


def test_a_file_that_nobody_reads_is_closed(tmp_path: Path) -> None:
    file, client = Given(b"a" * 2_000_000), Client(reads=1)

    async def asked() -> None:
        await ask(front(file, tmp_path), client)
        await until(lambda: file.closed)

    run(asked())

    assert not client.answer.is_whole


def test_nothing_is_written_for_who_has_gone(tmp_path: Path) -> None:
    endless, client = Endless(), Client(then="goes")

    async def asked() -> None:
        await ask(front(endless, tmp_path), client)
        await until(lambda: endless.closed == 1)

    run(asked())

    assert not client.answer.is_whole


def test_an_answer_that_breaks_off_is_not_passed_off_as_whole(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Endless):
        def __iter__(self) -> Iterator[bytes]:
            yield b"some"
            raise ValueError("amid it")

    client, broken = Client(), Broken()

    run(ask_to_the_end(front(broken, tmp_path), client, lambda: "an answer broke off" in caplog.text))

    assert (client.answer.body, client.answer.is_whole, broken.closed) == (b"some", False, 1)


def test_long_answers_have_so_much_room_and_one_address_half_of_it(tmp_path: Path) -> None:
    client, endless = Client(), Endless()

    run(ask_to_the_end(front(endless, tmp_path, 2_000_000), client, lambda: bool(endless.closed)))

    assert (client.answer.is_whole, len(client.answer.body), endless.closed) == (False, 1_000_000, 1)


def test_one_address_reads_so_many_long_answers_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_OF_AN_ADDRESS", 1)

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


def test_all_that_was_taken_is_given_back(tmp_path: Path) -> None:
    async def asked() -> None:
        for application in (Endless(20), Given(b"a" * 2_000_000), Echo()):
            site = front(application, tmp_path)
            await asyncio.gather(*(ask(site, Client(reads=reads)) for reads in (None, 1)))
            room = site._threads._room
            await until(lambda room=room: room.places._total == room.written._total == 0)  # type: ignore[misc]

    run(asked())

    assert list(tmp_path.iterdir()) == []


def test_what_the_application_raises_is_answered_in_our_form(tmp_path: Path) -> None:
    client = Client()

    def broken(_environ: WSGIEnvironment, _start: StartResponse) -> list[bytes]:
        raise LookupError("unknown encoding")

    run(ask(front(broken, tmp_path), client, path="/api/v1/games"))

    assert (client.answer.status, client.answer.is_whole) == (500, True)
    assert json.loads(client.answer.body)["error"]["code"] == "error"
