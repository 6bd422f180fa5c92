"""The live server keeps streams open that Django has started, without a thread, and relays events."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from atta_site.live import server
from atta_site.live.server import Live
from atta_site.serving.pace import Pace
from games.platform.shares import Shares
from games.web.live.hub import Hub
from games.web.live.listener import Listener
from games.web.live.streams import HOLDS, KIND, LINES, TOPIC, Topic
from tests.atta_site.serving.asking import Client, ask, run, until
from tests.games.web.live.rows import Rows

TABLE = "/live/tables/Ab3dEf7h"
KEY = "Ab3dEf7h"


class Begun:
    """Django's part: start a stream."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.asked: list[WSGIEnvironment] = []

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer."""
        self.asked.append(environ)
        topic = Topic("table", KEY, "en", self.rows.events[KEY])
        start(
            "200 OK",
            [
                ("Content-Type", environ.get("HTTP_ACCEPT", KIND)),
                *([(TOPIC, str(topic))] if environ.get(HOLDS) else []),
            ],
        )
        return [b"begun "]


class Site:
    """A live server without sockets, and its source of events."""

    def __init__(self, folder: Path, streams: int = 1000) -> None:
        self.rows = Rows()
        self.begun = Begun(self.rows)
        self.hub = Hub(Listener("postgresql://127.0.0.1:1/nothing"), self.rows)
        self.live = Live(self.begun, self.hub, Shares(streams, streams), folder)

    def happen(self) -> None:
        """Add events to the table."""
        self.rows.events[KEY] += 1
        self.hub.tables.notify(KEY, self.rows.events[KEY])

    async def read_by(self, client: Client, **headers: str) -> "asyncio.Future[None]":
        """Let a client read the table's stream; return when the stream is being held or has ended."""
        reading = asyncio.ensure_future(ask(self.live, client, path=TABLE, **headers))
        await until(lambda: bool(client.sent) or reading.done())
        return reading


def play(folder: Path, test: Callable[[Site], Coroutine[None, None, None]], streams: int = 1000) -> None:
    """Run a test with a site."""
    run(asyncio.wait_for(test(Site(folder, streams)), 20))


def test_stream_starts_with_the_response_of_django_and_continues_with_events(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await site.read_by(client := Client())
        site.happen()
        await until(lambda: b"en1" in client.answer.body)
        assert (client.answer.status, client.answer.body, client.answer.is_whole) == (200, b"begun en1 ", False)
        assert TOPIC.lower() not in client.answer.headers

    play(tmp_path, test)


def test_client_accepting_json_lines_gets_json_lines(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        site.rows.form = 'id: {one}\ndata: {{"number":{one}}}\n\n'
        await site.read_by(client := Client(), accept=LINES)
        site.happen()
        await until(lambda: client.answer.body.endswith(b"}\n"))
        assert client.answer.body == b'begun {"number":%d}\n' % site.rows.events[KEY]

    play(tmp_path, test)


def test_five_hundred_streams_occupy_no_thread(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        clients = [Client() for _ in range(500)]
        await asyncio.gather(*(site.read_by(client) for client in clients))
        await site.read_by(last := Client())
        assert (len(site.begun.asked), last.answer.status) == (501, 200)
        site.happen()
        await until(lambda: all(b"en1" in client.answer.body for client in clients))

    play(tmp_path, test)


def test_rejected_stream_returns_the_error_from_django(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        site.live = Live(_not_found, site.hub, Shares(9, 9), tmp_path)
        await (await site.read_by(client := Client()))
        assert (client.answer.status, client.answer.body, client.answer.is_whole) == (404, b"nothing here", True)

    play(tmp_path, test)


def _not_found(_environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    start("404 Not Found", [])
    return [b"nothing here"]


def test_stream_beyond_the_limit_ends_and_its_reader_polls(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await site.read_by(Client())
        reading = await site.read_by(client := Client())
        await reading
        assert (client.answer.status, client.answer.body, client.answer.is_whole) == (200, b"begun ", True)
        assert HOLDS not in site.begun.asked[-1]

    play(tmp_path, test, streams=1)


def test_only_readers_that_stop_reading_are_disconnected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_READING", Pace(stall=0.3, grace=0.3))

    async def test(site: Site) -> None:
        slow = await site.read_by(Client(reads=1))
        await site.read_by(quick := Client())
        site.happen()
        await asyncio.wait_for(slow, 20)
        site.happen()
        await until(lambda: b"en2" in quick.answer.body)

    play(tmp_path, test)


def test_disconnected_reader_is_forgotten(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await (await site.read_by(Client(then="goes")))
        assert list(site.hub.tables.keys) == []

    play(tmp_path, test)


def test_idle_stream_sends_heartbeats_and_ends_after_its_lifetime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEARTBEAT", 0.05)
    monkeypatch.setattr(server, "LIFE", 0.5)

    async def test(site: Site) -> None:
        await (await site.read_by(client := Client()))
        assert client.answer.body.startswith(b"begun event: beat\ndata: 1\n\nevent: beat")
        assert client.answer.is_whole

    play(tmp_path, test)


def test_clients_cannot_set_internal_headers_for_address_or_stream(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await site.read_by(Client(), atta_visitor="192.0.2.9:forged", atta_holds="1")
        await (await site.read_by(Client(), atta_visitor="192.0.2.9:forged", atta_holds="1"))
        assert HOLDS not in site.begun.asked[-1]

    play(tmp_path, test, streams=1)


def test_health_endpoint_reports_whether_the_listener_is_connected(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await ask(site.live, client := Client(), path="/live/health")
        assert (client.answer.status, client.answer.body) == (503, b'{"listening": false, "streams": 0}')

    play(tmp_path, test)
