"""Sends to several receivers at the same time; a slow one holds only its own slot, for a free one is filled at once."""

from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_POLL = 0.1
"""Seconds after which to look for other items while receivers are waited for."""


def send_beside_each_other(
    slots: int,
    take: Callable[[Collection[Item]], Item | None],
    begin: Callable[[Item], Callable[[], Result]],
    note: Callable[[Item, Result], bool],
    *,
    has_time: Callable[[], bool],
    meanwhile: Callable[[], object],
) -> int:
    """Send items until none is left or time is up. :returns: how many `note` said were received.

    :param take: given those that are being sent, returns the next one.
    :param begin: returns a function that sends an item in a thread, without the database.
    :param note: records the result.
    :param has_time: called before another is begun; `meanwhile` again and again while receivers are waited for.
    """
    received, sending = 0, dict[Future[Result], Item]()
    with ThreadPoolExecutor(slots) as senders:
        while True:
            while len(sending) < slots and has_time() and (item := take(sending.values())) is not None:
                sending[senders.submit(begin(item))] = item
            if not sending:
                return received
            over = wait(sending, timeout=_POLL, return_when=FIRST_COMPLETED).done
            received += sum(note(sending.pop(one), one.result()) for one in over)
            if not over:
                meanwhile()
