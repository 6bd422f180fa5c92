"""The operators' page: figures, quarantine, processes, and what can be paused."""

import os
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import MoveLog, Pause, Upload
from games.platform import processes
from games.platform.pauses import Part, pause
from games.verification import queue
from tests.factories import record
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]


@pytest.fixture
def operator(alice: User, browse: Browse) -> Client:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    return browse(User.objects.get(pk=alice.pk))


@pytest.fixture
def quarantined(now: datetime) -> Upload:
    upload = upload_file(record(), via=Upload.Via.API, now=now, filename="crash.agn")
    for _ in range(queue.ATTEMPTS):
        queue.give_back(queue.claim(), failure="Verification failed: MemoryError.", now=now)
    return upload


def note(kind: str, number: int) -> None:
    processes.note(kind, "ant-hill", number, version="0.1.0, engine 7", clock=datetime.now(UTC), first=True)


def test_page_is_hidden_from_those_who_do_not_operate(browse: Browse, mallory: User) -> None:
    assert browse(mallory).get("/operating/").status_code == 404
    assert browse(mallory).post("/operating/pauses/mail/").status_code == 404
    assert not Pause.objects.exists()


def test_page_shows_quarantined_records_with_their_cause(operator: Client, quarantined: Upload) -> None:
    page = operator.get("/operating/").content.decode()
    assert "crash.agn" in page
    assert "Verification failed: MemoryError." in page
    assert "attempts: 3" in page


def test_quarantined_record_is_verified_again_at_the_operators_request(operator: Client, quarantined: Upload) -> None:
    assert operator.post(f"/operating/uploads/{quarantined.pk}/retry/").status_code == 303
    log = MoveLog.objects.get()
    assert (log.state, log.attempts, log.failure) == ("waiting", 0, "")


def test_operator_pauses_and_resumes_a_part(operator: Client, alice: User) -> None:
    operator.post("/operating/pauses/rating/", {"do": "pause", "reason": "check the ledger"})
    one = Pause.objects.get()
    assert (one.part, one.by_id, one.reason) == ("rating", alice.pk, "check the ledger")
    assert "check the ledger" in operator.get("/operating/").content.decode()
    operator.post("/operating/pauses/rating/", {"do": "resume"})
    assert not Pause.objects.exists()


def test_what_is_no_part_cannot_be_paused(operator: Client) -> None:
    assert operator.post("/operating/pauses/clock/").status_code == 404


def test_second_pause_keeps_the_reason_of_the_first(now: datetime) -> None:
    assert pause(Part.MAIL, reason="first", by=None, now=now)
    assert not pause(Part.MAIL, reason="second", by=None, now=now)
    assert Pause.objects.get().reason == "first"


def test_page_warns_unless_one_beat_runs(operator: Client) -> None:
    warning = "There must be one beat process"
    assert warning in operator.get("/operating/").content.decode()
    note("beat", 1)
    page = operator.get("/operating/").content.decode()
    assert warning not in page
    assert "ant-hill" in page
    note("beat", 2)
    assert warning in operator.get("/operating/").content.decode()


def test_process_that_started_with_the_number_of_another_has_its_own_start() -> None:
    processes.note("web", "ant-hill", os.getpid(), version="1", clock=datetime.now(UTC), first=True)
    before = processes.running().get()
    processes.note("web", "ant-hill", os.getpid(), version="2", clock=datetime.now(UTC), first=False)
    after = processes.running().get()
    assert (before.version, after.version, after.started_at) == ("1", "2", before.started_at)
    assert abs(after.clock) < 20
