"""Queries of workers for a batch are answered from indexes, however many logs wait or were judged."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from games.clubs import organising
from games.models import Acceptance, Club, MoveLog, Upload
from games.records.reads.visibility import NOBODY
from games.uploads.origin import UploadOptions
from games.uploads.reads.progress import progress_of
from games.verification import queue
from games.verification.reads import anything_waits
from tests.conftest import NOW
from tests.factories import duels
from tests.games.judging import judge_all, judge_batch
from tests.games.uploading import upload_file
from tests.plans import plans, plans_of
from tests.standing import standing_rows

pytestmark = pytest.mark.django_db
JUDGED, WAITING, PLAYERS = 20_000, 5_000, 20_000
UPLOADS = 40

# Rows without content: only their number matters.
_GAMES = """
INSERT INTO games_game (key, ruleset, verdict, digest, plies, result, ended, received_at, scored, private)
SELECT lpad(to_hex(n), 8, '0'), 'atta-ants-online', 'verified', md5(n::text), 2, '2-1', '', %s, true, false
FROM generate_series(1, %s) AS n
"""
_LOGS = """
INSERT INTO games_movelog (upload_id, number, line, form, data, too_long, state, queued_at, attempts, fence, failure,
                           seats, text, game_digest, record_digest, game_id)
SELECT (%s::uuid[])[n %% %s + 1], %s + n, n, 'text', '', false, %s, %s, (%s = 'judged')::int, 0, '', '[]', '', '', '',
       CASE WHEN %s = 'judged' THEN (SELECT min(id) FROM games_game) + n - 1 END
FROM generate_series(1, %s) AS n
"""
_PLAYERS = """
INSERT INTO games_player (source, name, is_bot, is_pseudonym, created_at)
SELECT '', 'Player ' || n, false, false, %s FROM generate_series(1, %s) AS n
"""
_SEATINGS = """
INSERT INTO games_seating (game_id, seat, letter, player_id, place, sheet)
SELECT game.id, seat, '?', (SELECT min(id) FROM games_player) + (game.id + seat) %% %s, seat + 1, '{}'
FROM games_game AS game, generate_series(0, 1) AS seat
"""
_VERDICTS = """
INSERT INTO games_verdict (log_id, game_id, engine_version, verdict, rule, plies, template, params, judged_at)
SELECT id, game_id, '0', 'verified', '', 2, '', '{}', queued_at FROM games_movelog WHERE state = 'judged'
"""


def run(sql: str, *params: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)


@pytest.fixture(scope="module")
def _archive(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[UUID]]:
    uploads = [uuid4() for _ in range(UPLOADS)]
    with standing_rows(django_db_blocker):
        with django_db_blocker.unblock():
            fill(uploads, NOW)
        yield uploads


def fill(uploads: list[UUID], now: datetime) -> None:
    Upload.objects.bulk_create(Upload(pk=pk, via="api", received_at=now, split_logs=1) for pk in uploads)
    run(_GAMES, now, JUDGED)
    for state, first, count in (("judged", 0, JUDGED), ("waiting", JUDGED, WAITING)):
        run(_LOGS, uploads, UPLOADS, first, state, now, state, state, count)
    run(_VERDICTS)
    run(_PLAYERS, now, PLAYERS)
    run(_SEATINGS, PLAYERS)


@pytest.fixture
def archive(_archive: list[UUID], db: None) -> list[UUID]:
    """Uploads with many logs, most judged, some waiting; the planner's statistics cover only these."""
    run("ANALYZE")
    return _archive


@pytest.mark.full
def test_claiming_reads_only_waiting_logs(archive: list[UUID]) -> None:
    assert plans_of(queue.claim) == []
    assert plans_of(lambda: queue.claim(fresh_first=True)) == []
    assert plans_of(anything_waits) == []
    assert plans_of(lambda: queue.quarantine_lapsed(now=timezone.now())) == []


@pytest.mark.full
def test_abandoned_logs_are_claimed_in_index_order(archive: list[UUID]) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    MoveLog.objects.filter(state="waiting").update(state="running", attempts=1, leased_until=long_ago)
    run("ANALYZE games_movelog")
    assert plans_of(queue.claim) == []
    run("ANALYZE games_movelog")

    chosen = [plan.text for plan in plans(queue.claim) if "ORDER BY attempts" in plan.sql]

    assert len(chosen) == 1
    assert "Index Scan using log_waiting" in chosen[0]
    assert "Sort" not in chosen[0]


@pytest.mark.full
def test_storing_and_counting_never_scan_large_tables(archive: list[UUID], now: datetime) -> None:
    MoveLog.objects.filter(state="waiting").update(state="quarantined", attempts=3)
    upload_file(b"\n".join(duels(20)), via=Upload.Via.API, now=now)
    judge_all(now)
    upload = upload_file(b"\n".join(duels(40)), via=Upload.Via.API, now=now)
    claims = queue.claim()
    assert len(claims) == 40

    assert plans_of(lambda: judge_batch(claims, now)) == []

    upload.refresh_from_db()
    assert plans_of(lambda: progress_of(upload, NOBODY)) == []
    assert upload.done_at == now


@pytest.mark.full
def test_accepting_never_scans_large_tables(archive: list[UUID], alice: User, now: datetime) -> None:
    MoveLog.objects.filter(state="waiting").update(state="quarantined", attempts=3)
    club = Club.objects.create(slug="nest", name="The nest", created_at=now)
    club.organisers.add(alice)
    upload_file(b"\n".join(duels(30)), via=Upload.Via.API, now=now, uploader=alice, options=UploadOptions(club=club))
    judge_all(now)
    with connection.cursor() as cursor:  # the ladder is still empty, and a table of one page may be scanned
        cursor.execute("SET LOCAL enable_seqscan = off")

    assert plans_of(lambda: organising.accept_judged_uploads(now=now, has_time=lambda: True)) == []
    assert Acceptance.objects.count() == 30


@pytest.mark.full
def test_accepting_the_beginning_of_a_long_file_never_scans_large_tables(
    archive: list[UUID], alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(organising, "WINDOW", 10)
    MoveLog.objects.filter(state="waiting").update(state="quarantined", attempts=3)
    club = Club.objects.create(slug="nest", name="The nest", created_at=now)
    club.organisers.add(alice)
    upload_file(b"\n".join(duels(25)), via=Upload.Via.API, now=now, uploader=alice, options=UploadOptions(club=club))
    judge_all(now)
    Upload.objects.filter(club=club).update(state="splitting", done_at=None)
    with connection.cursor() as cursor:  # the ladder is still empty, and a table of one page may be scanned
        cursor.execute("SET LOCAL enable_seqscan = off")

    assert plans_of(lambda: organising.accept_judged_uploads(now=now, has_time=lambda: True)) == []
    assert Acceptance.objects.count() == 20
