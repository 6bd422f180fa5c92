"""Streams of one's own games: an account gets them anew whenever one of its games may have changed."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Protocol

from games.web.live.repeating import Repeated
from games.web.live.subscription import Message, Subscription, end_invalid

GATHER = 0.05
"""Seconds in which news are gathered, to be read together."""


class States(Protocol):
    """Reads the state of people's own games."""

    async def concerned(self, keys: Collection[str], people: Collection[str]) -> Collection[str]:
        """Return those of these people whom any of the tables concerns."""

    async def states(self, people: Collection[str]) -> Mapping[str, Message]:
        """Return the state of each one's games, in each language."""

    async def still_valid(self, credentials: Collection[str]) -> Collection[str]:
        """Return those of these tokens and sessions that are valid."""


class People:
    """The people who are connected to this process."""

    def __init__(self, states: States) -> None:
        self._states = states
        self._readers = defaultdict[str, set[Subscription]](set)
        self._keys, self._asked = set[str](), set[str]()
        self._reading = Repeated(self._read, GATHER)

    def join(self, person: str, reader: Subscription) -> None:
        """Send somebody the state of their games, now and at every change, until they leave."""
        self._readers[person].add(reader)
        self._asked.add(person)
        self._reading.ask()

    def leave(self, person: str, reader: Subscription) -> None:
        """Stop sending to somebody."""
        self._readers[person].discard(reader)
        if not self._readers[person]:
            del self._readers[person]

    def notify(self, key: str) -> None:
        """Send their state to those whom a table concerns."""
        if self._readers:
            self._keys.add(key)
            self._reading.ask()

    def notify_all(self) -> None:
        """Send everybody their state, because notifications may have been missed."""
        self._asked |= self._readers.keys()
        self._reading.ask()

    async def check(self) -> None:
        """End the streams whose token or session is no longer valid."""
        readers = [reader for some in self._readers.values() for reader in some]
        await end_invalid(readers, self._states.still_valid)

    async def _read(self) -> None:
        keys, self._keys = self._keys, set()
        try:
            if keys and self._readers:
                self._asked |= set(await self._states.concerned(keys, list(self._readers)))
            await self._send(self._asked & self._readers.keys())
        except BaseException:
            self._keys |= keys
            raise

    async def _send(self, people: set[str]) -> None:
        self._asked -= people
        try:
            found = await self._states.states(people) if people else {}
        except BaseException:
            self._asked |= people
            raise
        for person, message in found.items():
            for reader in self._readers.get(person, ()):
                reader.put([message])
