"""The stream of the lobby: all who look at it learn when tables were opened, taken, begun or over."""

from typing import Protocol

from games.web.live.repeating import Repeated
from games.web.live.subscription import Message, Subscription

GATHER = 0.5
"""Seconds in which events are gathered: most are actions, of which the lobby shows nothing."""


class Lists(Protocol):
    """Reads which tables there are."""

    async def lobby(self) -> Message:
        """Return the state of the lobby."""


class Lobby:
    """Those who look at the lobby through this process."""

    def __init__(self, lists: Lists) -> None:
        self._lists = lists
        self._readers = set[Subscription]()
        self._reading = Repeated(self._read, GATHER)

    def join(self, reader: Subscription) -> None:
        """Send a reader the state of the lobby, now and at every change, until they leave."""
        self._readers.add(reader)
        self.notify()

    def leave(self, reader: Subscription) -> None:
        """Stop sending to a reader."""
        self._readers.discard(reader)

    def notify(self) -> None:
        """Send the state again if it has changed: something has happened at a table, or may have."""
        if self._readers:
            self._reading.ask()

    async def _read(self) -> None:
        if self._readers:
            message = await self._lists.lobby()
            for reader in self._readers:
                reader.put([message])
