"""The progress of an upload, requested and streamed."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from games.api import progress
from games.models import Archive, Upload
from games.platform.slots import Slots
from games.uploads.origin import SCORED, UploadOptions
from games.uploads.reads.pace import pace_of
from games.uploads.reads.progress import progress_of
from games.verification import queue
from tests.factories import BROKEN, duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]


def uploaded(count: int, *, now: datetime, by: User | None = None, options: UploadOptions = SCORED) -> Upload:
    return upload_file(b"\n".join([*duels(count), BROKEN]), via=Upload.Via.API, now=now, uploader=by, options=options)


def judge(count: int, now: datetime) -> None:
    """Judge this many records, one per second."""
    for at, claim in enumerate(queue.claim()):
        if at < count:
            queue.judge(claim, now=now + timedelta(seconds=at))


def asked(client: APIClient, upload: Upload, *, accept: str = "application/json", **headers: str) -> Any:
    return client.get(f"/api/v1/uploads/{upload.pk}/progress", headers={"accept": accept, **headers})


def events(answer: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in answer.streaming_content:
        _, name, data, *_ = event.decode().splitlines()
        yield name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_progress_shows_counts_rate_and_remaining_time(call: Call, now: datetime) -> None:
    upload = uploaded(7, now=now)
    judge(5, now)
    progress = asked(call(), upload).json()
    assert (progress["records"]["done"], progress["records"]["total"], progress["records"]["verified"]) == (5, 8, 5)
    assert (progress["state"], progress["rate"], progress["seconds_left"], progress["expected"]) == (
        "going",
        1.25,
        3,
        8,
    )
    assert progress["message"] == "5 of 8 checked. 1.2 a second, about 3 seconds left."


def test_finished_upload_reports_done(call: Call, now: datetime) -> None:
    upload = uploaded(2, now=now)
    judge_all(now)
    progress = asked(call(), upload).json()
    assert (progress["state"], progress["seconds_left"], progress["records"]["waiting"]) == ("done", None, 0)
    assert progress["message"] == "All 3 games checked"


def test_paused_upload_shows_no_remaining_time(call: Call, now: datetime) -> None:
    upload = uploaded(4, now=now)
    judge(2, now)
    Upload.objects.update(paused=True)
    progress = asked(call(), upload).json()
    assert (progress["state"], progress["seconds_left"], progress["message"]) == ("paused", None, "2 of 5 checked.")


def test_while_a_file_is_unpacked_its_records_are_estimated(now: datetime) -> None:
    upload = uploaded(4, now=now)
    upload.state = Upload.State.SPLITTING
    Archive.objects.create(upload=upload, length=1000, received=1000, read=100, touched_at=now)
    pace = pace_of(upload, progress_of(upload))
    assert (pace.expected, pace.growing) == (50, True)
    assert pace.sentence == "0 checked; the file is still being unpacked."


@pytest.mark.parametrize(
    ("records", "said"),
    [(100, "about 49 seconds left."), (1_202, "about 10 minutes left."), (20_000_002, "about 2778 hours left.")],
)
def test_long_remaining_times_use_larger_units(now: datetime, records: int, said: str) -> None:
    upload = uploaded(2, now=now)
    judge(2, now)
    Upload.objects.update(split_logs=records, judged_at=now + timedelta(seconds=1))
    upload.refresh_from_db()
    assert pace_of(upload, progress_of(upload)).speed == f"2.0 a second, {said}"


def test_progress_message_uses_the_requested_language(call: Call, now: datetime) -> None:
    upload = uploaded(2, now=now)
    Upload.objects.update(split_logs=1200)
    progress = asked(call(), upload, **{"accept-language": "de"}).json()
    assert progress["message"] == "0 von 1.200 geprüft."


def test_progress_stream_ends_when_the_upload_is_done(call: Call, now: datetime) -> None:
    upload = uploaded(2, now=now)
    answer = asked(call(), upload, accept="text/event-stream")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/event-stream")
    assert answer.headers["Cache-Control"] == "no-store, private"
    stream = events(answer)
    assert next(stream)[0] == "progress"
    judge_all(now)
    assert [(name, data["records"]["done"]) for name, data in stream] == [("done", 3)]


@pytest.mark.django_db(transaction=True)
def test_progress_stream_ends_after_its_time_limit(call: Call, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "WATCHED", -1)
    answer = asked(call(), uploaded(2, now=now), accept="text/event-stream")
    assert list(answer.streaming_content) == []
    answer.close()
    assert asked(call(), uploaded(1, now=now)).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_additional_progress_streams_get_one_event_and_a_retry_time(
    call: Call, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_slots", Slots())
    upload = uploaded(2, now=now)
    first, second = (asked(call(), upload, accept="text/event-stream") for _ in range(2))
    (only,) = second.streaming_content
    assert only.startswith(b"retry: 2000\nevent: progress\n")
    first.close()
    third = asked(call(), upload, accept="text/event-stream")
    assert next(iter(third.streaming_content)).startswith(b"retry: 500\n")
    third.close()


def test_progress_stream_of_a_deleted_upload_ends(call: Call, now: datetime) -> None:
    upload = uploaded(1, now=now)
    answer = asked(call(), upload, accept="text/event-stream")
    stream = events(answer)
    next(stream)
    upload.logs.all().delete()
    upload.delete()
    assert list(stream) == []


def test_progress_of_a_private_upload_is_hidden_from_others(call: Call, alice: User, bob: User, now: datetime) -> None:
    upload = uploaded(1, now=now, by=alice, options=UploadOptions(private=True))
    answers = [asked(call(who), upload, accept=accept) for who in (alice, bob) for accept in ("*/*",)]
    assert [answer.status_code for answer in answers] == [200, 404]
    refused = asked(call(bob), upload, accept="text/event-stream")
    assert (refused.status_code, json.loads(refused.content)["error"]["code"]) == (404, "not_found")
