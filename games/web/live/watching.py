"""How many look at each table, in all web processes: each announces its count, and a silent one is forgotten."""

import os
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable
from time import monotonic

from games.web.live.listener import Notification
from games.web.live.streams import event
from games.web.live.subscription import Message
from games.web.live.tables import Tables

EVERY = 3.0
"""Seconds between two counts."""
_AGAIN = 30.0
"""Seconds after which an unchanged count is announced again; one not announced for twice as long is forgotten."""

Announce = Callable[[list[Notification]], Awaitable[None]]


class Watching:
    """Counts those who look, here and elsewhere."""

    def __init__(self, tables: Tables, announce: Announce) -> None:
        self._tables, self._announce = tables, announce
        self._process = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._sent = dict[str, tuple[int, float]]()
        self._received = defaultdict[str, dict[str, tuple[int, float]]](dict)

    async def count(self) -> None:
        """Announce to all processes how many look here, where that has changed."""
        now = monotonic()
        here = {key: self._watching(key) for key in {*self._tables.keys, *self._sent}}
        due = {key: count for key, count in here.items() if self._is_due(key, count, now)}
        if due:
            await self._announce([Notification(key, count, self._process) for key, count in due.items()])
        self._sent |= {key: (count, now) for key, count in due.items()}
        for key in [key for key in here if not self._tables.readers(key)]:
            self._sent.pop(key, None)
            self._received.pop(key, None)

    def _watching(self, key: str) -> int:
        return sum(reader.watches for reader in self._tables.readers(key))

    def receive(self, notification: Notification) -> None:
        """Show those who look at a table here how many look in all, after a process has announced its count."""
        now, readers = monotonic(), self._tables.readers(notification.key)
        if not readers:
            return
        received = self._received[notification.key]
        received[notification.process] = (notification.number, now)
        count = sum(number for number, at in received.values() if now - at < 2 * _AGAIN)
        for reader in readers:
            reader.put([Message(0, event({"count": count}, kind="watching"))])

    def _is_due(self, key: str, count: int, now: float) -> bool:
        sent, at = self._sent.get(key, (0, 0.0))
        return count != sent or (count > 0 and now - at > _AGAIN)
