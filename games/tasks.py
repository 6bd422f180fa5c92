"""What the worker does, and the bell that calls it. Tasks are interfaces: a call or two to a service, no logic."""

import threading
from time import monotonic

import structlog
from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.core.management import call_command
from django.utils import timezone

from games.selectors import anything_waits
from games.selectors.boards import boards_wait
from games.services import accounts, boards, rating, throttling, verification

_log = structlog.get_logger()

_SPELL = 10.0
"""Seconds after which a task makes room for the next, far below its time limit."""


@shared_task
def verify_waiting() -> int:
    """Judges logs until none waits or its spell is over, and rates what counts. :returns: how many it judged."""
    judged = _judge_waiting(until=monotonic() + _SPELL)
    rating.rate_waiting(now=timezone.now())
    return judged


def _judge_waiting(*, until: float) -> int:
    judged = 0
    while claims := verification.claim():
        if len(claims) == verification.BATCH:
            ring()  # more may wait: another process can help
        for at, claim in enumerate(claims):
            judged += _judge(claim)
            if monotonic() > until:
                verification.put_back(claims[at + 1 :])
                ring()
                return judged
    return judged


def _judge(claim: verification.Claim) -> bool:
    try:
        return verification.judge(claim, now=timezone.now())
    except SoftTimeLimitExceeded:
        raise
    except Exception:  # noqa: BLE001
        # MemoryError and the like would end the whole worker; the row says what becomes of the log.
        _log.exception("verification.failed", log=claim.log.pk, attempt=claim.attempt)
        return False


@shared_task
def sweep() -> None:
    """Finds what a lost message or a killed worker left behind."""
    verification.quarantine_lapsed()
    if anything_waits():
        ring()
    if boards_wait():
        make_boards.apply_async(expires=5)


@shared_task(soft_time_limit=1800, time_limit=1810)
def make_boards() -> int:
    """Makes the boards of large ladders that somebody has asked for. :returns: how many."""
    return boards.make_waiting(now=timezone.now())


@shared_task
def tidy() -> None:
    """Removes what is over: counts of requests, boards that nobody asks for, sessions, accounts nobody confirmed."""
    throttling.forget_old(now=timezone.now())
    boards.forget_unasked()
    accounts.forget_unconfirmed(now=timezone.now())
    call_command("clearsessions")


class _Bell(threading.Thread):
    """Publishes from a thread of its own, so that a request never waits for a broker that hangs.

    Rings that come while one is under way become one more: a task takes whatever waits.
    """

    def __init__(self) -> None:
        super().__init__(name="bell", daemon=True)
        self.rung = threading.Event()
        self.heard = threading.Event()

    def run(self) -> None:
        """Publishes once for all rings that came meanwhile, for ever."""
        while True:
            self.rung.wait()
            self.rung.clear()
            try:
                verify_waiting.apply_async(expires=60)
                self.heard.set()
            except Exception as error:  # noqa: BLE001 (whatever ails the broker, the sweep makes up for it)
                _log.warning("bell.unheard", error=str(error))


_bell = _Bell()
_lock = threading.Lock()


def ring(*, wait: float = 0) -> None:
    """Tells the workers that logs wait. Returns at once, whatever the broker does.

    :param wait: seconds in which a process that is about to end lets the bell be heard.
    """
    global _bell  # noqa: PLW0603 (a forked process begins with a bell whose thread stayed behind)
    with _lock:
        if not _bell.is_alive():
            _bell = _Bell()
            _bell.start()
        bell = _bell
        bell.heard.clear()
        bell.rung.set()
    if wait:
        bell.heard.wait(wait)
