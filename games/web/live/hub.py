"""The hub: connects events with the streams that wait for them."""

import asyncio
from contextlib import suppress
from typing import Protocol

import structlog

from games.web.live.listener import Listener, Notification
from games.web.live.lobby import Lists, Lobby
from games.web.live.people import People, States
from games.web.live.streams import Topic
from games.web.live.subscription import Subscription
from games.web.live.tables import Events, Tables
from games.web.live.watching import EVERY, Watching

SWEEP = 10.0
"""Seconds between two checks for events whose notification was missed, and for streams that must end."""

log = structlog.stdlib.get_logger(__name__)


class Store(Events, States, Lists, Protocol):
    """The source of events, through which processes also notify each other."""

    async def announce(self, notifications: list[Notification]) -> None:
        """Notify all processes."""


class Hub:
    """All readers of this process, and their events."""

    def __init__(self, listener: Listener, store: Store) -> None:
        self._listener = listener
        self.tables, self.people, self.lobby = Tables(store), People(store), Lobby(store)
        self._watching = Watching(self.tables, store.announce)
        self._tasks = list[asyncio.Task[None]]()

    @property
    def is_listening(self) -> bool:
        """Whether notifications arrive."""
        return self._listener.is_listening

    def start(self) -> None:
        """Begin to listen."""
        self._tasks = [asyncio.create_task(one()) for one in (self._listen, self._sweep, self._count)]

    async def stop(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def join(self, topic: Topic, reader: Subscription) -> None:
        """Give a reader new events until they leave."""
        if topic.kind == "table":
            await self.tables.join(topic.name, reader)
        elif topic.kind == "lobby":
            self.lobby.join(reader)
        else:
            self.people.join(topic.name, reader)

    def leave(self, topic: Topic, reader: Subscription) -> None:
        """Stop giving events to a reader."""
        if topic.kind == "table":
            self.tables.leave(topic.name, reader)
        elif topic.kind == "lobby":
            self.lobby.leave(reader)
        else:
            self.people.leave(topic.name, reader)

    async def _listen(self) -> None:
        async for notification in self._listener.notifications():
            if notification and notification.process:
                self._watching.receive(notification)
            elif notification:
                self.tables.notify(notification.key, notification.number)
                self.people.notify(notification.key)
                self.lobby.notify()
            else:
                self.people.notify_all()
                await self._look()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            await self._look()

    async def _count(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self._watching.count()
            except Exception as problem:  # noqa: BLE001 - as below
                log.warning("live: could not announce", problem=str(problem))

    async def _look(self) -> None:
        """Look for missed events and for what is no longer valid; if the database is down, do so when it is back."""
        self.lobby.notify()
        try:
            await self.tables.sweep()
            await self.tables.check()
            await self.people.check()
        except Exception as problem:  # noqa: BLE001 - whatever it is, the next look may find more
            log.warning("live: could not read", problem=str(problem))
