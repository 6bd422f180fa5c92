"""The pulse: whether the database answers at all. A frozen server, or one whose machine is gone, gives no error.

A statement may legitimately take long, so after some waiting a separate connection sends the smallest possible query.
As long as that is not answered, no other request begins to wait.
"""

import threading
import time
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import psycopg
import structlog

log = structlog.stdlib.get_logger(__name__)

PATIENCE = 1.0
"""Seconds without an answer, after which the pulse is taken; it is taken that often as long as none comes."""
LIMIT = 1.5
"""Seconds in which the pulse is felt, or the database counts as silent."""
LONGEST = 60.0
"""Seconds after which an answer is no longer waited for, whatever the pulse."""
AGAIN = 0.2
"""Seconds until a silent database is asked once more."""

T = TypeVar("T")
Ask = Callable[[], object]


class SilentError(psycopg.OperationalError):
    """The database does not answer."""


class Pulse:
    """The pulse of one database, as all threads of a process feel it."""

    def __init__(self, ask: Ask) -> None:
        """Check with `ask`, which raises one of psycopg's timeouts when there is no answer."""
        self._ask = ask
        self._changed = threading.Condition()
        self._is_being_taken = self._is_silent = False
        self._taken = 0

    def require(self) -> None:
        """Return unless the database is known to be silent. :raises SilentError: if it is."""
        if self._is_silent:
            raise SilentError("the database does not answer")

    def take(self) -> None:
        """Wait for the database's answer to the check.

        :raises SilentError: if there is none within the limit, or was none before.
        """
        with self._changed:
            self.require()
            before = self._taken
            self._begin()
            if not self._changed.wait_for(lambda: self._taken > before or self._is_silent, LIMIT):
                self._fall_silent()
        self.require()

    def miss(self) -> None:
        """Treat the database as silent until it answers, because it could not even be reached."""
        with self._changed:
            self._fall_silent()
            self._begin()

    def _begin(self) -> None:
        if not self._is_being_taken:
            self._is_being_taken = True
            threading.Thread(target=self._feel, name="pulse", daemon=True).start()

    def _fall_silent(self) -> None:
        self._is_silent = True
        self._changed.notify_all()

    def _feel(self) -> None:
        """Ask until there is an answer; a refused connection counts as one, because it is no reason to wait."""
        while not self._answers():
            with self._changed:
                self._fall_silent()
            time.sleep(AGAIN)
        with self._changed:
            self._is_silent = self._is_being_taken = False
            self._taken += 1
            self._changed.notify_all()

    def _answers(self) -> bool:
        try:
            self._ask()
        except (psycopg.errors.ConnectionTimeout, psycopg.errors._WaitTimeout):  # noqa: SLF001 - it has no other name
            return False
        except Exception as refusal:  # noqa: BLE001 - whatever it is, nobody has to wait for it
            log.info("database refuses", problem=str(refusal))
        return True


def watched(waiting: Generator[Any, Any, T], pulse: Pulse) -> Generator[Any, Any, T]:
    """Wait as psycopg does: yield what to wait for, and receive the result, or nothing ten times a second.

    :raises SilentError: when nothing comes and the database is silent, or it takes too long.
    """
    began = time.monotonic()
    due, come = began + PATIENCE, None
    while True:
        try:
            wanted = waiting.send(come)
        except StopIteration as end:
            result: T = end.value
            return result
        come = yield wanted
        now = time.monotonic()
        if not come and now > due:
            pulse.take()
            if now > began + LONGEST:
                raise SilentError(f"a statement took longer than {LONGEST:.0f} s")
            due = time.monotonic() + PATIENCE
