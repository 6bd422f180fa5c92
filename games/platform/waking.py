"""Waking other processes by messages, from a thread of its own, so that nobody waits for a broker that hangs."""

import threading
from collections.abc import Callable
from contextvars import Context, copy_context

import structlog
from django.db import connection

_log = structlog.get_logger()


class _Waker(threading.Thread):
    """Sends messages from a separate thread, so that a request never waits for a broker that hangs.

    All calls during the sending of one message become a single further message: a task takes whatever waits.
    """

    def __init__(self, send: Callable[[], object]) -> None:
        super().__init__(name="waker", daemon=True)
        self.send = send
        self.context = Context()
        """That of the last call: the request that called, for the log, and its trace."""
        self.called = threading.Event()
        self.sent = threading.Event()

    def run(self) -> None:
        """Send one message for all calls that came meanwhile, forever."""
        while True:
            self.called.wait()
            self.called.clear()
            try:
                self.context.run(self.send)
                self.sent.set()
            except Exception as error:  # noqa: BLE001 (whatever the broker's fault, the sweep finds what waits)
                _log.warning("waker.unsent", error=str(error))
            finally:
                connection.close()  # needed every few seconds at most: there may be fewer connections than threads


_wakers: dict[str, _Waker] = {}
"""By what they send."""
_lock = threading.Lock()


def wake(name: str, send: Callable[[], object], wait: float = 0) -> None:
    """Have a message sent, soon and once for all calls that come meanwhile. This returns at once.

    :param name: of the thread that sends it; calls of one name send the same.
    :param wait: seconds that a process which is about to end waits for the message to be sent.
    """
    with _lock:
        waker = _wakers.get(name)
        if waker is None or not waker.is_alive():  # a forked process does not have the thread of its parent's waker
            waker = _wakers[name] = _Waker(send)
            waker.start()
        waker.context = copy_context()
        waker.sent.clear()
        waker.called.set()
    if wait:
        waker.sent.wait(wait)
