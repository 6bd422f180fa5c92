"""Streams that are held open: what a view says has happened until now, and then each new event as it happens.

They take no thread, and one connection to PostgreSQL for all streams of a process.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from django.conf import settings

from games.platform.counted import STREAMS
from games.platform.shares import FullError, Shares
from games.web.live.hub import Hub
from games.web.live.listener import Listener
from games.web.live.store import Rows
from games.web.live.streams import BEAT, Topic, so_far
from games.web.live.subscription import Subscription

HEARTBEAT = 15.0
"""Seconds without events after which a sign of life is sent, because proxies close silent connections."""
LIFE = 15 * 60.0
"""Seconds, roughly, after which a stream ends: its reader resumes. What it is open by is checked more often."""
_SPREAD = 0.2

Form = Callable[[bytes], bytes]


class Health(NamedTuple):
    """Whether notifications arrive, and how many streams are held open."""

    listening: bool
    streams: int


class Holder:
    """The streams that this process holds open, once it has started."""

    def __init__(self) -> None:
        """Hold nothing: where there is no event loop, as in commands and tests, streams end at once."""
        self._hub: Hub | None = None
        self._shares = Shares(0, 0)
        self._held = set[Subscription]()

    def start(self, hub: Hub | None = None) -> None:
        """Begin to listen, and to hold streams."""
        self._hub = hub or Hub(Listener(settings.LIVE_DATABASE_URL), Rows())
        self._shares = Shares(settings.LIVE_STREAMS, settings.LIVE_STREAMS_EACH)
        self._hub.start()

    def end(self) -> None:
        """End all streams, whose readers resume elsewhere; hold no more of them."""
        self._shares = Shares(0, 0)
        for reader in self._held:
            reader.end()

    async def stop(self) -> None:
        """End all streams, and listen no longer."""
        self.end()
        hub, self._hub = self._hub, None
        if hub:
            await hub.stop()

    @property
    def is_started(self) -> bool:
        """Whether streams are held open here."""
        return self._hub is not None

    @property
    def health(self) -> Health:
        """Whether notifications arrive, and how many streams are open."""
        return Health(bool(self._hub and self._hub.is_listening), len(self._held))

    async def events(
        self, topic: Topic, begun: Sequence[bytes], address: str, form: Form = bytes
    ) -> AsyncGenerator[bytes]:
        """Yield what has happened already and, if there is room, what happens from now on; a sign of life otherwise.

        :param address: in whose share of the streams this one is.
        """
        share = self._shares.of(address)
        try:
            share.take(1)
        except FullError:
            yield form(so_far(begun, is_held=False))
            return
        try:
            yield form(so_far(begun, is_held=True))
            async with self._reader(topic) as reader:
                while event := await _next(reader):
                    yield form(event)
        finally:
            share.give_back()

    @asynccontextmanager
    async def _reader(self, topic: Topic) -> AsyncIterator[Subscription]:
        """Give a topic's events to a reader while they read."""
        reader = Subscription(topic.variant, topic.number, watches=not topic.sits, credential=topic.credential)
        hub = self._hub
        if hub is None:  # the process ends
            reader.end()
            yield reader
            return
        self._held.add(reader)
        STREAMS.inc()
        end = asyncio.get_running_loop().call_later(_life(), reader.end)
        try:
            await hub.join(topic, reader)
            yield reader
        finally:
            end.cancel()
            hub.leave(topic, reader)
            self._held.discard(reader)
            STREAMS.dec()


async def _next(reader: Subscription) -> bytes:
    """Return the next event, perhaps only a sign of life; nothing at the end."""
    try:
        async with asyncio.timeout(HEARTBEAT):
            return await reader.take()
    except TimeoutError:
        return BEAT


def _life() -> float:
    """Return how long a stream is held, with some jitter so that streams do not all end together."""
    return LIFE * random.uniform(1 - _SPREAD, 1 + _SPREAD)  # noqa: S311 - nobody gains by foreseeing it


HOLDER = Holder()
"""Of this process."""
