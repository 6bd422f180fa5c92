"""Messages to workers: nobody waits long to send one, and the database's clock decides whether one has expired.

A worker whose clock was an hour fast took every message for expired. Being idle, it was also the first to be given the
next one, so that the other workers had nothing to do.
"""

from datetime import datetime
from typing import Any, Literal

from celery.app.task import Task
from celery.worker.request import Request
from celery.worker.state import revoked

from atta_site import clock

_CONFIRMED_WITHIN = 2.0
"""Seconds that RabbitMQ may take to confirm a message. Cut off, it never does, and beat would wait forever."""


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
    """A task whose messages are sent within seconds or not at all, and expire by the database's clock."""

    Request = f"{__name__}:{DatedRequest.__name__}"

    def apply_async(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 (as Celery has it)
        """Send a message. :raises OperationalError: when the broker does not take it soon."""
        return super().apply_async(*arguments, **{"confirm_timeout": _CONFIRMED_WITHIN, **options})
