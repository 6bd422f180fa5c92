"""The ledger at scale and under concurrency: game-by-game results equal a recomputation, byte for byte."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from random import Random

import psycopg
import pytest
from django.db import connection, transaction

from games.audit.check import Audit
from games.corrections.rerating import Instruction, order_annulment, perform, perform_waiting
from games.models import Acceptance, Club, Correction, RatingEvent, Standing
from games.ratings.acceptance import accept_due
from games.ratings.sequence import lock_order
from tests.games.fabricated import evenings, fabricate
from tests.tiers import by_tier

ROUNDS = by_tier(quick=2, long=10)
pytestmark = pytest.mark.django_db(transaction=True)


def flaws() -> list[str]:
    with transaction.atomic():
        return [str(flaw) for flaw in Audit().run()]


def club(games: int, players: int, seed: int = 1, first: int = 0) -> None:
    fabricate(evenings(games, players, Random(seed)), players, first=first)


def at_once(work: Callable[[int], None], workers: int) -> None:
    """Run work in several threads at once, each with its own connection."""
    start = threading.Barrier(workers)

    def one(number: int) -> None:
        try:
            start.wait()
            work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, range(workers)))


def accept_all(now: datetime) -> None:
    while accept_due(now=now, watch=False):
        pass


def gapless() -> list[int | None]:
    numbers = list(Acceptance.objects.filter(number__isnull=False).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    return numbers


@pytest.mark.full
def test_thousands_of_games_with_annulments_match_a_recomputation(now: datetime) -> None:
    """The ladders of the site and nine clubs share players; each round rates a thousand games and annuls fifty."""
    random = Random(7)
    clubs = [None, *[Club.objects.create(slug=f"l{one}", name=f"L{one}", created_at=now) for one in range(9)]]
    for part in range(ROUNDS):
        for number, club in enumerate(clubs):
            fabricate(evenings(100, 400, random), 400, first=1000 * part + 100 * number, club=club)
        assert accept_due(now=now + timedelta(hours=part), watch=False) == 1000
        for game in random.sample(list(Acceptance.objects.filter(counts=True)), 50):
            order_annulment(game, Instruction(None, "a joke", now))
        perform_waiting(now=now + timedelta(hours=part, minutes=30))

    assert Correction.objects.filter(order__isnull=False).count() == 50 * ROUNDS
    assert RatingEvent.objects.filter(correction__isnull=False).count() > 200 * ROUNDS
    assert flaws() == []


@pytest.mark.full
def test_acceptances_from_eight_threads_make_one_sequence_without_gaps(now: datetime) -> None:
    club(400, 40)

    def work(number: int) -> None:
        while Acceptance.objects.filter(number=None).exists():
            accept_due(now=now + timedelta(seconds=number), wait=bool(number % 2), watch=False)

    at_once(work, 8)

    assert len(gapless()) == 400
    assert RatingEvent.objects.filter(correction=None).values("number").distinct().count() == 400
    assert flaws() == []


@pytest.mark.full
def test_corrections_during_acceptance_keep_the_ledger_consistent(now: datetime) -> None:
    club(300, 20)
    accept_all(now)
    for game in Acceptance.objects.order_by("?")[:20]:
        order_annulment(game, Instruction(None, "a joke", now))
    for part in range(4):
        club(10, 20, seed=part, first=1000 + 10 * part)

    def work(number: int) -> None:
        if number % 2:
            while Correction.objects.filter(order=None).exists():
                perform_waiting(now=now)
        for part in range(3):
            club_lock.acquire()
            club(5, 20, seed=100 * number + part, first=2000 + 100 * number + 10 * part)
            club_lock.release()
            accept_due(now=now, watch=False)

    club_lock = threading.Lock()
    at_once(work, 4)
    accept_all(now)

    assert len(gapless()) == 300 + 40 + 4 * 3 * 5
    assert list(Correction.objects.order_by("order").values_list("order", flat=True)) == list(range(1, 21))
    assert flaws() == []


def test_concurrent_workers_perform_a_correction_once(now: datetime) -> None:
    club(60, 8)
    accept_all(now)
    correction = order_annulment(Acceptance.objects.get(number=5), Instruction(None, "a joke", now))
    done: list[bool] = []

    at_once(lambda _: done.append(perform(correction, now=now)), 4)

    assert sorted(done) == [False, False, False, True]
    assert flaws() == []


@pytest.mark.full
def test_crashed_correction_is_rolled_back_and_performed_by_the_next_run(now: datetime) -> None:
    club(200, 12)
    accept_all(now)
    before = list(RatingEvent.objects.order_by("id").values()), list(Standing.objects.order_by("id").values())
    correction = order_annulment(Acceptance.objects.get(number=5), Instruction(None, "a joke", now))

    with pytest.raises(psycopg.errors.AdminShutdown):
        perform_and_crash(correction, now)
    connection.close()

    assert (list(RatingEvent.objects.order_by("id").values()), list(Standing.objects.order_by("id").values())) == before
    assert perform_waiting(now=now) == 1
    assert flaws() == []


@transaction.atomic
def perform_and_crash(correction: Correction, now: datetime) -> None:
    """Lose the connection after everything is written and before the commit, as when a server goes down."""
    perform(correction, now=now)
    assert RatingEvent.objects.filter(correction=correction).exists()
    raw = connection.connection
    with psycopg.connect(raw.info.dsn, password=raw.info.password, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [raw.info.backend_pid])
    raw.execute("SELECT 1")


def test_worker_without_waiting_leaves_acceptance_to_the_lock_holder(now: datetime) -> None:
    club(3, 8)
    held, done = threading.Event(), threading.Event()

    def work(number: int) -> None:
        if number:
            held.wait(10)
            assert accept_due(now=now, wait=False, watch=False) == 0
            done.set()
            return
        with transaction.atomic():
            lock_order()
            held.set()
            done.wait(10)

    at_once(work, 2)

    assert accept_due(now=now, wait=False, watch=False) == 3
