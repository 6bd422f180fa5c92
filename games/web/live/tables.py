"""Watched tables: an event is read once and passed to all who watch."""

from collections.abc import AsyncIterator, Collection, Mapping
from functools import partial
from typing import Protocol

from games.web.live.repeating import Repeated
from games.web.live.streams import Variant
from games.web.live.subscription import Message, Subscription, end_invalid


class Events(Protocol):
    """Where events of tables are read."""

    async def newest(self, keys: Collection[str]) -> Mapping[str, int]:
        """Return the numbers of the tables' last events."""

    def after(
        self, key: str, number: int, variants: Collection[Variant]
    ) -> AsyncIterator[Mapping[Variant, list[Message]]]:
        """Yield the events of a table after one, in each of the variants, in some of them sooner than in others."""

    async def still_valid(self, credentials: Collection[str]) -> Collection[str]:
        """Return those of these tokens and sessions that are valid."""


class _Table:
    """A table: its watchers, and the number of the last event given to them."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.readers = set[Subscription]()

    @property
    def variants(self) -> set[Variant]:
        return {reader.variant for reader in self.readers}


class Tables:
    """The tables watched through this process."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._tables = dict[str, _Table]()
        self._reading = dict[str, Repeated]()

    def readers(self, key: str) -> Collection[Subscription]:
        """Return the watchers of a table."""
        table = self._tables.get(key)
        return table.readers if table else ()

    @property
    def keys(self) -> Collection[str]:
        """Return the watched tables."""
        return self._tables.keys()

    async def join(self, key: str, reader: Subscription) -> None:
        """Give a reader each event after those they have, until they leave."""
        known = reader.after
        while known < (table := self._tables.setdefault(key, _Table(known))).number:
            given = table.number
            async for found in self._events.after(key, known, [reader.variant]):
                reader.put(missed := found[reader.variant])
                given = missed[-1].number
            known = given
        table.readers.add(reader)
        self._ask(key)  # for what has happened since the reader got the last event

    def leave(self, key: str, reader: Subscription) -> None:
        """Stop giving events to a reader."""
        table = self._tables.get(key)
        if table is None or reader not in table.readers:
            return
        table.readers.remove(reader)
        if not table.readers:
            del self._tables[key]
            if reading := self._reading.pop(key, None):
                reading.stop()

    def notify(self, key: str, number: int) -> None:
        """Give an event, and those before it, to all who watch its table."""
        table = self._tables.get(key)
        if table and number > table.number:
            self._ask(key)

    async def sweep(self) -> None:
        """Look for events whose notification was missed."""
        if self._tables:
            for key, number in (await self._events.newest(list(self._tables))).items():
                self.notify(key, number)

    async def check(self) -> None:
        """End the streams of pages whose token or session is no longer valid."""
        readers = [reader for table in self._tables.values() for reader in table.readers]
        await end_invalid(readers, self._events.still_valid)

    def _ask(self, key: str) -> None:
        self._reading.setdefault(key, Repeated(partial(self._read, key))).ask()

    async def _read(self, key: str) -> None:
        while table := self._tables.get(key):
            variants = table.variants
            given = dict[Variant, list[Message]]()
            async for found in self._events.after(key, table.number, variants):
                given |= found
                _give(table, found)
            if table.variants <= variants:  # nobody with another one has come meanwhile
                _give(table, given)  # to those who have, and have not got it yet
                table.number = max((messages[-1].number for messages in given.values()), default=table.number)
                return


def _give(table: _Table, found: Mapping[Variant, list[Message]]) -> None:
    for reader in table.readers:
        reader.put(found.get(reader.variant, ()))
