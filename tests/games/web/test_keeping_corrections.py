"""A corrected record is linked to the rejected one, and the report counts it and leads on to the next."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.accounts.deletion import delete_account
from games.models import CorrectedRecord, MoveLog, Upload
from games.records.reads.visibility import NOBODY
from games.uploads.dry_runs import forget_dry_runs
from games.uploads.origin import UploadOptions
from games.uploads.reads.corrections import next_rejected
from tests.factories import BROKEN, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
BROKEN_BY_OTHERS = BROKEN.replace(b"Ada", b"Eve")
CORRECTED = record()
THREE = b"\n".join([BROKEN, record("NS@0,2 *", names=("Cleo", "Dora")), BROKEN_BY_OTHERS])


def uploaded(now: datetime, by: User | None, data: bytes = THREE, **options: Any) -> Upload:
    wanted = UploadOptions(**options)
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=by, filename="evening.agn", options=wanted)
    judge_all(now)
    return upload


def correct(client: Client, upload: Upload, number: int, data: bytes = CORRECTED, *, how: str = "same") -> str:
    sent = {"text": data.decode(), "upload": how}
    return str(client.post(f"/uploads/{upload.pk}/records/{number}/", sent).headers.get("Location"))


@pytest.fixture
def evening(alice: User, now: datetime) -> Upload:
    return uploaded(now, alice)


@pytest.fixture
def mine(browse: Callable[..., Client], alice: User) -> Client:
    return browse(alice)


def read(client: Client, address: str) -> str:
    return words_of(client.get(address.partition("#")[0]).content.decode())


def test_after_correcting_the_report_counts_it_and_leads_on(mine: Client, evening: Upload, now: datetime) -> None:
    where = correct(mine, evening, 1)
    judge_all(now)

    assert where == f"/uploads/{evening.pk}/?corrected=1#corrected"
    words = read(mine, where)
    assert "1 unfinished 2 rejected 1 corrected Next rejected" in words
    assert "Game 1 is corrected. See the corrected game. Next rejected" in words
    assert f'href="/uploads/{evening.pk}/records/3/"' in mine.get(where.partition("#")[0]).content.decode()


def test_rejected_and_corrected_record_link_to_each_other(mine: Client, evening: Upload, now: datetime) -> None:
    correct(mine, evening, 1)
    judge_all(now)
    correction = Upload.objects.exclude(pk=evening.pk).get().get_absolute_url()

    html = mine.get(correction).content.decode()
    assert "correction of evening.agn, game 1 uploaded" in words_of(html)
    assert "Next rejected Back to the report" in words_of(html)
    assert f'href="/uploads/{evening.pk}/records/1/"' in html
    assert f'href="/uploads/{evening.pk}/#record-1"' in html
    record_page, report = f"/uploads/{evening.pk}/records/1/", f"/uploads/{evening.pk}/"
    for page, said in ((record_page, "See the corrected game"), (report, "corrected")):
        assert f'href="{correction}">{said}' in mine.get(page).content.decode()


def test_the_last_rejected_record_leads_to_none(mine: Client, evening: Upload, now: datetime) -> None:
    assert next_rejected(evening, NOBODY, after=0) == 1
    assert next_rejected(evening, NOBODY, after=3) == 1
    correct(mine, evening, 3)
    where = correct(mine, evening, 1)
    judge_all(now)
    assert next_rejected(evening, NOBODY, after=0) is None
    assert "No other rejected game is left." in (words := read(mine, where))
    assert "2 rejected 2 corrected" in words
    assert "Next rejected" not in words


def test_a_text_that_is_still_rejected_is_no_correction(mine: Client, evening: Upload) -> None:
    page = mine.post(f"/uploads/{evening.pk}/records/1/", {"text": BROKEN_BY_OTHERS.decode(), "upload": "same"})
    assert page.status_code == 422
    assert "Ant R1 has already moved this turn." in words_of(page.content.decode())
    assert not CorrectedRecord.objects.exists()
    assert Upload.objects.count() == 1


def test_other_accounts_correct_for_themselves(evening: Upload, browse: Callable[..., Client], bob: User) -> None:
    where = correct(browse(bob), evening, 1)
    upload = Upload.objects.get(uploader=bob)
    assert (where, upload.filename) == (upload.get_absolute_url(), "")
    assert not CorrectedRecord.objects.exists()


def test_nobody_corrects_records_without_an_account_or_of_a_deleted_one(
    mine: Client, evening: Upload, alice: User, browse: Callable[..., Client], bob: User, now: datetime
) -> None:
    correct(mine, evening, 1)
    honest = CorrectedRecord.objects.get().correction
    others = uploaded(now, None, THREE)
    delete_account(alice, now=now)

    for client in (Client(), browse(bob)):
        for upload in (evening, others):
            for number in (1, 3):
                where = correct(client, upload, number)
                assert where not in ("None", f"{upload.get_absolute_url()}?corrected={number}#corrected")
    assert CorrectedRecord.objects.get().correction == honest
    assert not Upload.objects.exclude(pk=others.pk).exclude(filename="").exists()


def test_a_correction_that_was_uploaded_before_is_linked(mine: Client, alice: User, now: datetime) -> None:
    before, evening = uploaded(now, alice, CORRECTED), uploaded(now, alice)
    correct(mine, evening, 3)
    assert CorrectedRecord.objects.get().correction.upload == before


def test_corrections_of_a_check_end_with_it(mine: Client, alice: User, now: datetime) -> None:
    upload = uploaded(now, alice, dry_run=True)
    correct(mine, upload, 1, how="publish")
    judge_all(now)
    published = Upload.objects.get(dry_run=False)
    assert "correction of evening.agn" in read(mine, published.get_absolute_url())
    assert "correction of" not in read(Client(), published.get_absolute_url())
    Upload.objects.filter(pk=upload.pk).update(done_at=now.replace(year=2020))
    forget_dry_runs(now=now, has_time=lambda: True)
    assert not CorrectedRecord.objects.exists()
    assert "correction of" not in read(mine, published.get_absolute_url())


def test_programs_correct_a_record_once(mine: Client, evening: Upload, now: datetime) -> None:
    address = f"/api/v1/uploads/{evening.pk}/logs/1/correction"
    sent = [mine.post(address, CORRECTED, content_type="text/plain") for _ in range(2)]
    judge_all(now)
    assert [one.status_code for one in sent] == [202, 200]
    correction = sent[0].json()["id"]

    report = [json.loads(line) for line in mine.get(f"/api/v1/uploads/{evening.pk}/report").content.splitlines()]
    assert report[0]["correction"] == f"http://testserver/api/v1/uploads/{correction}/logs/1"
    assert [report[0]["correction_of"], report[1]["correction"], report[2]["correction"]] == [None, None, None]
    assert report[-1]["end"]["upload"]["corrected"] == 1
    of = json.loads(mine.get(f"/api/v1/uploads/{correction}/report").content.splitlines()[0])["correction_of"]
    assert of == f"http://testserver/api/v1/uploads/{evening.pk}/logs/1"


@pytest.mark.parametrize(
    ("number", "data", "said"),
    [
        (1, BROKEN_BY_OTHERS, "Ant R1 has already moved this turn."),
        (1, CORRECTED + b"\n" + CORRECTED, "one at a time"),
        (1, b"", "no game"),
        (2, CORRECTED, "Only a rejected record can be corrected."),
    ],
    ids=["rejected", "two", "none", "legal"],
)
def test_programs_are_told_why_a_correction_is_refused(
    mine: Client, evening: Upload, number: int, data: bytes, said: str
) -> None:
    answer = mine.post(f"/api/v1/uploads/{evening.pk}/logs/{number}/correction", data, content_type="text/plain")
    assert (answer.status_code, said in answer.content.decode()) == (400, True)
    assert MoveLog.objects.count() == 3
