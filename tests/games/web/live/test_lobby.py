"""All readers of the lobby are notified when its tables have changed, and only then."""

import asyncio

from games.web.live.lobby import Lobby
from games.web.live.streams import Variant
from games.web.live.subscription import Subscription
from tests.atta_site.serving.asking import run
from tests.games.web.live.rows import Rows


def test_readers_of_the_lobby_are_notified_on_joining_and_at_each_change() -> None:
    async def test() -> None:
        lobby = Lobby(rows := Rows())
        lobby.join(reader := Subscription(Variant("en")))
        assert await reader.take() == b"lobby 0"
        rows.events["a table"] = 1
        lobby.notify()
        assert await reader.take() == b"lobby 1"

    run(asyncio.wait_for(test(), 20))


def test_many_events_are_one_read_for_all_readers() -> None:
    async def test() -> None:
        lobby = Lobby(rows := Rows())
        readers = [Subscription(Variant("en")) for _ in range(3)]
        for reader in readers:
            lobby.join(reader)
        assert [await reader.take() for reader in readers] == [b"lobby 0"] * 3
        rows.reads, rows.events["a table"] = 0, 1
        for _ in range(1000):
            lobby.notify()
        assert [await reader.take() for reader in readers] == [b"lobby 1"] * 3
        assert rows.reads == 1

    run(asyncio.wait_for(test(), 20))


def test_nothing_is_read_for_an_empty_lobby() -> None:
    async def test() -> None:
        lobby = Lobby(rows := Rows())
        lobby.join(reader := Subscription(Variant("en")))
        lobby.leave(reader)
        await asyncio.sleep(1)
        lobby.notify()
        await asyncio.sleep(1)
        assert rows.reads == 0

    run(asyncio.wait_for(test(), 20))
