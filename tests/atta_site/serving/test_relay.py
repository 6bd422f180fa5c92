"""The front relays event streams to the live server and lets readers poll while there is none."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from atta_site.serving.relay import Relay
from atta_site.serving.server import Front
from games.platform.addresses import address_of
from tests.atta_site.serving.asking import Client, Echo, ask, run, until

HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nVary: Cookie\r\n\r\n"


class LiveServer:
    """A server that sends what the test asks for and records its requests."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.clients: list[asyncio.StreamWriter] = []
        self.gone = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and hold it open."""
        self.asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(HEAD + b"data: 1\n\n")
        self.clients.append(writer)
        try:
            await reader.read()
        finally:
            self.gone += 1
            writer.close()

    async def end(self) -> None:
        """Disconnect all clients and wait until they have noticed."""
        for client in self.clients:
            client.transport.abort()
        await until(lambda: self.gone == len(self.clients))
        await asyncio.sleep(0.05)


def relaying(folder: Path, test: Callable[[Front, LiveServer], Awaitable[None]], streams: int = 1000) -> None:
    """Run a test with a front that relays to a live server."""

    async def within() -> None:
        live = LiveServer()
        async with await asyncio.start_server(live, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            site = Front(Echo(), folder, 2**20, relay=Relay("127.0.0.1", port, streams))
            try:
                await asyncio.wait_for(test(site, live), 20)
            finally:
                await live.end()

    run(within())


def test_event_streams_are_relayed_to_the_live_server_and_other_requests_are_not(tmp_path: Path) -> None:
    async def test(site: Front, live: LiveServer) -> None:
        path = "/live/tables/Ab3dEf7h"
        reading = asyncio.ensure_future(ask(site, client := Client(), path=path, last_event_id="7"))
        await until(lambda: b"1" in b"".join(one.get("body", b"") for one in client.sent))
        live.clients[0].write(b"data: 2\n\n")
        await until(lambda: b"2" in client.answer.body)
        assert client.answer.headers == {"content-type": "text/event-stream", "vary": "Cookie"}
        assert b"GET /live/tables/Ab3dEf7h HTTP/1.0\r\n" in live.asked[0]
        assert b"LAST-EVENT-ID: 7\r\n" in live.asked[0]
        await ask(site, Client(), path="/tables/Ab3dEf7h")
        await ask(site, Client(), "POST", path=path)
        assert (len(live.asked), reading.done()) == (1, False)

    relaying(tmp_path, test)


def test_connection_to_the_live_server_closes_when_the_reader_leaves(tmp_path: Path) -> None:
    async def test(site: Front, live: LiveServer) -> None:
        await ask(site, Client(then="goes"), path="/live/me")
        await until(lambda: live.gone == 1)

    relaying(tmp_path, test)


def test_a_live_server_that_dies_ends_the_stream(tmp_path: Path) -> None:
    async def test(site: Front, live: LiveServer) -> None:
        reading = asyncio.ensure_future(ask(site, client := Client(), path="/live/me"))
        await until(lambda: len(client.sent) > 1)
        live.clients[0].transport.abort()
        await reading
        assert (client.answer.body, client.answer.is_whole) == (b"data: 1\n\n", True)

    relaying(tmp_path, test)


def test_thread_answers_when_the_live_server_is_down_or_full(tmp_path: Path) -> None:
    async def test(site: Front, live: LiveServer) -> None:
        away = Front(Echo(), tmp_path, 2**20, relay=Relay("127.0.0.1", 1))
        for front in (site, away):
            await ask(front, client := Client(), path="/live/me")
            assert (client.answer.status, client.answer.body) == (200, b"0")

    relaying(tmp_path, test, streams=0)


def test_live_server_receives_the_real_client_address(tmp_path: Path) -> None:
    async def test(site: Front, live: LiveServer) -> None:
        await ask(site, Client(then="goes"), path="/live/me", address="192.0.2.7", atta_visitor="192.0.2.9:forged")
        lines = [line.partition(b": ")[2].decode() for line in live.asked[0].split(b"\r\n") if b"VISITOR" in line]
        assert [address_of({"HTTP_ATTA_VISITOR": line, "REMOTE_ADDR": "127.0.0.1"}) for line in lines] == ["192.0.2.7"]
        assert address_of({"HTTP_ATTA_VISITOR": "192.0.2.9:forged", "REMOTE_ADDR": "127.0.0.1"}) == "127.0.0.1"

    relaying(tmp_path, test)
