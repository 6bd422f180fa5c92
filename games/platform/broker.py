"""The broker: whether it answers, and how many messages wait."""

from contextlib import suppress
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

QUEUES = ("atta", "small", "bots", "films")


def depth_of_queues() -> dict[str, int] | None:
    """Return how many messages wait in each queue; none when the broker does not answer within two seconds."""
    try:
        with current_app.connection_for_read() as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
            return {queue: _depth(broker, queue) for queue in QUEUES}
    except (OperationalError, OSError):
        return None


def _depth(broker: Any, queue: str) -> int:  # noqa: ANN401 - kombu types no channels
    # A channel each: RabbitMQ closes it when the queue is not there, because no worker has made it yet.
    with broker.channel() as channel, suppress(*broker.channel_errors):
        return int(channel.queue_declare(queue, passive=True).message_count)
    return 0
