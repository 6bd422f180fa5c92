"""Pausing, resuming, cancelling and retrying in any order while a file is split and judged."""

from contextlib import suppress
from datetime import datetime
from random import Random

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from games.models import MoveLog, Upload
from games.uploads import controls, splitting
from games.uploads.controls import ControlError
from games.uploads.reads.progress import progress_of
from games.verification import queue
from tests.factories import BROKEN, duels
from tests.games.judging import judge_batch
from tests.games.uploading import store_file
from tests.games.uploads.test_splitting import lapse, split
from tests.games.uploads.unpacking.bombs import zstd_of
from tests.tiers import by_tier

pytestmark = pytest.mark.django_db


class Steered:
    """An upload of twelve records, and the current claims on it."""

    def __init__(self, alice: User, now: datetime) -> None:
        self.upload, self.now = store_file(zstd_of(b"\n".join([*duels(11), BROKEN])), alice, now), now
        self.claims: list[list[queue.Lease]] = []
        self.judged_when_cancelled: int | None = None

    def judged(self) -> int:
        return self.upload.logs.filter(state="judged").count()

    def split(self) -> None:
        lapse(self.upload)
        if splitter := splitting.claim():
            split(splitter, most=1)

    def claim(self) -> None:
        self.claims.append(queue.claim())

    def store(self) -> None:
        if self.claims and (claims := self.claims.pop(0)):
            judge_batch(claims, self.now)

    def set_aside(self) -> None:
        """As when three workers died on a record."""
        MoveLog.objects.filter(state="running", upload=self.upload).update(attempts=3, leased_until=self.now)
        queue.quarantine_lapsed(now=self.now)

    def pause(self) -> None:
        controls.pause(self.upload)

    def resume(self) -> None:
        controls.resume(self.upload)

    def retry(self) -> None:
        controls.retry(self.upload, now=self.now)

    def cancel(self) -> None:
        controls.cancel(self.upload, now=self.now)
        self.judged_when_cancelled = self.judged()


STEPS = [Steered.split, Steered.claim, Steered.store, Steered.set_aside, Steered.pause, Steered.resume, Steered.retry,
         Steered.cancel]  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("seed", range(by_tier(quick=2, full=6, long=200)))
def test_random_control_sequences_lose_nothing_and_respect_cancellation(
    seed: int, alice: User, now: datetime, settings: Settings
) -> None:
    settings.SPLITTING_BATCH = settings.VERIFICATION_BATCH = 5
    chance, steered = Random(seed), Steered(alice, now)
    for step in chance.choices(STEPS, [4, 4, 4, 1, 2, 3, 1, 0.5], k=40):
        with suppress(ControlError):
            step(steered)
    for step in (Steered.resume, Steered.retry, *[Steered.split, Steered.claim, Steered.store] * 12, Steered.store):
        with suppress(ControlError):
            step(steered)
    upload = Upload.objects.get()
    before = steered.judged_when_cancelled
    assert steered.judged() == (12 if before is None else before)
    assert upload.logs.exclude(state__in=["judged", "cancelled"]).count() == 0 or before is not None
    assert (upload.done_at is not None, progress_of(upload).waiting) == (True, 0)
