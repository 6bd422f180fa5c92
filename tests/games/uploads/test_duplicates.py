"""Uploading the same file again."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.models import Chunk, MoveLog, Upload
from games.uploads import controls
from games.uploads.origin import SCORED, Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import Submission, submit
from tests.factories import duels, record
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db


def submitted(data: bytes, by: User | None, now: datetime, options: UploadOptions = SCORED) -> Submission:
    return submit(Source.of(data, "evening.agn"), Origin(Upload.Via.API, by, options), now=now)


def test_repeated_file_returns_the_existing_upload(alice: User, now: datetime) -> None:
    first = submitted(record(), alice, now)
    again = submitted(record(), alice, now + timedelta(days=1))
    assert (first.again, again.again) == (False, True)
    assert again.upload == first.upload
    assert (Upload.objects.count(), MoveLog.objects.count()) == (1, 1)


def test_other_bytes_options_or_accounts_make_a_new_upload(alice: User, bob: User, now: datetime) -> None:
    submitted(record(), alice, now)
    others = [
        submitted(record() + b"\n", alice, now),
        submitted(record(), alice, now, UploadOptions(scored=False)),
        submitted(record(), alice, now, UploadOptions(private=True)),
        submitted(record(), bob, now),
        submitted(record(), None, now),
        submitted(record(), None, now),
    ]
    assert [one.again for one in others] == [False] * 6
    assert Upload.objects.count() == 7


def test_cancelled_file_can_be_uploaded_again(alice: User, now: datetime) -> None:
    first = submitted(record(), alice, now)
    controls.cancel(first.upload, now=now)
    assert not submitted(record(), alice, now).again


def test_repeated_large_file_is_recognized(alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.uploads.source.MAX_BYTES", 100)
    first = submitted(record(), alice, now)
    assert (first.upload.state, Chunk.objects.count()) == (Upload.State.WAITING, 1)
    again = submitted(record(), alice, now)
    assert (again.again, again.upload) == (True, first.upload)
    assert (Upload.objects.count(), Chunk.objects.count()) == (1, 1)


def test_api_marks_a_repeated_upload_as_duplicate(client: Client, alice: User) -> None:
    client.force_login(alice)
    answers = [client.post("/api/v1/uploads", record(), content_type="text/plain") for _ in range(2)]
    assert [(answer.status_code, answer.json()["duplicate"]) for answer in answers] == [(202, False), (200, True)]
    assert answers[0].json()["id"] == answers[1].json()["id"]


def test_page_announces_a_duplicate_and_shows_its_results(client: Client, alice: User) -> None:
    client.force_login(alice)
    asked = {"text": record().decode(), "scored": "true"}
    first, again = (client.post("/upload/", asked) for _ in range(2))
    assert first.headers["Location"] == again.headers["Location"]
    words = words_of(client.get(again.headers["Location"]).content.decode())
    assert "You have already uploaded this file. Here are its results." in words


@pytest.mark.django_db(transaction=True)
def test_concurrent_uploads_of_one_file_are_stored_once(alice: User) -> None:
    hands = 4
    barrier = Barrier(hands)
    files = list(duels(10))

    def together(file: bytes) -> Submission:
        barrier.wait()
        return submitted(file, alice, timezone.now())

    def act(_: int) -> list[Submission]:
        try:
            return [together(file) for file in files]
        finally:
            connection.close()

    with ThreadPoolExecutor(hands) as pool:
        submissions = list(pool.map(act, range(hands)))
    for of_one in zip(*submissions, strict=True):
        assert sorted(one.again for one in of_one) == [False, True, True, True]
        assert len({one.upload.pk for one in of_one}) == 1
    assert Upload.objects.count() == len(files)
