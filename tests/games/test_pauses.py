"""What operators pause stops on every road, and goes on afterwards."""

from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from rest_framework.test import APIClient

from games.mail import account_mails
from games.mail.delivery import send_due
from games.models import Acceptance, AccountMail, Archive, MoveLog, RatingEvent, Upload
from games.platform.pauses import Part, pause, resume
from games.run import rate_at_once, rate_waiting
from games.uploads import splitting
from games.uploads.files import begin
from games.uploads.origin import Origin
from games.verification import queue
from tests.factories import record
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

SENTENCE = "Uploads are paused for maintenance. Try again later."
TUS = {"Tus-Resumable": "1.0.0"}


@pytest.fixture
def without_intake(now: datetime) -> None:
    pause(Part.INTAKE, reason="disk", by=None, now=now)


@pytest.fixture
def api(alice: User) -> APIClient:
    client = APIClient()
    client.force_login(alice)
    return client


def test_paused_intake_refuses_a_form_with_503_and_keeps_nothing(without_intake: None, client: Client) -> None:
    answer = client.post("/upload/", {"text": record().decode()})
    assert (answer.status_code, Upload.objects.count()) == (503, 0)
    assert SENTENCE in answer.content.decode()


def test_paused_intake_refuses_an_upload_by_the_api_with_503(without_intake: None, api: APIClient) -> None:
    answer = api.post("/api/v1/uploads", record(), content_type="text/plain")
    assert (answer.status_code, answer["Retry-After"], Upload.objects.count()) == (503, "5", 0)
    assert answer.json()["error"]["code"] == "intake_paused"
    assert answer.json()["error"]["message"] == SENTENCE


def test_paused_intake_refuses_a_check_by_the_api_as_well(without_intake: None, api: APIClient) -> None:
    answer = api.post("/api/v1/uploads?dry_run=true", record(), content_type="text/plain")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "intake_paused")


def test_paused_intake_refuses_to_begin_a_file_in_pieces(without_intake: None, api: APIClient) -> None:
    answer = api.post("/api/v1/files", headers={**TUS, "Upload-Length": "100"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "intake_paused")


def test_paused_intake_keeps_what_came_of_a_file_in_pieces(alice: User, api: APIClient, now: datetime) -> None:
    upload = begin(100, Origin(Upload.Via.API, alice), now=now)
    pause(Part.INTAKE, reason="", by=None, now=now)
    piece: dict[str, Any] = {"content_type": "application/offset+octet-stream"}
    piece["headers"] = {**TUS, "Upload-Offset": "0"}
    assert api.patch(f"/api/v1/files/{upload.pk}", b"x" * 10, **piece).status_code == 503
    resume(Part.INTAKE, by=None)
    assert api.patch(f"/api/v1/files/{upload.pk}", b"x" * 10, **piece).status_code == 204
    assert Archive.objects.get().received == 10


def test_paused_intake_stops_the_import_command_with_the_reason(without_intake: None, tmp_path: Path) -> None:
    (tmp_path / "games.agn").write_bytes(record())
    with pytest.raises(CommandError, match="Uploads are paused for maintenance"):
        call_command("import", str(tmp_path / "games.agn"))


def test_games_played_here_end_while_the_intake_is_paused(without_intake: None, now: datetime) -> None:
    assert upload_file(record(), via=Upload.Via.PLAYED, now=now).logs.count() == 1


def test_paused_verification_claims_no_log_until_it_is_resumed(now: datetime) -> None:
    upload_file(record(), via=Upload.Via.API, now=now)
    pause(Part.VERIFICATION, reason="", by=None, now=now)
    assert (queue.claim(), queue.claim(fresh_first=True)) == ([], [])
    resume(Part.VERIFICATION, by=None)
    assert len(queue.claim()) == 1


def test_paused_verification_splits_no_file(alice: User, now: datetime) -> None:
    begin(100, Origin(Upload.Via.API, alice), now=now)
    Upload.objects.update(state=Upload.State.WAITING)
    pause(Part.VERIFICATION, reason="", by=None, now=now)
    assert (splitting.anything_to_split(), splitting.claim(), splitting.claim(small=True)) == (False, None, None)
    resume(Part.VERIFICATION, by=None)
    assert splitting.claim() is not None


def test_paused_rating_rates_nothing_by_worker_or_page_until_it_is_resumed(now: datetime) -> None:
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    log = MoveLog.objects.select_related("game").get()
    assert log.game is not None
    pause(Part.RATING, reason="", by=None, now=now)
    assert (rate_waiting(now=lambda: now), rate_at_once([log.game.key], now=lambda: now)) == (0, 0)
    assert not RatingEvent.objects.exists()
    resume(Part.RATING, by=None)
    count_all(now)
    assert Acceptance.objects.filter(number=None).count() == 0
    assert RatingEvent.objects.exists()


def test_paused_mail_sends_nothing_and_counts_no_attempt(now: datetime) -> None:
    account_mails.keep(EmailMessage("Subject", "Text", None, ["ada@example.org"]), now=now)
    pause(Part.MAIL, reason="", by=None, now=now)
    assert (send_due(now=now), AccountMail.objects.get().attempts, mail.outbox) == (0, 0, [])
    resume(Part.MAIL, by=None)
    assert (send_due(now=now), len(mail.outbox)) == (1, 1)


def test_command_pauses_lists_and_resumes() -> None:
    said = StringIO()
    for arguments in (["mail", "--reason", "relay moves"], [], ["mail", "--resume"], []):
        call_command("pause", *arguments, stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[0] == "mail is paused."
    assert lines[1].startswith("mail since ")
    assert lines[1].endswith("relay moves")
    assert lines[2:] == ["mail goes on.", "Nothing is paused."]
