"""The listener: learns through PostgreSQL that something has happened, on a connection of its own."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import NamedTuple

import psycopg
import structlog

CHANNEL = "atta_live"
PULSE = 10.0
"""Seconds without news after which the connection is tried, and in which it must answer."""
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
"""Seconds until the database is called again after it was lost."""

log = structlog.stdlib.get_logger(__name__)


class Notification(NamedTuple):
    """A notification: a table has an event of this number, or so many spectators at another process."""

    key: str
    number: int
    process: str = ""
    """The process whose spectators the number counts; empty for an event."""


class Listener:
    """Listens to one database until it is stopped."""

    def __init__(self, address: str) -> None:
        """Listen at an address that leads to PostgreSQL itself: a pooler would give the connection to others."""
        self._address = address
        self.is_listening = False

    async def notifications(self) -> AsyncGenerator[Notification | None]:
        """Yield notifications; None whenever some may have been missed: at the start and after each lost connection."""
        wait = FIRST_WAIT
        while True:
            try:
                async with await self._connected() as connection:
                    wait = FIRST_WAIT
                    yield None
                    async for notification in _received(connection):
                        yield notification
            except (psycopg.Error, OSError, TimeoutError) as problem:
                log.warning("live: the database is down", problem=str(problem))
            finally:
                self.is_listening = False
            await asyncio.sleep(wait)
            wait = min(LONGEST_WAIT, 2 * wait)

    async def _connected(self) -> psycopg.AsyncConnection:
        connection = await psycopg.AsyncConnection.connect(
            self._address, autocommit=True, connect_timeout=3, prepare_threshold=None
        )
        await connection.execute(f"LISTEN {CHANNEL}")
        self.is_listening = True
        return connection


async def _received(connection: psycopg.AsyncConnection) -> AsyncGenerator[Notification]:
    while True:
        async for sent in connection.notifies(timeout=PULSE):
            if notification := parse_notification(sent.payload):
                yield notification
        async with asyncio.timeout(PULSE):
            await connection.execute("SELECT 1")


def parse_notification(payload: str) -> Notification | None:
    """Parse `KEY NUMBER` or `KEY NUMBER PROCESS`; return nothing for anything else."""
    key, _, rest = payload.partition(" ")
    number, _, process = rest.partition(" ")
    with suppress(ValueError):
        return Notification(key, int(number), process)
    return None
