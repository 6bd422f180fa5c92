"""Tasks run only in a real worker, and nobody waits for a broker that hangs."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from django.conf import settings
from kombu.exceptions import OperationalError

from atta_site import processes
from atta_site.celery import app
from tests.conftest import Worker


@pytest.fixture
def silent_broker() -> Iterator[str]:
    """A broker that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []

        def take() -> None:
            try:
                while True:
                    taken.append(server.accept()[0])
            except OSError:
                return

        thread = threading.Thread(target=take)
        thread.start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in taken:
            connection.close()


def test_tasks_are_never_run_eagerly() -> None:
    assert not app.conf.task_always_eager
    assert not app.conf.task_store_eager_result


def test_only_json_messages_are_accepted() -> None:
    assert app.conf.task_serializer == "json"
    assert list(app.conf.accept_content) == ["json"]


def test_sweep_runs_every_five_seconds_and_unstarted_ones_expire() -> None:
    assert app.conf.beat_schedule["sweep"] == {
        "task": "games.tasks.sweep",
        "schedule": 5.0,
        "options": {"expires": 5},
    }


def test_small_uploads_bots_and_films_have_queues_and_workers_of_their_own() -> None:
    queues = {name: route["queue"] for name, route in app.conf.task_routes.items()}

    assert queues == {
        "games.tasks.verify_small": "small",
        "games.tasks.play_bots": "bots",
        "games.tasks.exhibit": "bots",
        "games.tasks.make_films": "films",
    }
    assert processes.worker("atta", concurrency=1)[-2:] == ["--queues", app.conf.task_default_queue]
    assert processes.worker("bots", concurrency=1, queue="bots")[-2:] == ["--queues", "bots"]


def test_a_lease_is_longer_than_a_task_may_take() -> None:
    assert app.conf.task_soft_time_limit < app.conf.task_time_limit < settings.VERIFICATION_LEASE


@pytest.mark.full
def test_worker_registers_the_sweep_task(worker: Worker) -> None:
    registered = app.control.inspect(timeout=20, limit=1).registered()
    assert registered
    assert "games.tasks.sweep" in next(iter(registered.values()))


@pytest.mark.full
def test_a_killed_worker_can_be_started_again(worker: Worker) -> None:
    worker.kill()
    assert app.control.inspect(timeout=0.5).ping() is None
    worker.start()
    # What is broadcast before it listens is lost.
    assert any(app.control.inspect(timeout=1, limit=1).ping() for _ in range(20))


def test_publishing_to_a_silent_broker_times_out(silent_broker: str) -> None:
    begin = time.monotonic()
    with app.connection(silent_broker) as connection, pytest.raises(OperationalError, match="Timeout"):
        app.send_task("games.tasks.sweep", connection=connection)
    assert time.monotonic() - begin < 20
