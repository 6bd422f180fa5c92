"""Answers of any length are written in slices, each when the one before has been read."""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from atta_site.serving import slices, work
from atta_site.serving.lanes import WIDTHS, Lane, Width
from tests.atta_site.serving.asking import Client, Endless, ask, front, run, until

PIECE = 100_000


class Long(Endless):
    """An endless response that any thread may continue."""

    in_slices = True

    def __init__(self, pieces: int | None = None) -> None:
        super().__init__(pieces)
        self.given = list[str]()
        """Whose pieces were written, in this order."""

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer."""
        start("200 OK", [])
        return _One(self, environ["REMOTE_ADDR"])


class _One:
    streaming = in_slices = True

    def __init__(self, of: Long, address: str) -> None:
        self._of, self._address = of, address

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._of:
            self._of.given.append(self._address)
            yield piece

    def close(self) -> None:
        self._of.close()


@pytest.fixture(autouse=True)
def _short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "BYTES", PIECE)


@pytest.mark.parametrize("pieces", [0, 1, 50])
def test_an_answer_of_any_length_needs_room_for_one_slice(tmp_path: Path, pieces: int) -> None:
    client, long = Client(), Long(pieces)

    async def asked() -> None:
        await ask(front(long, tmp_path, 6 * PIECE), client)
        await until(lambda: long.closed == 1)

    run(asked())

    assert (client.answer.is_whole, len(client.answer.body)) == (True, pieces * PIECE)


def test_a_reader_who_stops_holds_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "WIDTHS", {**WIDTHS, Lane.PAGES: Width(1, WIDTHS[Lane.PAGES].bounds)})
    long, slow, quick = Long(30), Client(reads=1), Client()

    async def asked() -> None:
        site = front(long, tmp_path)
        stopped = asyncio.create_task(ask(site, slow))
        await until(lambda: bool(long.given))
        await ask(site, quick, address="192.0.2.2")
        stopped.cancel()

    run(asked())

    assert (quick.answer.is_whole, len(quick.answer.body)) == (True, 30 * PIECE)
    assert long.given.count("192.0.2.1") < 10


def test_long_answers_to_two_addresses_are_written_in_turn(tmp_path: Path) -> None:
    long, clients = Long(20), (Client(), Client())

    async def asked() -> None:
        site = front(long, tmp_path)
        await asyncio.gather(*(ask(site, client, address=f"192.0.2.{at}") for at, client in enumerate(clients)))

    run(asked())

    assert [len(client.answer.body) for client in clients] == [20 * PIECE] * 2
    first, last = (long.given.index(f"192.0.2.{at}") for at in (0, 1))
    assert abs(first - last) < 20, long.given


def test_a_long_answer_is_closed_when_its_reader_goes(tmp_path: Path) -> None:
    long, client = Long(), Client(then="goes")

    async def asked() -> None:
        await ask(front(long, tmp_path), client)
        await until(lambda: long.closed == 1)

    run(asked())

    assert not client.answer.is_whole


def test_a_long_answer_that_breaks_off_is_incomplete_and_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Long):
        def __iter__(self) -> Iterator[bytes]:
            yield from (b"some", b"more")
            raise ValueError("amid it")

    broken, clients = Broken(), (Client(), Client())

    async def asked() -> None:
        site = front(broken, tmp_path)
        for client in clients:
            await ask(site, client)
        await until(lambda: broken.closed == len(clients))

    run(asked())

    assert [(client.answer.body, client.answer.is_whole) for client in clients] == [(b"somemore", False)] * 2
    assert caplog.text.count("an answer was cut off") == 2


def test_a_request_for_the_head_writes_no_body(tmp_path: Path) -> None:
    long, client = Long(), Client()

    async def asked() -> None:
        await ask(front(long, tmp_path), client, "HEAD")
        await until(lambda: long.closed == 1)

    run(asked())

    assert (client.answer.status, client.answer.body, long.given) == (200, b"", [])
