"""How many look at each table, through all live processes: each tells the others, and forgets who is silent."""

import os
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable
from time import monotonic

from atta_site.live.listener import Bell
from atta_site.live.subscription import Message
from atta_site.live.tables import Tables
from games.web.live.streams import event

EVERY = 3.0
"""Seconds between two counts."""
_AGAIN = 30.0
"""Seconds after which a count is told although it is as it was; one not told for twice as long is forgotten."""

Tell = Callable[[list[Bell]], Awaitable[None]]


class Watching:
    """Counts those who look, here and elsewhere."""

    def __init__(self, tables: Tables, tell: Tell) -> None:
        self._tables, self._tell = tables, tell
        self._process = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._told = dict[str, tuple[int, float]]()
        self._heard = defaultdict[str, dict[str, tuple[int, float]]](dict)

    async def count(self) -> None:
        """Tell all processes how many look here, where that has changed."""
        now = monotonic()
        here = {key: self._watching(key) for key in {*self._tables.keys, *self._told}}
        due = {key: count for key, count in here.items() if self._is_due(key, count, now)}
        if due:
            await self._tell([Bell(key, count, self._process) for key, count in due.items()])
        self._told |= {key: (count, now) for key, count in due.items()}
        for key in [key for key in here if not self._tables.readers(key)]:
            self._told.pop(key, None)
            self._heard.pop(key, None)

    def _watching(self, key: str) -> int:
        return sum(reader.watches for reader in self._tables.readers(key))

    def hear(self, bell: Bell) -> None:
        """Say to those who look at a table here how many look in all, since a process has told its count."""
        now, readers = monotonic(), self._tables.readers(bell.key)
        if not readers:
            return
        heard = self._heard[bell.key]
        heard[bell.process] = (bell.number, now)
        count = sum(number for number, at in heard.values() if now - at < 2 * _AGAIN)
        for reader in readers:
            reader.put([Message(0, event({"count": count}, kind="watching"))])

    def _is_due(self, key: str, count: int, now: float) -> bool:
        told, at = self._told.get(key, (0, 0.0))
        return count != told or (count > 0 and now - at > _AGAIN)
