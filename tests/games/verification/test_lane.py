"""The lane of small uploads: the first records of each upload, judged by a process of their own."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from queue import Empty
from typing import Any

import pytest
from django.db.models.functions import Now
from django.utils import timezone
from kombu.simple import SimpleQueue

from atta_site.celery import app
from games import tasks
from games.models import MoveLog, RunningProcess, Upload
from games.platform import processes
from games.verification import queue
from tests.factories import duels, record
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """Let processes of a kind run, as far as their heartbeats say."""
    settings.HEARTBEAT_EVERY = 15
    monkeypatch.setattr(processes, "_seen", {})

    def run(kind: str) -> None:
        processes._seen.clear()
        RunningProcess.objects.create(
            kind=kind, host="a", number=1, version="1", started_at=timezone.now(), seen_at=timezone.now(), clock=0
        )

    return run


@pytest.fixture
def queues() -> Iterator[tuple[SimpleQueue, SimpleQueue]]:
    """The queue of the process for small uploads and that of the other workers, without messages."""
    with app.connection_for_write() as broker:
        both = broker.SimpleQueue("small"), broker.SimpleQueue(app.conf.task_default_queue)
        for one in both:
            one.clear()
        yield both


def many(count: int) -> bytes:
    """Return a file of different games."""
    return b"\n".join(duels(count))


def numbers(claims: list[queue.Lease]) -> list[int]:
    return [one.log.number for one in claims]


def test_the_lane_takes_the_first_records_of_uploads_and_nothing_else() -> None:
    for text in (many(10), record("NS@0,2 *")):
        upload_file(text, via=Upload.Via.API, now=timezone.now())

    assert numbers(queue.claim_in_lane()) == [1, 1, 2, 3]
    assert queue.claim_in_lane() == []


def test_the_lane_takes_few_records_at_once() -> None:
    for _ in range(queue.LANE_BATCH + 1):
        upload_file(record("NS@0,2 *"), via=Upload.Via.API, now=timezone.now())

    assert len(queue.claim_in_lane()) == queue.LANE_BATCH


def test_other_workers_leave_the_first_records_to_the_lane_for_a_while(runs: Any) -> None:
    runs("small")
    upload_file(many(10), via=Upload.Via.API, now=timezone.now())

    MoveLog.objects.update(queued_at=Now())  # however long the upload took
    assert numbers(queue.claim()) == [4, 5, 6, 7, 8, 9, 10]
    MoveLog.objects.update(queued_at=timezone.now() - timedelta(seconds=queue.LEFT_TO_LANE + 1))
    assert numbers(queue.claim()) == [1, 2, 3]


def test_other_workers_take_the_first_records_of_a_machine_whose_clock_is_ahead(runs: Any) -> None:
    runs("small")
    upload_file(many(10), via=Upload.Via.API, now=timezone.now() + timedelta(hours=1))

    assert len(queue.claim()) == 10


def test_records_that_were_tried_before_are_not_for_the_lane(runs: Any) -> None:
    runs("small")
    upload_file(record("NS@0,2 *"), via=Upload.Via.API, now=timezone.now())
    MoveLog.objects.update(attempts=1)

    assert queue.claim_in_lane() == []
    assert len(queue.claim()) == 1


def test_a_process_for_small_uploads_judges_them_and_leaves_rating_to_the_others(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    upload = upload_file(many(5), via=Upload.Via.API, now=now)
    called = list[dict[str, float]]()
    monkeypatch.setattr(tasks.verify_waiting, "apply_async", lambda **options: called.append(options))

    assert tasks.verify_small() == queue.FEW
    assert called == [{"expires": 60}]
    assert list(upload.logs.filter(state="judged").values_list("number", flat=True)) == [1, 2, 3]


def test_workers_judge_everything_where_no_process_for_small_uploads_runs() -> None:
    upload = upload_file(many(5), via=Upload.Via.API, now=timezone.now())

    assert tasks.verify_waiting() == 5
    assert not upload.logs.exclude(state="judged").exists()


def test_the_other_workers_are_called_a_moment_after_the_process_for_small_uploads(
    runs: Any, queues: tuple[SimpleQueue, SimpleQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = list[float]()
    monkeypatch.setattr(tasks, "sleep", waited.append)
    small, others = queues
    tasks.call_small()
    tasks.call_others_after_small()
    with pytest.raises(Empty):
        small.get(block=False)
    others.get(block=False).ack()
    assert waited == [], "nothing judges small uploads sooner"

    runs("small")
    tasks.call_small()
    tasks.call_others_after_small()
    small.get(block=False).ack()
    others.get(block=False).ack()
    assert waited == [tasks.AFTER_SMALL]


def test_a_worker_that_leaves_something_calls_all_others_at_once(
    runs: Any, queues: tuple[SimpleQueue, SimpleQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs("small")
    assert processes.is_served("small")  # which the thread that sends knows from now on
    monkeypatch.setattr(tasks, "sleep", pytest.fail)
    small, others = queues
    tasks.call_workers()
    small.get(timeout=5).ack()
    others.get(timeout=5).ack()


@pytest.mark.parametrize(("kind", "task"), [("bots", tasks.play_bots), ("films", tasks.make_films)])
def test_nothing_is_sent_to_processes_that_a_site_does_without(kind: str, task: Any, runs: Any) -> None:
    with app.connection_for_write() as broker:
        broker.SimpleQueue(kind).clear()
        tasks.call_if_served(kind, task, expires=60)
        with pytest.raises(Empty):
            broker.SimpleQueue(kind).get(block=False)
        runs(kind)
        tasks.call_if_served(kind, task, expires=60)
        broker.SimpleQueue(kind).get(block=False).ack()
