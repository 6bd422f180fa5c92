"""Judging many logs together: faster than one by one, with the same results."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import chain, repeat
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.agn.log import Record
from engine.verify import Verdict as EngineVerdict
from engine.verify import verify
from games.models import Confirmation, Game, MoveLog, Player, Seating, Upload, Verdict
from games.uploads.origin import UploadOptions
from games.verification import queue, store
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all, judge_batch
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

MIXED = (
    record("NS@0,2 resign:R 2-1", Site="Casa Formica", Date="2026.03.01"),
    BROKEN,
    record("NS@0,2 *"),
    b'{"\\u0000": 1}\n',
    record("NS@0,2 {sigh} resign:R 2-1", names=("Eve", "Bruno")),
    record("resign:R 1-2"),
    record("NS@0,2 R9:N resign:R 2-1"),
    record(names=('Ad\\\\a \\"the {ant}\\"', "Žofie\u00a0,N")),
)


def waiting(*records: bytes, now: datetime, by: User | None = None, options: UploadOptions | None = None) -> Upload:
    return upload_file(
        b"\n".join(records), via=Upload.Via.API, now=now, uploader=by, options=options or UploadOptions()
    )


def rows() -> list[list[Any]]:
    """Return everything verification writes, except random and volatile numbers."""
    return [
        list(
            Verdict.objects.order_by("log").values_list(
                *("log", "game__logs__number", "engine_version", "verdict", "rule", "line", "column", "ply", "token"),
                *("template", "params", "legal", "plies", "judged_at"),
            )
        ),
        list(
            MoveLog.objects.order_by("pk").values_list(
                *("state", "attempts", "fence", "leased_until", "failure", "seats", "text", "game_digest"),
                *("record_digest", "game__ruleset", "game__verdict", "game__digest", "game__plies", "game__result"),
                *("game__ended", "game__played_from", "game__received_at", "game__scored", "game__private"),
            )
        ),
        list(
            Seating.objects.order_by("game__digest", "game__seating", "seat").values_list(
                *("game__digest", "seat", "letter", "place", "sheet", "player__name", "player__source"),
                *("player__introduced_by", "player__created_at", "player__is_bot"),
            )
        ),
    ]


def after(judge: Callable[[list[queue.Lease]], object]) -> list[list[Any]]:
    """Return the rows after judging everything that waits; then roll back."""
    with transaction.atomic():
        judge(queue.claim())
        found = rows()
        transaction.set_rollback(True)
    return found


def test_batch_stores_the_same_rows_as_single_judging(alice: User, now: datetime) -> None:
    for one in MIXED:
        waiting(one, now=now, by=alice)

    together = after(lambda claims: judge_batch(claims, now))

    assert together == after(lambda claims: [queue.judge(claim, now=now) for claim in claims])
    assert [row[0] for row in together[1]] == ["judged"] * len(MIXED)


def test_games_are_numbered_in_the_order_of_their_logs(now: datetime) -> None:
    waiting(*duels(30), now=now)
    judge_all(now)
    assert list(Game.objects.order_by("pk").values_list("logs__number", flat=True)) == list(range(1, 31))
    assert list(Verdict.objects.order_by("pk").values_list("log__number", flat=True)) == list(range(1, 31))


def test_first_log_of_a_repeated_game_in_a_batch_decides_how_it_is_shown(bob: User, now: datetime) -> None:
    first = waiting(record(), now=now)
    waiting(
        record(names=("Eve", "Bruno")),
        record(),
        now=now + timedelta(hours=1),
        by=bob,
        options=UploadOptions(scored=False),
    )

    judge_all(now)

    game = Game.objects.get(upheld=True)
    assert (game.received_at, game.scored, game.logs.count(), game.verdicts.count()) == (first.received_at, True, 2, 2)
    assert [seating.player.name for seating in game.seatings.order_by("seat")] == ["Ada", "Bruno"]


def test_private_and_public_uploads_in_one_batch_publish_only_the_owners_game(
    alice: User, bob: User, now: datetime
) -> None:
    for account in (alice, bob):
        waiting(record(), now=now, by=account, options=UploadOptions(private=True))
    waiting(record(), now=now, by=alice)
    judge_all(now)
    assert Game.objects.filter(private=True, owner=bob).count() == 1
    assert Game.objects.filter(private=False, owner=None).count() == 1


@pytest.mark.full
def test_upload_in_a_batch_confirms_a_seat_of_an_existing_game(alice: User, bob: User, now: datetime) -> None:
    waiting(record("NS@0,2 resign:R 2-1"), now=now, by=bob)
    judge_all(now)
    give_seat(Game.objects.get(), 0, alice, now)
    waiting(*duels(3), now=now + timedelta(days=1), by=bob)
    waiting(*duels(3), now=now + timedelta(days=1), by=alice)

    judge_all(now)

    words = Confirmation.objects.values_list("seat", "account", "how", "game__verdict")
    assert list(words) == [(0, alice.pk, "upload", "verified")] * 3


def test_log_with_an_expired_lease_is_left_out_of_its_batch(now: datetime) -> None:
    waiting(*duels(5), now=now)
    claims = queue.claim()
    MoveLog.objects.filter(number=3).update(fence=7)

    assert judge_batch(claims, now) == 4

    assert list(MoveLog.objects.filter(state="judged").order_by("number").values_list("number", flat=True)) == [
        1,
        2,
        4,
        5,
    ]
    assert (Game.objects.count(), Verdict.objects.count(), MoveLog.objects.get(number=3).state) == (4, 4, "running")


def test_batch_failing_while_storing_is_rolled_back_and_retried(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no room")

    waiting(*duels(5), now=now)
    with monkeypatch.context() as broken:
        broken.setattr(store, "_verdict", fail)
        assert judge_batch(queue.claim(), now) == 0
    assert (Game.objects.count(), Player.objects.count(), Seating.objects.count(), Verdict.objects.count()) == (0,) * 4
    assert set(MoveLog.objects.values_list("state", "attempts", "failure")) == {
        ("waiting", 1, "Verification failed: MemoryError.")
    }

    judge_all(now)
    assert (Game.objects.count(), set(MoveLog.objects.values_list("state", "failure"))) == (5, {("judged", "")})


def test_log_that_cannot_be_judged_is_put_back_without_stopping_others(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poisoned(log: Record) -> EngineVerdict:
        if log.game == 2:
            raise RecursionError("too deep")
        return verify(log)

    monkeypatch.setattr(queue, "verify", poisoned)
    waiting(*duels(4), now=now)

    assert judge_batch(queue.claim(), now) == 3

    log = MoveLog.objects.get(number=2)
    assert (log.state, log.attempts, log.failure) == ("waiting", 1, "Verification failed: RecursionError.")
    assert [claim.log for claim in queue.claim()] == [log]


def test_a_batch_takes_a_bounded_number_of_statements(now: datetime) -> None:
    def statements(*records: bytes) -> int:
        waiting(*records, now=now)
        with CaptureQueriesContext(connection) as queries:
            while claims := queue.claim():
                judge_batch(claims, now)
        return len(queries)

    many = list(duels(320))
    few = statements(*many[:20], BROKEN)
    assert statements(*many[20:220], *[BROKEN] * 20) <= few <= 30
    again = statements(*many[:100], *many[220:])
    assert again <= few + 6


def test_slow_log_returns_the_rest_of_its_batch_to_the_queue(now: datetime) -> None:
    waiting(*duels(5), now=now)
    clock = chain([0.2, 0.4], repeat(3.0))

    assert queue.judge_together(queue.claim(), now=now, spent=lambda: next(clock)) == 3

    left = MoveLog.objects.exclude(state="judged").order_by("number").values_list("number", "state", "attempts")
    assert list(left) == [(4, "waiting", 0), (5, "waiting", 0)]


def test_slow_single_storing_returns_the_rest_of_its_batch(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting(*duels(4), now=now)
    judge_all(now)
    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    queue.queue_again()

    assert judge_batch(queue.claim(), now, spent=queue.READING) == 4
    monkeypatch.setattr(queue, "ENGINE_VERSION", "latest")
    queue.queue_again()
    clock = chain([0.0] * 3, repeat(9.0))
    assert queue.judge_together(queue.claim(), now=now, spent=lambda: next(clock)) == 1
    assert set(MoveLog.objects.filter(state="waiting").values_list("attempts", flat=True)) == {0}


def test_batch_is_limited_by_bytes(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    games = list(duels(5))
    monkeypatch.setattr(queue, "BATCH_BYTES", 2 * len(games[0]) + 50)
    waiting(record("NS@0,2 resign:R 2-1", Event="long " * 200), *games, now=now)

    assert [claim.log.number for claim in queue.claim()] == [1]
    assert [claim.log.number for claim in queue.claim()] == [2, 3]


def test_retried_batch_does_not_delay_fresh_logs(now: datetime) -> None:
    waiting(*duels(3), now=now)
    queue.claim()
    MoveLog.objects.update(attempts=2, leased_until=timezone.now() - timedelta(seconds=1))
    one = waiting(record(), now=now).logs.get()

    turns = [queue.claim(fresh_first=fresh_first) for fresh_first in (False, True, True)]

    assert [[(claim.log.number, claim.attempt) for claim in claims] for claims in turns] == [
        [(1, 3)],
        [(1, 1)],
        [(2, 3)],
    ]
    assert turns[1][0].log == one


@pytest.mark.django_db(transaction=True)
def test_concurrent_batches_of_the_same_games_neither_deadlock_nor_store_twice(
    now: datetime,
) -> None:
    games = [*duels(30), *list(duels(60, ("Cleo", "Dora")))[30:]]
    uploads = [waiting(*games, now=now), waiting(*reversed(games), now=now)]
    claims = queue.claim()
    mine = [[claim for claim in claims if claim.log.upload_id == upload.pk] for upload in uploads]
    together = Barrier(2)

    def work(batch: list[queue.Lease]) -> int:
        try:
            together.wait()
            return judge_batch(batch, now)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        assert list(workers.map(work, mine)) == [60, 60]
    assert (Game.objects.count(), Player.objects.count(), Seating.objects.count()) == (60, 4, 120)
    assert set(MoveLog.objects.values_list("state", "attempts")) == {("judged", 1)}
