"""The store: reads events from the database in threads."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import close_old_connections, connection
from django.utils import timezone

from games.accounts.reads.credentials import still_valid
from games.models import Table
from games.playing.reads import own
from games.web.live.listener import CHANNEL, Notification
from games.web.live.messages import lobby_message, person_messages, table_messages
from games.web.live.streams import Variant
from games.web.live.subscription import Message

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = 2
"""Threads that read for the streams; others answer new readers."""


class Rows:
    """The rows of the database."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, "live")

    async def newest(self, keys: Collection[str]) -> Mapping[str, int]:
        """Return the numbers of the tables' last events."""
        return await self._read(_newest, keys)

    async def after(
        self, key: str, number: int, variants: Collection[Variant]
    ) -> AsyncIterator[Mapping[Variant, list[Message]]]:
        """Yield the events of a table after one, in each of the variants, in some of them sooner than in others."""
        found = await self._read(_after, key, number, variants)
        while some := await self._read(next, found, None):
            yield some

    async def concerned(self, keys: Collection[str], people: Collection[str]) -> Collection[str]:
        """Return those of these people whom any of the tables concerns."""
        return await self._read(own.seated_at, keys, people)

    async def states(self, people: Collection[str]) -> Mapping[str, Message]:
        """Return the tables at which it is each one's turn."""
        states = await self._read(person_messages, people)
        return {person: Message(0, content) for person, content in states.items()}

    async def still_valid(self, credentials: Collection[str]) -> Collection[str]:
        """Return those of these tokens and sessions that are valid."""
        return await self._read(_still_valid, credentials)

    async def lobby(self) -> Message:
        """Return which state the lobby has."""
        return Message(0, await self._read(lobby_message))

    async def announce(self, notifications: list[Notification]) -> None:
        """Notify all processes, this one included."""
        await self._read(_announce, notifications)

    async def _read(self, read: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(_alone, read, *args, **named))


def _alone(read: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Read with a connection that is neither old nor broken, and leave none that is."""
    close_old_connections()
    try:
        return read(*args, **named)
    finally:
        close_old_connections()


def _newest(keys: Collection[str]) -> Mapping[str, int]:
    return dict(Table.objects.filter(key__in=keys).values_list("key", "last_event"))


def _still_valid(credentials: Collection[str]) -> set[str]:
    return still_valid(credentials, now=timezone.now())


def _announce(notifications: list[Notification]) -> None:
    with connection.cursor() as cursor:
        for key, count, process in notifications:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{key} {count} {process}"])


def _after(key: str, number: int, variants: Collection[Variant]) -> Iterator[Mapping[Variant, list[Message]]]:
    for found in table_messages(Table.objects.get(key=key), number, variants):
        yield {variant: [Message(*one) for one in messages] for variant, messages in found.items()}
