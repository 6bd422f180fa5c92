"""Presence: whether a client that has sent its whole request is still there."""

import asyncio
from collections.abc import Callable

from atta_site.serving.bodies import Receive


class Presence:
    """Watches one client; from then on nothing else may be received from it."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._watch: asyncio.Future[None] | None = None

    def when_over(self, act: Callable[[], object]) -> None:
        """Call something as soon as the client has gone, or the request is over."""
        self._watch = self._watch or asyncio.ensure_future(self._until_gone())
        self._watch.add_done_callback(lambda _: act())

    def end(self) -> None:
        """Watch no longer: the request is over."""
        if self._watch:
            self._watch.cancel()

    async def _until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
