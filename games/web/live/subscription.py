"""Subscriptions: a bounded queue of events for one reader."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from games.web.live.streams import Variant

LONGEST = 64
"""Messages that may wait for one reader; with more the stream ends, and the reader resumes it."""


class Message(NamedTuple):
    """A part of a stream; those with a number follow each other, and a reader resumes after one of them."""

    number: int
    content: bytes


Valid = Callable[[Collection[str]], Awaitable[Collection[str]]]
"""Returns those of some tokens and sessions that are valid."""


class Subscription:
    """The queue of one reader, who is given every event after a number once."""

    def __init__(self, variant: Variant, after: int = 0, *, watches: bool = True, credential: str = "") -> None:
        self.variant, self.after, self.watches, self.credential = variant, after, watches, credential
        self._waiting = deque[Message]()
        self._news = asyncio.Event()
        self._is_over = False
        self._state = b""

    def put(self, messages: Iterable[Message]) -> None:
        """Add messages, except events that the reader has; more than may wait end the stream."""
        for one in messages:
            if not one.number or one.number > self.after:
                self._waiting.append(one)
                self.after = max(self.after, one.number)
        if len(self._waiting) > LONGEST:
            self.end()
        self._news.set()

    def end(self) -> None:
        """End the stream, without what still waits: its reader will resume."""
        self._is_over = True
        self._waiting.clear()
        self._news.set()

    async def take(self) -> bytes:
        """Return what waits, as soon as something does; nothing at the end of the stream."""
        while not self._is_over:
            if taken := b"".join(self._new()):
                return taken
            self._news.clear()
            await self._news.wait()
        return b""

    def _new(self) -> Iterator[bytes]:
        """Take what waits, except an unchanged state."""
        while self._waiting:
            number, content = self._waiting.popleft()
            if number or content != self._state:
                self._state = self._state if number else content
                yield content


async def end_invalid(readers: Iterable[Subscription], still_valid: Valid) -> None:
    """End the streams whose token or session is no longer valid."""
    named = [reader for reader in readers if reader.credential]
    valid = await still_valid({reader.credential for reader in named}) if named else ()
    for reader in named:
        if reader.credential not in valid:
            reader.end()
