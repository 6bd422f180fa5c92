"""The worker, killed, starved and misled: nothing is lost or stored twice."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from knox.models import AuthToken

from atta_site import processes
from atta_site.celery import app
from games import tasks
from games.models import Acceptance, Delivery, Game, MoveLog, Notice, Player, RatingEvent, Upload, Verdict
from games.players.claims import make_claim
from games.uploads.origin import UploadOptions
from games.uploads.reads.progress import progress_of
from games.webhooks.deliveries import make_secret
from tests.conftest import Worker, _until, of_this_run
from tests.factories import duels, record
from tests.games.judging import count_all
from tests.games.ratings.test_acceptance import assert_ledger_holds
from tests.games.receiver import receiving
from tests.games.uploading import upload_file
from tests.tiers import by_tier

PATIENCE = 300.0
MANY, KILLED = by_tier(quick=(40, (10,)), long=(200, (20, 70, 120)))
"""How many records are verified, and after how many verdicts the worker is killed."""


def wait(until: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def judged() -> int:
    return MoveLog.objects.filter(state="judged").count()


@pytest.mark.full
def test_worker_killed_while_judging_neither_loses_nor_duplicates_verdicts(
    stopped_worker: Worker, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIFICATION_LEASE", "2")
    monkeypatch.setenv("VERIFICATION_BATCH", "2")  # many small batches leave time for a kill in between
    upload_file(b"\n".join(duels(MANY)), via=Upload.Via.API, now=now)
    tasks.wake_workers()
    for enough in KILLED:
        with transaction.atomic():
            MoveLog.objects.select_for_update().latest("number")  # so the work cannot be done before the kill
            stopped_worker.start(beat=True)
            wait(lambda enough=enough: judged() >= enough)  # type: ignore[misc]
            stopped_worker.kill()
        assert judged() < MANY

    stopped_worker.start(beat=True)
    wait(lambda: judged() == MANY)
    stopped_worker.kill()  # or it would rate first, and hold what is unusual

    count_all(now)
    assert (Game.objects.count(), Verdict.objects.count(), RatingEvent.objects.count()) == (MANY, MANY, 2 * MANY)
    in_order = Acceptance.objects.order_by("number").values_list("number", flat=True)
    assert list(in_order) == list(range(1, MANY + 1))
    assert_ledger_holds()


@pytest.mark.full
def test_batch_interrupted_while_storing_is_stored_completely_by_another_worker(
    stopped_worker: Worker, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIFICATION_LEASE", "2")
    upload_file(b"\n".join(duels(10)), via=Upload.Via.API, now=now)
    stopped_worker.start(concurrency=1, beat=True)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_seating IN SHARE MODE")  # the worker stops while storing
        wait(lambda: MoveLog.objects.filter(state="running").count() == 10)
        wait(_somebody_waits_for_a_lock)
        stopped_worker.kill()
    assert (Game.objects.count(), Player.objects.count(), Verdict.objects.count()) == (0, 0, 0)

    stopped_worker.start(beat=True)
    wait(lambda: judged() == 10)

    assert (Game.objects.count(), Verdict.objects.count()) == (10, 10)
    assert set(MoveLog.objects.values_list("attempts", flat=True)) == {2}


@pytest.mark.full
def test_single_game_is_judged_before_a_large_file_is_done(
    stopped_worker: Worker, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIFICATION_BATCH", "5")
    archive = upload_file(b"\n".join(duels(30)), via=Upload.Via.API, now=now)
    single = upload_file(record(), via=Upload.Via.API, now=now)

    tasks.wake_workers()
    stopped_worker.start(concurrency=1)  # and no sweep: it finds the message that was sent before
    wait(lambda: judged() == 31)

    archive.refresh_from_db()
    single.refresh_from_db()
    assert single.done_at
    assert archive.done_at
    assert single.done_at < archive.done_at


def _somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


@pytest.mark.full
def test_a_worker_keeps_its_connections_and_makes_new_ones_when_they_were_cut(
    stopped_worker: Worker, now: datetime
) -> None:
    ours = _connected()
    stopped_worker.start()
    upload_file(b"\n".join(duels(1)), via=Upload.Via.API, now=now)
    tasks.wake_workers()
    wait(lambda: judged() == 1)
    theirs = _connected() - ours
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) pid", [list(theirs)])

    upload_file(b"\n".join(duels(2)), via=Upload.Via.API, now=now)
    tasks.wake_workers()

    wait(lambda: judged() == 3)
    assert theirs
    assert not _connected() & theirs


def _connected() -> set[int]:
    """Return the server processes with connections."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return {pid for (pid,) in cursor}


@pytest.mark.full
def test_duplicate_messages_store_nothing_twice(worker: Worker, now: datetime) -> None:
    upload_file(b"\n".join(duels(30)), via=Upload.Via.API, now=now)
    for _ in range(50):
        tasks.verify_waiting.delay()

    wait(lambda: judged() == 30)

    assert Verdict.objects.count() == 30
    assert_ledger_holds()


@pytest.fixture
def hanging_broker() -> Iterator[str]:
    """A broker that accepts every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def hold() -> None:
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=hold, daemon=True).start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        for connection in held:
            connection.close()


@pytest.mark.full
def test_uploads_are_accepted_while_the_broker_hangs(
    transactional_db: None, hanging_broker: str, tmp_path: Path, alice: User, django_db_setup: None
) -> None:
    _, token = AuthToken.objects.create(alice)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path / "web.log"
    with log.open("ab") as output:
        environment = of_this_run() | {"CELERY_BROKER_URL": hanging_broker}
        site = processes.spawn(processes.web("127.0.0.1", port, workers=1), output.fileno(), env=environment)
    try:
        _until(lambda: _answers(port), site, log)
        taken = [_seconds_to_upload(port, token, data) for data in duels(5)]
    finally:
        processes.end(site)
    assert MoveLog.objects.filter(state="waiting").count() == 5
    assert min(taken) < app.conf.broker_transport_options["socket_timeout"], "each has waited for the broker"


def _seconds_to_upload(port: int, token: str, data: bytes) -> float:
    begin = time.monotonic()
    request = Request(f"http://127.0.0.1:{port}/api/v1/uploads", data, {"Authorization": f"Bearer {token}"})
    with urlopen(request, timeout=PATIENCE) as answer:
        assert (answer.status, json.load(answer)["games"]) == (202, 1)
    return time.monotonic() - begin


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=20) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.full
def test_a_started_worker_does_all_that_waits_although_its_messages_are_lost(
    stopped_worker: Worker, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    with receiving() as receiver:
        settings.WEBHOOK_ALLOWED = {receiver.place}
        monkeypatch.setenv("WEBHOOK_ALLOWED", receiver.place)
        _leave_a_mail(alice, bob)
        upload = _leave_an_upload(alice, receiver.url)
        app.control.purge()
        assert (progress_of(upload).waiting, Notice.objects.get().sent_at) == (1, None)

        stopped_worker.start(beat=True)

        wait(lambda: progress_of(upload).verified == 1)
        wait(lambda: Notice.objects.get().sent_at is not None)
        wait(lambda: bool(receiver.heard))
        wait(lambda: Delivery.objects.filter(sent_at__isnull=False).exists())


def _leave_a_mail(to: User, bob: User) -> None:
    EmailAddress.objects.create(user=to, email="alice@ants.example", verified=True, primary=True)
    long_ago = timezone.now() - timedelta(hours=1)
    make_claim(Player.objects.create(name="Ada", introduced_by=to, created_at=long_ago), bob, now=long_ago)


def _leave_an_upload(uploader: User, webhook: str) -> Upload:
    make_secret(uploader, now=timezone.now())
    options = UploadOptions(webhook=webhook)
    return upload_file(record(), via=Upload.Via.API, now=timezone.now(), uploader=uploader, options=options)
