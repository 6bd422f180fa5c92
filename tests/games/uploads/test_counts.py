"""Verdict counts of an upload are stored incrementally and always equal a full count."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from engine.agn.log import Record
from engine.verify import Verdict as EngineVerdict
from engine.verify import verify
from games.consent import privacy
from games.models import MoveLog, Upload, VerdictCount
from games.records.reads.visibility import NOBODY
from games.uploads.reads.progress import progress_of, verdict_counts_of
from games.verification import queue
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all, judge_batch
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
MIXED = (*duels(3), BROKEN, record("NS@0,2 *"), BROKEN, record("resign:R 1-2"))
BECAME = [
    ("verified", "", 3),
    ("rejected", "ATTA-MOVE-1", 2),
    ("rejected", "AGN-RESULT-1", 1),
    ("unfinished", "", 1),
]


def waiting(*records: bytes, now: datetime, by: User | None = None) -> Upload:
    return upload_file(b"\n".join(records), via=Upload.Via.API, now=now, uploader=by)


def rows_of(upload: Upload) -> list[tuple[str, str, int]]:
    return [(counted.verdict, counted.rule, counted.games) for counted in verdict_counts_of(upload)]


def kept() -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Return all stored counts, and the fields of uploads derived from them."""
    counts = VerdictCount.objects.filter(games__gt=0).order_by("upload", "verdict", "rule")
    uploads = Upload.objects.order_by("pk").values_list("pk", "split_logs", "begun_at", "judged_at", "done_at")
    return list(counts.values_list("upload", "verdict", "rule", "games")), list(uploads)


# A record counts by its latest verdict, or as quarantined.
COUNT = """
INSERT INTO games_verdictcount (upload_id, verdict, rule, games)
SELECT log.upload_id, became.verdict, became.rule, count(*)
FROM games_movelog AS log
LEFT JOIN LATERAL (SELECT verdict, rule FROM games_verdict WHERE log_id = log.id ORDER BY id DESC LIMIT 1) AS said
    ON true
CROSS JOIN LATERAL (SELECT CASE WHEN log.state = 'quarantined' THEN 'quarantined' ELSE said.verdict END AS verdict,
                           CASE WHEN log.state = 'quarantined' THEN '' ELSE said.rule END AS rule) AS became
WHERE became.verdict IS NOT NULL
GROUP BY log.upload_id, became.verdict, became.rule
"""
NOTE = """
UPDATE games_upload AS upload SET
    accepted_logs = CASE WHEN accepted_at IS NULL THEN 0 ELSE known.logs END,
    split_logs = known.logs, begun_at = known.first, judged_at = known.last,
    done_at = CASE WHEN known.logs <= (
        SELECT coalesce(sum(games), 0) FROM games_verdictcount WHERE upload_id = upload.id)
              THEN coalesce(known.last, upload.received_at) END
FROM (SELECT log.upload_id, count(DISTINCT log.id) AS logs, min(judged_at) AS first, max(judged_at) AS last
      FROM games_movelog AS log LEFT JOIN games_verdict AS verdict ON verdict.log_id = log.id
      GROUP BY log.upload_id) AS known
WHERE known.upload_id = upload.id
"""


def assert_counts_match_the_records() -> None:
    """Assert that counting all records again gives the same result."""
    before = kept()
    VerdictCount.objects.all().delete()
    Upload.objects.update(split_logs=0, begun_at=None, judged_at=None, done_at=None)
    with connection.cursor() as cursor:
        cursor.execute(COUNT)
        cursor.execute(NOTE)
    assert kept() == before


def test_records_are_tallied_by_verdict_and_rule(now: datetime) -> None:
    upload, other = waiting(*MIXED, now=now), waiting(*duels(2), now=now)
    judge_all(now)
    assert (rows_of(upload), rows_of(other)) == (BECAME, [("verified", "", 2)])
    assert_counts_match_the_records()


def test_an_upload_is_done_with_its_last_record(now: datetime) -> None:
    upload = waiting(*duels(2), now=now)
    first, second = queue.claim()
    done = []
    for later, claim in ((2, first), (5, second)):
        queue.judge(claim, now=now + timedelta(seconds=later))
        upload.refresh_from_db()
        done.append((progress_of(upload).waiting, upload.judged_at, upload.done_at))

    earlier, later_on = now + timedelta(seconds=2), now + timedelta(seconds=5)
    assert done == [(1, earlier, None), (0, later_on, later_on)]
    assert upload.begun_at == earlier
    assert_counts_match_the_records()


def test_progress_includes_the_verification_rate(now: datetime) -> None:
    upload = waiting(*duels(8), now=now)
    assert progress_of(upload).rate is None

    judge_batch(queue.claim()[:6], now, spent=0.5)

    upload.refresh_from_db()
    progress = progress_of(upload)
    assert (progress.done, progress.waiting, progress.rate) == (6, 2, 12.0)


def test_quarantined_records_count_as_done(now: datetime) -> None:
    upload = waiting(*duels(2), now=now)
    MoveLog.objects.filter(number=1).update(attempts=3, state="running", leased_until=timezone.now() - timedelta(1))
    assert queue.quarantine_lapsed(now=now) == 1
    judge_all(now)

    upload.refresh_from_db()
    assert rows_of(upload) == [("quarantined", "", 1), ("verified", "", 1)]
    assert upload.done_at == now


def test_record_failing_its_last_attempt_is_counted_as_quarantined(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poisoned(log: Record) -> EngineVerdict:
        if log.game == 2:
            raise RecursionError("too deep")
        return verify(log)

    monkeypatch.setattr(queue, "verify", poisoned)
    upload = waiting(*duels(3), now=now)
    while claims := queue.claim():
        judge_batch(claims, now)

    upload.refresh_from_db()
    assert rows_of(upload) == [("verified", "", 2), ("quarantined", "", 1)]
    assert upload.done_at == now


def test_a_later_engine_moves_records_from_verdict_to_verdict(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = waiting(BROKEN, BROKEN, *duels(1), now=now)
    judge_all(now)
    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    MoveLog.objects.filter(number=2).update(data=record())  # simulates rules under which the text is legal
    queue.queue_again()
    upload.refresh_from_db()
    assert (progress_of(upload).waiting, upload.done_at) == (0, now)

    judge_all(now + timedelta(days=1))

    assert rows_of(upload) == [("verified", "", 2), ("rejected", "ATTA-MOVE-1", 1)]
    upload.refresh_from_db()
    assert upload.done_at == now


def test_record_failing_in_a_later_engine_is_counted_once(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise MemoryError("no room")

    upload = waiting(*duels(2), now=now)
    judge_all(now)
    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    queue.queue_again()
    monkeypatch.setattr(queue, "verify", fail)
    while claims := queue.claim():
        judge_batch(claims, now)

    assert rows_of(upload) == [("quarantined", "", 2)]
    assert_counts_match_the_records()


def test_a_game_that_was_hidden_is_not_counted_for_others(now: datetime, alice: User) -> None:
    upload = waiting(*duels(2), BROKEN, now=now, by=alice)
    judge_all(now)
    game = upload.logs.get(number=1).game
    assert game
    privacy.hide(game, alice, now=now)

    upload.refresh_from_db()
    assert (progress_of(upload, NOBODY).total, progress_of(upload, NOBODY).verified) == (2, 1)
    assert (progress_of(upload, alice).total, progress_of(upload, alice).verified) == (3, 2)


def test_progress_needs_few_queries_whatever_the_size(
    now: datetime, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    upload = waiting(*duels(50), now=now)
    judge_all(now)
    with django_assert_num_queries(2):  # type: ignore[operator]
        assert progress_of(upload, NOBODY).verified == 50
    assert VerdictCount.objects.count() == 1
