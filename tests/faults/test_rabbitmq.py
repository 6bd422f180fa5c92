"""A RabbitMQ that answers nothing, as when its machine is cut off, holds nobody up."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from kombu import Connection
from kombu.exceptions import OperationalError

from atta_site.celery import app
from games.tasks import verify_waiting
from tests.faults.rabbitmq import RabbitMQ, is_installed

PATIENCE = 600.0
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not is_installed(), reason="RabbitMQ is not installed (apt-get install rabbitmq-server)"),
]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RabbitMQ]:
    broker = RabbitMQ(tmp_path / "rabbitmq", tmp_path / "rabbitmq.log")
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


def test_sender_gives_up_when_a_message_is_not_confirmed(broker: RabbitMQ) -> None:
    with app.connection(broker.url) as connection:
        _send(connection, [])  # the connection stays open
        assert broker.process is not None
        os.kill(broker.process.pid, signal.SIGSTOP)
        problems: list[Exception] = []
        sender = Thread(target=_send, args=[connection, problems], daemon=True)
        sender.start()
        sender.join(PATIENCE)
        os.kill(broker.process.pid, signal.SIGCONT)
    assert [type(problem) for problem in problems] == [OperationalError]


def _send(connection: Connection, problems: list[Exception]) -> None:
    try:
        options: dict[str, Any] = {"expires": 60, "connection": connection}
        verify_waiting.apply_async(**options)
    except OperationalError as problem:
        problems.append(problem)
