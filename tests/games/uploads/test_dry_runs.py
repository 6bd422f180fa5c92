"""Dry runs: records are judged only to be reported."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import ProgrammingError, connection, transaction
from django.test import Client
from rest_framework.test import APIClient

from games.clubs import organising
from games.models import Confirmation, Game, MoveLog, Player, Seating, Upload, Verdict
from games.records.reads.visibility import NOBODY
from games.uploads import controls, dry_runs
from games.uploads.origin import SCORED, UploadOptions
from games.uploads.reads import report
from games.uploads.reads.progress import progress_of
from games.verification import queue
from games.verification.reads import uploads_to_accept
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of
from tests.plans import plans

pytestmark = pytest.mark.django_db
DRY_RUN = UploadOptions(dry_run=True)
DAY = timedelta(days=1)


def uploaded(*records: bytes, now: datetime, options: UploadOptions = DRY_RUN, by: User | None = None) -> Upload:
    upload = upload_file(b"\n".join(records), via=Upload.Via.WEB, now=now, uploader=by, options=options)
    judge_all(now)
    upload.refresh_from_db()
    return upload


def forget(now: datetime) -> int:
    return dry_runs.forget_dry_runs(now=now, has_time=lambda: True)


def test_dry_run_judges_records_without_storing_games(now: datetime) -> None:
    upload = uploaded(record(), BROKEN, record("NS@0,2 *"), now=now)
    logs = upload.logs.order_by("number").values_list("state", "verdict", "rule", "game")
    judged: list[tuple[object, ...]] = list(logs)
    assert judged == [
        ("dry_run", "verified", "", None),
        ("dry_run", "rejected", "ATTA-MOVE-1", None),
        ("dry_run", "unfinished", "", None),
    ]
    assert upload.done_at is not None
    assert [model.objects.count() for model in (Game, Player, Seating, Confirmation)] == [0, 0, 0, 0]
    assert Verdict.objects.filter(game=None).count() == 3


def test_record_judged_alone_respects_the_dry_run(now: datetime) -> None:
    upload = upload_file(record(), via=Upload.Via.WEB, now=now, options=DRY_RUN)
    (claim,) = queue.claim()
    assert queue.judge(claim, now=now)
    assert (upload.logs.get().state, Game.objects.count(), progress_of(upload).verified) == ("dry_run", 0, 1)


def test_dry_run_in_a_mixed_batch_does_not_affect_other_uploads(now: datetime) -> None:
    one, two = duels(2)
    tried = upload_file(one, via=Upload.Via.WEB, now=now, options=DRY_RUN)
    kept = upload_file(two, via=Upload.Via.WEB, now=now)
    judge_all(now)
    assert (tried.logs.get().state, kept.logs.get().state) == ("dry_run", "judged")
    assert Game.objects.get().logs.get() == kept.logs.get()


def test_club_does_not_accept_dry_runs(alice: User, now: datetime) -> None:
    nest = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    uploaded(record(), now=now, by=alice, options=UploadOptions(club=nest, dry_run=True))
    assert not uploads_to_accept().exists()


def test_dry_run_report_names_duplicates_of_existing_games(call: Callable[..., APIClient], now: datetime) -> None:
    kept = uploaded(record(), now=now, options=SCORED)
    tried = uploaded(record(names=("Eve", "Bruno")), BROKEN, *duels(1), now=now)
    answer = call().get(f"/api/v1/uploads/{tried.pk}/report")
    first, second, third, _ = (json.loads(line) for line in answer.content.splitlines())
    assert (first["verdict"], second["code"], third["verdict"]) == ("verified", "ATTA-MOVE-1", "verified")
    assert first["duplicate_of"] == f"http://testserver/api/v1/uploads/{kept.pk}/logs/1"
    assert (first["state"], third["game"], third["duplicate_of"]) == ("dry_run", None, None)


def test_dry_run_report_names_duplicates_within_the_file(
    call: Callable[..., APIClient], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "_BATCH", 2)
    one, two = duels(2)
    tried = uploaded(one, BROKEN, two, BROKEN, one, two, one, now=now)
    uploaded(one, now=now)
    address = f"http://testserver/api/v1/uploads/{tried.pk}"
    printed = [json.loads(line) for line in call().get(f"{address}/report").content.splitlines()]
    again = [line.get("duplicate_of") for line in printed[:-1]]
    assert again == [None, None, None, None, *(f"{address}/logs/{number}" for number in (1, 3, 1))]


def test_first_of_each_duplicate_is_found_by_an_index(now: datetime) -> None:
    tried = uploaded(*duels(3), now=now)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    found = plans(lambda: list(report.report_of(tried, NOBODY)))
    assert any("Index Scan using log_dry_run" in plan.text and "Sort" not in plan.text for plan in found)


def test_dry_run_page_explains_itself_and_lists_findings(client: Client, now: datetime) -> None:
    upload = uploaded(record(), BROKEN, now=now)
    words = words_of(client.get(upload.get_absolute_url()).content.decode())
    assert "Check only: nothing is published, and this report is kept for 24 hours." in words
    assert "1 1 verified R Ada Y Bruno 1 action" in words
    assert "2 11 rejected R Ada Y Bruno Ant R1 has already moved this turn. ATTA-MOVE-1 line 19" in words
    assert "Watch" not in words.partition("Check only")[2]


def test_dry_run_can_be_requested_on_the_page_and_in_the_api(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/upload/", {"text": record().decode(), "scored": "true", "dry_run": "on"})
    answer = client.post("/api/v1/uploads?dry_run=true", record() + b"\n", content_type="text/plain")
    assert answer.json()["dry_run"] is True
    assert list(Upload.objects.values_list("dry_run", flat=True)) == [True, True]


def test_file_can_be_uploaded_normally_after_a_dry_run(client: Client, alice: User) -> None:
    client.force_login(alice)
    addresses = ("?dry_run=true", "", "?dry_run=true")
    answers = [client.post(f"/api/v1/uploads{query}", record(), content_type="text/plain") for query in addresses]
    assert [answer.json()["duplicate"] for answer in answers] == [False, False, True]


def test_dry_run_is_deleted_a_day_after_it_is_done(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry_runs, "_BATCH", 2)
    uploaded(*duels(5), now=now)
    kept = uploaded(record(), now=now, options=SCORED)
    assert forget(now + DAY) == 0
    assert forget(now + DAY + timedelta(seconds=1)) == 1
    assert list(Upload.objects.all()) == [kept]
    assert (MoveLog.objects.count(), Verdict.objects.count()) == (1, 1)


def test_waiting_dry_run_is_not_deleted(now: datetime) -> None:
    upload_file(record(), via=Upload.Via.WEB, now=now, options=DRY_RUN)
    assert forget(now + 30 * DAY) == 0


def test_dry_run_paused_for_a_day_is_deleted(now: datetime) -> None:
    for options in (DRY_RUN, SCORED):
        controls.pause(upload_file(b"\n".join(duels(5)), via=Upload.Via.WEB, now=now, options=options))
    assert forget(now + DAY) == 0
    assert forget(now + DAY + timedelta(seconds=1)) == 1
    assert (list(Upload.objects.values_list("dry_run", flat=True)), MoveLog.objects.count()) == ([False], 5)


def test_verdicts_of_normal_uploads_cannot_be_deleted(now: datetime) -> None:
    uploaded(record(), now=now, options=SCORED)
    with pytest.raises(ProgrammingError, match="games_verdict is append-only: DELETE refused"), transaction.atomic():
        Verdict.objects.all().delete()


def test_dry_run_is_not_judged_again_by_a_later_engine(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    uploaded(record(), now=now)
    monkeypatch.setattr(queue, "ENGINE_VERSION", "999")
    assert queue.queue_again() == 0
