"""Judging at once: records of a file that is being split get their verdicts before they are stored.

This saves the row that waits and the one that is claimed. Other workers still get what they need: it is only done while
they have something to do.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from time import monotonic

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from engine.agn.log import Record
from engine.verify import ENGINE_VERSION, Verdict, verify
from games.models import Upload
from games.platform.pauses import Part, is_paused
from games.uploads.logs import Placed
from games.uploads.splitting import Judged
from games.verification.queue import READING
from games.verification.reads import logs_wait
from games.verification.store import store_new

_log = structlog.get_logger()


class AtOnce:
    """Judges what is split."""

    def __init__(self, others_are_busy: Callable[[], bool] = logs_wait) -> None:
        """Judge while others are busy: with records that wait, if nothing else is said."""
        self._others_are_busy = others_are_busy

    def is_wanted(self) -> bool:
        """Return whether other workers have enough to do, and verification is not paused."""
        return self._others_are_busy() and not is_paused(Part.VERIFICATION)

    def judge(self, records: Sequence[Record], *, now: datetime) -> Judged:
        """Judge the first records, as many as there is time for, at least one."""
        begun = monotonic()
        in_time = takewhile(lambda record: record is records[0] or monotonic() - begun < READING, records)
        found = [_verdict(record._replace(day=now.date())) for record in in_time]

        def store(upload: Upload, placed: Sequence[Placed]) -> None:
            at = now + timedelta(seconds=monotonic() - begun)
            store_new(upload, placed, found, engine=ENGINE_VERSION, now=now, at=at)

        return Judged(len(found), store)


def _verdict(record: Record) -> Verdict | None:
    """Return the verdict on a record; none if it cannot be judged: then it waits, to be tried again."""
    try:
        return verify(record)
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # noqa: BLE001 (whatever is wrong with it, even MemoryError)
        _log.warning("verification.failed_at_once", line=record.line, error=type(error).__name__)
        return None
