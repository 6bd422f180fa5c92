"""Event rows in memory, in the place of those the hub reads from the database."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping

from games.web.live.listener import Notification
from games.web.live.streams import Variant
from games.web.live.subscription import Message


class Rows:
    """Events of tables and states of games; each read is counted and may be made to fail."""

    def __init__(self) -> None:
        self.events = defaultdict[str, int](int)
        self.sitting: dict[str, set[str]] = {}
        self.announced: list[Notification] = []
        self.valid: set[str] = set()
        self.reads = 0
        self.is_away = False
        self.form = "{language}{one} "

    async def newest(self, keys: Collection[str]) -> Mapping[str, int]:
        self._read()
        return {key: self.events[key] for key in keys}

    async def after(
        self, key: str, number: int, variants: Collection[Variant]
    ) -> AsyncIterator[Mapping[Variant, list[Message]]]:
        self._read()
        if numbers := range(number + 1, self.events[key] + 1):
            for variant in variants:
                yield {variant: [self._message(variant.language, one) for one in numbers]}
                await asyncio.sleep(0)

    def _message(self, language: str, one: int) -> Message:
        return Message(one, self.form.format(language=language, one=one).encode())

    async def concerned(self, keys: Collection[str], people: Collection[str]) -> Collection[str]:
        self._read()
        return {person for key in keys for person in self.sitting.get(key, ()) if person in people}

    async def states(self, people: Collection[str]) -> Mapping[str, Message]:
        self._read()
        return {one: Message(0, f"{one} {sum(self.events.values())}".encode()) for one in people}

    async def still_valid(self, credentials: Collection[str]) -> Collection[str]:
        self._read()
        return self.valid.intersection(credentials)

    async def lobby(self) -> Message:
        self._read()
        return Message(0, f"lobby {sum(self.events.values())}".encode())

    async def announce(self, notifications: list[Notification]) -> None:
        self.announced += notifications

    def _read(self) -> None:
        self.reads += 1
        if self.is_away:
            raise ConnectionError("away")
