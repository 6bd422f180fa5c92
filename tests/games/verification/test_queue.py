"""Claiming, judging, storing."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone

from engine.verify import ENGINE_VERSION
from games.models import Game, MoveLog, Player, RatingEvent, Seating, Upload, Verdict
from games.records.reads.games import find_game
from games.records.reads.visibility import NOBODY
from games.verification import queue
from tests.factories import BROKEN, SETUP, duels, record
from tests.games.judging import count_all, judge_batch
from tests.games.uploading import upload_file

IN_MIRROR = "ES NESW* W NESW* ESW* NE NESW NW"
"""The ring of the test records with west for east."""

pytestmark = pytest.mark.django_db


def judged(data: bytes, now: datetime) -> MoveLog:
    """Upload a file and judge all of it; return its first log."""
    upload = upload_file(data, via=Upload.Via.API, now=now)
    count_all(now)
    log = upload.logs.select_related("game").get(number=1)
    assert log.state == "judged"
    return log


def lapse(log: MoveLog) -> None:
    """Let a log's lease expire."""
    MoveLog.objects.filter(pk=log.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_verified_game_seats_its_players_with_their_places(now: datetime) -> None:
    game = judged(record("NS@0,2 resign:R 2-1", Date="2026.03.01", Site="Casa Formica"), now).game

    assert game is not None
    assert (game.verdict, game.ruleset, game.plies, game.result) == ("verified", "atta-ants-online", 2, "2-1")
    assert (game.ended, str(game.played_on), game.received_at) == ("ATTA-LEAVE-1", "2026-03-01", now)
    seats = [(seating.letter, seating.player.name, seating.place) for seating in game.seatings.order_by("seat")]
    assert seats == [("R", "Ada", 2), ("Y", "Bruno", 1)]
    assert set(Player.objects.values_list("source", flat=True)) == {"Casa Formica"}


@pytest.mark.parametrize(
    ("moves", "termination"),
    [
        ("NS@0,2 resign:R 2-1", "resigned"),
        ("NS@0,2 timeout:R 2-1", "timed_out"),
        ("NS@0,2 draw 1-1", "agreed"),
        ("NS@0,2 *", ""),
    ],
)
def test_a_game_says_how_it_ended(moves: str, termination: str, now: datetime) -> None:
    game = judged(record(moves), now).game

    assert game is not None
    assert game.termination == termination


def test_mirrored_game_has_the_same_likeness_and_a_rejected_one_none(now: datetime) -> None:
    plain = record("NS@0,2 R1:E resign:R 2-1")
    mirrored = record("NS@0,2 Y1:W resign:Y 2-1", seats="Y B").replace(SETUP.encode(), IN_MIRROR.encode())

    found = [judged(data, now).game for data in (plain, mirrored, record("NS@0,2 R1:W resign:R 2-1"), BROKEN)]

    digests, likenesses = ([getattr(game, name) for game in found] for name in ("digest", "likeness"))
    assert len(set(digests)) == 4
    assert len(likenesses[0]) == 64
    assert likenesses[0] == likenesses[1] != likenesses[2]
    assert likenesses[3] == ""


def test_older_game_gets_termination_and_likeness_when_judged_again(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = judged(record("NS@0,2 resign:R 2-1"), now).game
    assert game is not None
    Game.objects.update(termination="", likeness="")

    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    queue.queue_again()
    count_all(now)

    after = Game.objects.get()
    assert (after.termination, after.likeness) == ("resigned", game.likeness)


def test_an_unfinished_game_has_seats_without_places_and_is_not_rated(now: datetime) -> None:
    game = judged(record("NS@0,2 *"), now).game

    assert game is not None
    assert (game.verdict, game.result) == ("unfinished", "*")
    assert [seating.place for seating in game.seatings.all()] == [None, None]
    assert not RatingEvent.objects.exists()


def test_rejected_record_has_a_rule_and_position_but_no_seats(now: datetime) -> None:
    log = judged(BROKEN, now)

    verdict = log.verdicts.get()
    assert (verdict.verdict, verdict.rule, verdict.line, verdict.column) == ("rejected", "ATTA-MOVE-1", 9, 18)
    assert (verdict.ply, verdict.token, verdict.engine_version) == (3, "R1:E", ENGINE_VERSION)
    assert verdict.sentence == "Ant R1 has already moved this turn."
    assert log.game is not None
    assert log.game.digest is None
    assert log.names == {"R": "Ada", "Y": "Bruno"}
    assert not Player.objects.exists()


def test_fault_line_is_counted_in_the_whole_file(now: datetime) -> None:
    log = judged(record() + b"\n" + BROKEN, now)

    verdict = Verdict.objects.get(log__upload=log.upload, verdict="rejected")
    assert (verdict.log.number, verdict.line) == (2, 19)


def test_repeated_game_with_other_names_is_linked_to_the_first(now: datetime) -> None:
    first = judged(record("NS@0,2 resign:R 2-1"), now)
    again = judged(record("NS@0,2 {sigh} resign:R 2-1", names=("Eve", "Bruno")), now)

    assert again.game
    assert first.game
    assert again.game.same_as == first.game
    assert list(Game.objects.filter(same_as=None)) == [first.game]
    assert again.names == {"R": "Eve", "Y": "Bruno"}
    assert set(first.game.seatings.values_list("player__name", flat=True)) == {"Ada", "Bruno"}
    assert Verdict.objects.count() == 2
    assert RatingEvent.objects.count() == 2


def test_a_claim_counts_its_attempt_before_the_work(now: datetime) -> None:
    log = upload_file(record(), via=Upload.Via.API, now=now).logs.get()

    assert [claim.attempt for claim in queue.claim()] == [1]
    log.refresh_from_db()
    assert (log.state, log.attempts) == ("running", 1)
    assert queue.claim() == []


def test_queue_alternates_between_uploads(now: datetime) -> None:
    many = upload_file(b"\n".join(duels(20)), via=Upload.Via.API, now=now)
    one = upload_file(record(), via=Upload.Via.API, now=now)

    claimed = [claim.log for claim in queue.claim()]

    assert [log.upload for log in claimed[:3]] == [many, one, many]


def test_abandoned_logs_are_claimed_in_small_batches_and_finally_alone(now: datetime, settings: Any) -> None:
    settings.VERIFICATION_BATCH = 4 * queue.PART
    upload = upload_file(b"\n".join(duels(5)), via=Upload.Via.API, now=now)
    claimed = []
    for _ in range(queue.ATTEMPTS):
        claimed.append([(claim.log.number, claim.attempt) for claim in queue.claim()])
        for log in upload.logs.filter(state="running"):
            lapse(log)

    assert claimed == [[(number, 1) for number in range(1, 6)], [(number, 2) for number in range(1, 5)], [(5, 2)]]
    assert [(claim.log.number, claim.attempt) for claim in queue.claim()] == [(1, 3)]


@pytest.mark.full
def test_five_thousand_abandoned_logs_need_few_claims(now: datetime) -> None:
    for _ in range(10):
        upload_file(b"\n".join(duels(500)), via=Upload.Via.API, now=now)
    MoveLog.objects.update(state="running", attempts=1, fence=1, leased_until=now)

    claims = 0
    while claimed := queue.claim():
        claims += 1
        MoveLog.objects.filter(pk__in=[claim.log.pk for claim in claimed]).update(state="held")

    assert claims <= 1 + 5000 // (1000 // queue.PART)


def test_record_that_kills_workers_is_quarantined_alone(now: datetime, settings: Any) -> None:
    settings.VERIFICATION_BATCH = 2 * queue.PART
    upload = upload_file(b"\n".join(duels(20)), via=Upload.Via.API, now=now)
    while claims := queue.claim():
        if any(claim.log.number == 7 for claim in claims):
            MoveLog.objects.filter(pk__in=[claim.log.pk for claim in claims]).update(leased_until=now)  # it has died
        else:
            judge_batch(claims, now)
    queue.quarantine_lapsed(now=now)

    assert set(upload.logs.exclude(number=7).values_list("state", flat=True)) == {"judged"}
    killer = upload.logs.get(number=7)
    assert (killer.state, killer.failure) == ("quarantined", "None of 3 attempts to verify it came to an end.")


def test_verdict_of_a_late_worker_is_ignored(now: datetime) -> None:
    log = upload_file(record(), via=Upload.Via.API, now=now).logs.get()
    [late] = queue.claim()
    lapse(log)
    [current] = queue.claim()

    assert not queue.judge(late, now=now)
    assert queue.judge(current, now=now)
    assert not queue.judge(current, now=now)
    assert (Verdict.objects.count(), Game.objects.count(), Seating.objects.count()) == (1, 1, 2)


def test_log_is_quarantined_after_three_unfinished_attempts(now: datetime) -> None:
    log = upload_file(record(), via=Upload.Via.API, now=now).logs.get()
    for _ in range(queue.ATTEMPTS):
        assert queue.claim()
        lapse(log)

    assert queue.claim() == []
    assert queue.quarantine_lapsed(now=now) == 1
    log.refresh_from_db()
    assert (log.state, log.failure) == ("quarantined", "None of 3 attempts to verify it came to an end.")


def test_failed_log_is_put_back_with_its_error(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(queue, "verify", fail)
    log = upload_file(record(), via=Upload.Via.API, now=now).logs.get()
    for _ in range(queue.ATTEMPTS):
        [claim] = queue.claim()
        with pytest.raises(MemoryError):
            queue.judge(claim, now=now)

    log.refresh_from_db()
    assert (log.state, log.failure) == ("quarantined", "Verification failed: MemoryError.")


def test_a_later_engine_adds_its_verdict(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    log = judged(record("NS@0,2 resign:R 2-1"), now)
    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")

    assert queue.queue_again() == 1
    [claim] = queue.claim()
    assert queue.judge(claim, now=now)

    assert list(log.verdicts.order_by("pk").values_list("engine_version", flat=True)) == [ENGINE_VERSION, "later"]
    assert Game.objects.get().verdict == "verified"
    assert queue.queue_again() == 0


def test_a_later_engine_may_find_a_rejected_game_legal(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    log = judged(BROKEN, now)
    address = log.game.get_absolute_url() if log.game else ""
    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    MoveLog.objects.update(data=record("NS@0,2 resign:R 2-1"))  # stands for rules under which the text is legal
    queue.queue_again()

    [claim] = queue.claim()
    assert queue.judge(claim, now=now)

    game = Game.objects.get()
    assert (game.get_absolute_url(), game.verdict) == (address, "verified")
    assert game.seatings.count() == 2


def test_two_rejected_logs_can_become_one_game_under_a_later_engine(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = judged(BROKEN, now), judged(BROKEN, now)
    assert first.game
    assert second.game
    assert first.game != second.game
    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    MoveLog.objects.update(data=record("NS@0,2 resign:R 2-1"))  # stands for rules under which the text is legal
    queue.queue_again()
    count_all(now)

    assert find_game(second.game.key, NOBODY) == find_game(first.game.key, NOBODY) == first.game
    assert first.game.logs.count() == 2
    assert RatingEvent.objects.count() == 2


def test_worker_paused_before_a_requeue_stores_nothing(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    upload_file(record(), via=Upload.Via.API, now=now)
    [paused] = queue.claim()
    lapse(paused.log)
    [current] = queue.claim()
    assert queue.judge(current, now=now)
    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    queue.queue_again()
    [again] = queue.claim()

    assert again.attempt == paused.attempt
    assert not queue.judge(paused, now=now)
    assert queue.judge(again, now=now)


def test_log_put_back_does_not_lose_an_attempt(now: datetime) -> None:
    log = upload_file(record(), via=Upload.Via.API, now=now).logs.get()

    queue.put_back(queue.claim())

    log.refresh_from_db()
    assert (log.state, log.attempts) == ("waiting", 0)


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800"])
def test_record_the_database_cannot_store_is_rejected_instead_of_quarantined(now: datetime, escape: str) -> None:
    log = judged(b'{"%s": 1}' % escape.encode(), now)

    assert log.verdicts.get().rule == "AGN-FILE-1"


@pytest.mark.parametrize("table", ["games_verdict", "games_ratingevent"])
@pytest.mark.parametrize("change", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_verdicts_and_ratings_are_never_changed(now: datetime, table: str, change: str) -> None:
    judged(record("NS@0,2 resign:R 2-1"), now)
    connection.check_constraints()  # deferred constraints would prevent truncating the table

    with (
        pytest.raises(ProgrammingError, match=f"{table} is append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(change.format(table))


def test_seat_stores_the_round_in_which_it_left(now: datetime) -> None:
    judged(record("NS@0,2 R1:N timeout:R 2-1"), now)
    assert list(Seating.objects.order_by("seat").values_list("left_in", flat=True)) == [1, None]


def test_seat_stores_its_final_score_sheet(now: datetime) -> None:
    judged(record("NS@0,2 resign:R 2-1"), now)
    assert [seating.sheet for seating in Seating.objects.order_by("seat")] == [
        {"in play": 0, "at home": 6, "eaten": 0},
        {"in play": 2, "at home": 4, "eaten": 0},
    ]
