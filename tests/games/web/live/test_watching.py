"""Viewers are sent the number of viewers across all processes."""

import asyncio

from games.web.live.listener import Notification
from games.web.live.streams import Variant
from games.web.live.subscription import Subscription
from games.web.live.tables import Tables
from games.web.live.watching import Watching
from tests.atta_site.serving.asking import run
from tests.games.web.live.rows import Rows

KEY = "Ab3dEf7h"


def test_viewer_count_is_sent_on_change_and_summed_over_processes() -> None:
    async def test() -> None:
        tables = Tables(rows := Rows())
        watching = Watching(tables, rows.announce)
        readers = [Subscription(Variant("en")), Subscription(Variant("de"))]
        for reader in readers:
            await tables.join(KEY, reader)
        for _ in range(3):
            await watching.count()
        assert [(one.key, one.number) for one in rows.announced] == [(KEY, 2)]
        for notification in (*rows.announced, Notification(KEY, 5, "another"), Notification("elsewhere", 9, "another")):
            watching.receive(notification)
        for reader in readers:
            sent = await reader.take()
            assert sent == b'event: watching\ndata: {"count":2}\n\nevent: watching\ndata: {"count":7}\n\n'

    run(asyncio.wait_for(test(), 20))


def test_other_processes_are_notified_once_when_the_last_reader_leaves() -> None:
    async def test() -> None:
        tables = Tables(rows := Rows())
        watching = Watching(tables, rows.announce)
        await tables.join(KEY, reader := Subscription(Variant("en")))
        await watching.count()
        tables.leave(KEY, reader)
        for _ in range(3):
            await watching.count()
        assert [one.number for one in rows.announced] == [1, 0]

    run(asyncio.wait_for(test(), 20))
