"""Controlling an upload: pausing, resuming, cancelling and retrying it."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from games.clubs import organising
from games.models import Chunk, Game, Upload
from games.uploads import controls, counts, splitting
from games.uploads.controls import ControlError
from games.uploads.reads.progress import progress_of
from games.verification import queue
from games.verification.known_games import Case
from games.verification.reads import uploads_to_accept
from games.verification.seating import seat
from games.web.uploads.stage import stage_of
from tests.factories import record
from tests.games.judging import judge_all, judge_batch
from tests.games.uploading import store_file, upload_file
from tests.games.uploads.test_splitting import EVENING, claimed, lapse, split, state

pytestmark = pytest.mark.django_db


def states(upload: Upload) -> dict[str, int]:
    found = list(upload.logs.values_list("state", flat=True))
    return {one: found.count(one) for one in set(found)}


def test_a_paused_upload_is_neither_split_nor_judged(alice: User, now: datetime, small_batches: None) -> None:
    upload = store_file(EVENING, alice, now)
    splitter = claimed()
    split(splitter, most=1)
    controls.pause(upload)
    judge_all(now)
    assert (split(splitter), splitting.claim(), states(upload)) == (0, None, {"held": 10})

    controls.resume(upload)
    judge_all(now)
    assert (split(), state(upload), states(upload)) == (16, "verifying", {"judged": 10, "waiting": 16})


def test_pausing_does_not_count_as_a_failed_attempt(alice: User, now: datetime) -> None:
    upload = store_file(EVENING, alice, now)
    for _ in range(5):
        splitter = claimed()
        controls.pause(upload)
        assert split(splitter) == 0
        controls.resume(upload)
    assert split() == 26


def test_directly_split_upload_can_be_paused(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    controls.pause(upload)
    judge_all(now)
    assert states(upload) == {"held": 26}
    controls.resume(upload)
    judge_all(now)
    assert states(upload) == {"judged": 26}


def test_cancelled_upload_keeps_its_judged_records(alice: User, now: datetime, small_batches: None) -> None:
    upload = store_file(EVENING, alice, now)
    splitter = claimed()
    split(splitter, most=1)
    judge_all(now)
    lapse(upload)
    splitter = claimed()
    split(splitter, most=1)
    controls.cancel(upload, now=now)
    assert (split(splitter), splitting.claim(), state(upload)) == (0, None, "cancelled")
    assert states(upload) == {"judged": 10, "cancelled": 10}
    assert not Chunk.objects.exists()
    assert bytes(upload.logs.filter(state="cancelled").order_by("number")[0].data).startswith(b"[Game")


@pytest.mark.django_db(transaction=True)
def test_cancelling_does_not_wait_for_logs_locked_by_a_verifier(alice: User, now: datetime) -> None:
    """A verifier locks logs first and then their upload, so what locks the upload must not wait for logs."""
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)

    def cancel() -> None:
        try:
            controls.cancel(upload, now=now)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        first = upload.logs.select_for_update().get(number=1)
        pool.submit(cancel).result(20)
        counts.hold([upload.pk])
    assert states(upload) == {"waiting": 1, "cancelled": 25}
    assert first.number == 1


def test_records_claimed_before_cancelling_are_not_stored(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    claims = queue.claim()
    assert len(claims) == 26
    controls.cancel(upload, now=now)
    assert (judge_batch(claims, now), states(upload), Game.objects.count()) == (0, {"cancelled": 26}, 0)
    assert progress_of(upload).cancelled == 26


@pytest.mark.parametrize("together", [True, False])
def test_claim_that_survives_cancelling_stores_nothing(alice: User, now: datetime, together: bool) -> None:
    """As when its row was locked at that moment."""
    upload = upload_file(record(), via=Upload.Via.WEB, now=now, uploader=alice)
    (claim,) = queue.claim()
    controls.cancel(upload, now=now)
    upload.verdict_counts.all().delete()
    upload.logs.update(state="running")
    if together:
        judge_batch([claim], now)
    else:
        queue.judge(claim, now=now)
    assert (states(upload), Game.objects.count(), progress_of(upload).cancelled) == ({"cancelled": 1}, 0, 1)


@pytest.mark.django_db(transaction=True)
def test_cancelling_waits_for_verdicts_being_stored(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    cancelling = list[Future[None]]()

    def cancel() -> None:
        try:
            controls.cancel(upload, now=now)
        finally:
            connection.close()

    def seat_while_cancelling(cases: Sequence[Case], *, now: datetime) -> None:
        cancelling.append(pool.submit(cancel))
        wait(cancelling, 0.2)
        seat(cases, now=now)

    monkeypatch.setattr("games.verification.store.seat", seat_while_cancelling)
    with ThreadPoolExecutor(1) as pool:
        assert judge_batch(queue.claim(), now) == 26
        with pytest.raises(ControlError, match="No record of this upload is waiting"):
            cancelling[0].result(20)
    assert (states(upload), state(upload)) == ({"judged": 26}, "verifying")


def test_a_paused_upload_can_be_cancelled(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    controls.pause(upload)
    controls.cancel(upload, now=now)
    assert (state(upload), upload.paused, states(upload)) == ("cancelled", False, {"cancelled": 26})


def test_cancelled_upload_cannot_be_retried(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    controls.cancel(upload, now=now)
    upload.refresh_from_db()
    assert not stage_of(upload, alice, replace(progress_of(upload), quarantined=1)).retriable


def test_finished_upload_can_be_neither_paused_nor_cancelled(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    upload.refresh_from_db()
    with pytest.raises(ControlError, match="No record of this upload is waiting"):
        controls.pause(upload)
    with pytest.raises(ControlError, match="No record of this upload is waiting"):
        controls.cancel(upload, now=now)


def test_quarantined_records_can_be_retried(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    with pytest.raises(ControlError, match="No record of this upload was set aside"):
        controls.retry(upload, now=now)
    judge_all(now)
    upload.logs.filter(number=1).update(state="running", attempts=3, leased_until=now)
    queue.quarantine_lapsed(now=now)
    assert progress_of(upload).quarantined == 1
    controls.retry(upload, now=now)
    assert upload.logs.values_list("state", "attempts", "failure").get(number=1) == ("waiting", 0, "")
    upload.refresh_from_db()
    assert (upload.done_at, progress_of(upload).quarantined) == (None, 0)


def test_quarantined_records_of_a_cancelled_upload_cannot_be_retried(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    upload.logs.filter(number=1).update(state="running", attempts=3, leased_until=now)
    queue.quarantine_lapsed(now=now)
    controls.cancel(upload, now=now)
    with pytest.raises(ControlError, match="No record of this upload is waiting"):
        controls.retry(upload, now=now)
    assert states(upload) == {"quarantined": 1, "cancelled": 25}


def test_upload_is_done_when_everything_is_split_and_judged(alice: User, now: datetime, small_batches: None) -> None:
    upload = store_file(EVENING, alice, now)
    splitter = claimed()
    split(splitter, most=1)
    judge_all(now)
    upload.refresh_from_db()
    assert (upload.split_logs, progress_of(upload).done, upload.done_at) == (10, 10, None)
    lapse(upload)
    split()
    judge_all(now)
    upload.refresh_from_db()
    assert (progress_of(upload).done, upload.done_at) == (26, now)


def test_upload_is_done_when_judging_finishes_before_splitting(alice: User, now: datetime) -> None:
    upload = store_file(EVENING, alice, now)
    for _ in splitting.split(claimed(), clock=lambda: now, pulse=lambda: None):
        judge_all(now)
    upload.refresh_from_db()
    assert (upload.state, upload.done_at, progress_of(upload).done) == ("verifying", now, 26)


def test_cancelled_records_are_counted_as_cancelled(alice: User, now: datetime) -> None:
    upload = upload_file(EVENING, via=Upload.Via.WEB, now=now, uploader=alice)
    controls.cancel(upload, now=now)
    upload.refresh_from_db()
    assert (progress_of(upload).cancelled, progress_of(upload).waiting, upload.done_at) == (26, 0, now)


def test_a_cancelled_upload_for_a_club_is_not_accepted(alice: User, now: datetime) -> None:
    nest = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    upload = store_file(EVENING, alice, now)
    Upload.objects.filter(pk=upload.pk).update(club=nest)
    assert not uploads_to_accept().exists()
    split()
    assert not uploads_to_accept().exists()
    judge_all(now)
    assert list(uploads_to_accept()) == [upload]
    Upload.objects.filter(pk=upload.pk).update(state="cancelled")
    assert not uploads_to_accept().exists()
