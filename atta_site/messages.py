"""Messages to workers: whether one has expired is decided by the database's clock, because a worker's may be wrong.

A worker whose clock was an hour fast took every message for expired. Being idle, it was also the first to be given the
next one, so that the other workers had nothing to do.
"""

from datetime import datetime
from typing import Literal

from celery.app.task import Task
from celery.worker.request import Request
from celery.worker.state import revoked

from atta_site import clock


class DatedRequest(Request):
    """A message that a worker received."""

    def maybe_expire(self) -> Literal[True] | None:
        """Return whether it has expired."""
        expires: datetime | None = self.expires
        if expires and clock.now() > expires:
            revoked.add(self.id)
            return True
        return None


class DatedTask(Task):  # type: ignore[type-arg]
    """A task whose messages expire by the database's clock."""

    Request = f"{__name__}:{DatedRequest.__name__}"
