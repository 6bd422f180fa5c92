"""The listener receives every notification and reports when it may have missed some."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import psycopg
import pytest

from atta_site import embedded
from games.web.live.listener import CHANNEL, Listener, Notification, parse_notification
from tests.atta_site.serving.asking import run


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[embedded.Postgres]:
    """A PostgreSQL server of its own that can be stopped."""
    server = embedded.Postgres(tmp_path / "postgres", tmp_path / "postgres.log", durable=False)
    server.start()
    yield server
    server.stop()


def notify(postgres: embedded.Postgres, payload: str) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])


@pytest.mark.full
def test_listener_yields_notifications_in_order_and_reports_a_postgresql_restart(postgres: embedded.Postgres) -> None:
    async def listen() -> None:
        listener = Listener(postgres.url)
        async with aclosing(listener.notifications()) as notifications:
            assert (await anext(notifications), listener.is_listening) == (None, True)
            for number in (1, 2):
                notify(postgres, f"Ab3dEf7h {number}")
            first, second = await anext(notifications), await anext(notifications)
            assert [first, second] == [
                Notification("Ab3dEf7h", 1),
                Notification("Ab3dEf7h", 2),
            ]
            await asyncio.to_thread(postgres.stop)
            heard = asyncio.ensure_future(anext(notifications))
            await asyncio.sleep(0.3)
            assert (heard.done(), listener.is_listening) == (False, False)
            await asyncio.to_thread(postgres.start)
            assert (await heard, listener.is_listening) == (None, True)
            notify(postgres, "Ab3dEf7h 3")
            assert await anext(notifications) == Notification("Ab3dEf7h", 3)

    run(asyncio.wait_for(listen(), 60))


@pytest.mark.parametrize("payload", ["", "Ab3dEf7h", "Ab3dEf7h x", "x y z"])
def test_malformed_notification_is_ignored(payload: str) -> None:
    assert parse_notification(payload) is None
