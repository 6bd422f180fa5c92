"""The operators' page: figures, quarantine, processes, and what can be paused."""

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django import Settings

from games.models import MoveLog, Pause, Upload
from games.platform import counted, processes
from games.platform.pauses import Part, pause
from games.verification import queue
from games.web.operating import figures
from tests.browser.conftest import SCREENS
from tests.browser.soundness import unsound
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

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


def test_page_shows_database_disks_verdicts_and_what_was_left_behind(
    operator: Client, now: datetime, tmp_path: Path, settings: Settings
) -> None:
    settings.SPOOL_DIR = tmp_path
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    upload_file(record(names=("Eve", "Bruno")), via=Upload.Via.API, now=now)
    queue.claim()
    MoveLog.objects.filter(state="running").update(leased_until=now - timedelta(days=1))
    words = words_of(operator.get("/operating/").content.decode())
    assert "Records left behind by a worker 1 (look into this)" in words
    assert "Verified records 1 Unfinished records 0 Rejected records 0" in words
    assert re.search(r"Size of the database \d+\.\d\sMB Sessions of the database \d+ of \d+", words)
    assert re.search(r"Free for large requests [\d.]+\s[GT]B of [\d.]+\s[GT]B", words)


def test_page_shows_the_busiest_routes_and_what_failed(operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_ROUTES", 10_000)  # what else this process was asked for counts, too
    for status in (200, 200, 503):
        counted.count_request("/an-ant-hill/", "GET", status, 0.25)
    counted.STREAMS.inc()
    page = operator.get("/operating/")
    (shown,) = (one for one in page.context["page"].requests.routes if one.route == "/an-ant-hill/")
    assert (shown.requests, shown.failed, shown.milliseconds) == (3, 1, 250)
    assert "Event streams that are open" in page.content.decode()


def test_routes_are_named_as_people_read_them(operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_ROUTES", 10_000)
    for route in (r"/ant-hills/(?P<key>[0-9a-z]{8})$", r"/^burrows/(?P<pk>\d+)\Z", "none"):
        counted.count_request(route, "GET", 200, 0.25)
    words = words_of(operator.get("/operating/").content.decode())
    assert "/ant-hills/<key> 1 0 250" in words
    assert "/burrows/<pk> 1 0 250" in words
    assert "Static files, and what was refused" in words


@pytest.mark.full
@SCREENS
def test_the_page_is_accessible_and_no_wider_than_the_screen(
    open_page: Callable[..., Page], alice: User, width: int, *, dark: bool
) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    note("beat", 1)
    page = open_page(alice, width=width, dark=dark)
    page.goto("/games/")
    page.goto("/operating/")
    expect(page.get_by_role("heading", name="Requests")).to_be_visible()
    assert unsound(page) == []
