"""Streams are held open without a thread, and get each new event."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from games.web.live import holding, views
from games.web.live.holding import Holder
from games.web.live.hub import Hub
from games.web.live.listener import Listener
from games.web.live.streams import LINES, Topic, Variant
from tests.atta_site.serving.asking import Client, ask, run, site_of, until
from tests.games.web.live.rows import Rows

TABLE = "/live/tables/Ab3dEf7h"
KEY = "Ab3dEf7h"
BEAT = b"event: beat\ndata: 1\n\n"


class Site:
    """A site without sockets and without a database, and its source of events."""

    def __init__(self, folder: Path, holder: Holder) -> None:
        self.rows, self.asked, self.holder = Rows(), 0, holder
        self.hub = Hub(Listener("postgresql://127.0.0.1:1/nothing"), self.rows)
        self.site = site_of(self._begin, folder)
        holder.start(self.hub)

    def _begin(self, request: HttpRequest) -> HttpResponseBase:
        """Answer as the view of a table's stream."""
        self.asked += 1
        return views._stream(request, Topic("table", KEY, Variant("en"), self.rows.events[KEY]), [b"begun "])

    def happen(self) -> None:
        """Add events to the table."""
        self.rows.events[KEY] += 1
        self.hub.tables.notify(KEY, self.rows.events[KEY])

    async def read_by(self, client: Client, **headers: str) -> "asyncio.Future[None]":
        """Let a client read the table's stream; return when the stream is being held or has ended."""
        reading = asyncio.ensure_future(ask(self.site, client, path=TABLE, **headers))
        await until(lambda: len(client.sent) > 1 or reading.done())
        return reading


Test = Callable[[Site], Coroutine[None, None, None]]
Play = Callable[[Test], None]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run a test with a site."""
    monkeypatch.setattr(views, "HOLDER", holder := Holder())

    async def played(test: Test) -> None:
        site = Site(tmp_path, holder)
        try:
            await asyncio.wait_for(test(site), 20)
        finally:
            await holder.stop()

    return lambda test: run(played(test))


def begun_of(client: Client) -> bytes:
    """Return what a client has read, without when it shall come back."""
    return client.answer.body.split(BEAT, 1)[1]


def test_stream_starts_with_what_the_view_says_and_continues_with_events(play: Play) -> None:
    async def test(site: Site) -> None:
        await site.read_by(client := Client())
        site.happen()
        await until(lambda: b"en1" in client.answer.body)
        assert (client.answer.status, begun_of(client), client.answer.is_whole) == (200, b"begun en1 ", False)

    play(test)


def test_client_accepting_json_lines_gets_json_lines(play: Play) -> None:
    async def test(site: Site) -> None:
        site.rows.form = 'id: {one}\ndata: {{"number":{one}}}\n\n'
        await site.read_by(client := Client(), accept=LINES)
        site.happen()
        await until(lambda: client.answer.body.endswith(b"}\n"))
        assert client.answer.body == b'\n{"number":%d}\n' % site.rows.events[KEY]

    play(test)


def test_five_hundred_streams_occupy_no_thread(play: Play, settings: Any) -> None:
    settings.LIVE_STREAMS_EACH = 1000

    async def test(site: Site) -> None:
        clients = [Client() for _ in range(500)]
        await asyncio.gather(*(site.read_by(client) for client in clients))
        await site.read_by(last := Client())
        assert (site.asked, last.answer.status, site.holder.health.streams) == (501, 200, 501)
        site.happen()
        await until(lambda: all(b"en1" in client.answer.body for client in clients))

    play(test)


def test_stream_beyond_the_limit_ends_and_its_reader_polls(play: Play, settings: Any) -> None:
    settings.LIVE_STREAMS_EACH = 1

    async def test(site: Site) -> None:
        await site.read_by(first := Client())
        await (await site.read_by(client := Client()))
        assert (client.answer.status, begun_of(client), client.answer.is_whole) == (200, b"begun ", True)
        assert retry_of(first) < 4000 <= retry_of(client)
        await site.read_by(other := Client(), address="192.0.2.9")
        assert not other.answer.is_whole

    play(test)


def retry_of(client: Client) -> int:
    """Return after how many milliseconds a client comes back."""
    return int(client.answer.body.split(b"\n")[0].removeprefix(b"retry: "))


def test_reader_who_polls_gets_what_there_is(play: Play) -> None:
    async def test(site: Site) -> None:
        await ask(site.site, client := Client(), path=f"{TABLE}?poll")
        assert (begun_of(client), client.answer.is_whole) == (b"begun ", True)

    play(test)


def test_only_readers_that_stop_reading_are_disconnected(play: Play) -> None:
    async def test(site: Site) -> None:
        slow = await site.read_by(Client(reads=1))
        await site.read_by(quick := Client())
        site.happen()
        await asyncio.wait_for(slow, 20)
        site.happen()
        await until(lambda: b"en2" in quick.answer.body)
        assert site.holder.health.streams == 1

    play(test)


def test_disconnected_reader_is_forgotten(play: Play) -> None:
    async def test(site: Site) -> None:
        reading = await site.read_by(Client())
        reading.cancel()
        await asyncio.wait([reading])
        await ask(site.site, Client(then="goes"), path=TABLE)
        await until(lambda: not list(site.hub.tables.keys))
        assert (site.holder.health.streams, site.holder._shares._total) == (0, 0)

    play(test)


def test_idle_stream_sends_heartbeats_and_ends_after_its_lifetime(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "HEARTBEAT", 0.05)
    monkeypatch.setattr(holding, "LIFE", 0.5)

    async def test(site: Site) -> None:
        await (await site.read_by(client := Client()))
        assert begun_of(client).startswith(b"begun " + BEAT * 2)
        assert client.answer.is_whole

    play(test)


def test_streams_end_with_the_process(play: Play) -> None:
    async def test(site: Site) -> None:
        reading = await site.read_by(client := Client())
        await site.holder.stop()
        await reading
        assert client.answer.is_whole
        await ask(site.site, later := Client(), path=TABLE)
        assert later.answer.is_whole

    play(test)


def test_health_says_whether_the_process_hears_of_events(play: Play, rf: RequestFactory) -> None:
    async def test(site: Site) -> None:
        await site.read_by(Client())
        answer = views.health(rf.get("/live/health"))
        assert isinstance(answer, JsonResponse)
        assert (answer.status_code, json.loads(answer.content)) == (503, {"listening": False, "streams": 1})

    play(test)
