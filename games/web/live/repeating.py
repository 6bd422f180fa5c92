"""Repeated work: done once for all who asked in the meantime."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

AGAIN = 0.5
"""Seconds until a failure is retried."""

log = structlog.stdlib.get_logger(__name__)


class Repeated:
    """Does something after each request for it, never twice at the same time."""

    def __init__(self, act: Callable[[], Awaitable[None]], gather: float = 0) -> None:
        """Do `act`, so many seconds after it was asked for."""
        self._act, self._gather = act, gather
        self._is_asked = False
        self._task: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """Request it: it is done at least once from now on, and retried until it works."""
        self._is_asked = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Stop doing it."""
        self._is_asked = False
        if self._task:
            self._task.cancel()

    async def _run(self) -> None:
        while self._is_asked:
            await asyncio.sleep(self._gather)
            self._is_asked = False
            try:
                await self._act()
            except Exception as problem:  # noqa: BLE001 - the database may be away, and readers wait for its return
                log.warning("live: could not read", problem=str(problem))
                self._is_asked = True
                await asyncio.sleep(AGAIN)
