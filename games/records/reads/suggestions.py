"""What could fix a rejected record, found in a bounded time."""

from time import thread_time

from engine.suggesting import Suggestions, suggest
from engine.verify import Verdict
from games.platform.slots import Slots

SECONDS = 1.0
"""Of a processor, for one record: nearly all take some hundredths."""
_SLOTS = Slots()


def suggestions_for(verdict: Verdict) -> Suggestions | None:
    """Return what could fix a record; none where no token is at fault. While others ask too, less is tried."""
    slot = _SLOTS.take()
    until = thread_time() + (SECONDS if slot else SECONDS / 10)
    try:
        return suggest(verdict, enough=lambda: thread_time() > until)
    finally:
        if slot:
            slot.close()
