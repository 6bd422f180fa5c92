"""The order of acceptance, the ledger and the ladder."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from django.db import connection, transaction

from engine.rating import Rating, rate
from games.models import Acceptance, Game, RatingEvent, Standing, Upload
from games.ratings.acceptance import accept_due, make_due
from games.ratings.sequence import lock_order
from games.verification import queue
from tests.factories import duels, record
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file


@pytest.mark.django_db
def test_games_are_rated_in_the_order_of_acceptance(now: datetime) -> None:
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now)

    count_all(now)

    ratings = [Rating(), Rating()]
    for number in (1, 2, 3):
        ratings = rate(ratings, [2, 1])
        events = RatingEvent.objects.filter(number=number).order_by("seat")
        assert [(event.mu, event.sigma) for event in events] == [(rating.mu, rating.sigma) for rating in ratings]
    assert list(Standing.objects.order_by("-value").values_list("player__name", "wins", "losses")) == [
        ("Bruno", 3, 0),
        ("Ada", 0, 3),
    ]


@pytest.mark.django_db
def test_each_edition_has_a_ladder_of_its_own(now: datetime) -> None:
    upload_file(record() + b"\n" + record(rules="2003"), via=Upload.Via.API, now=now)

    count_all(now)

    assert set(Standing.objects.values_list("ladder__ruleset", "games")) == {
        ("atta-ants-online", 1),
        ("atta-ants-2003", 1),
    }


@pytest.mark.django_db
def test_draw_of_two_players_is_not_a_win(now: datetime) -> None:
    upload_file(record("draw 1-1"), via=Upload.Via.API, now=now)

    count_all(now)

    counts = Standing.objects.values_list("wins", "draws", "losses", "first", "second", "beaten")
    assert list(counts) == [(0, 1, 0, 1, 0, 6)] * 2


@pytest.mark.django_db(transaction=True)
def test_acceptances_at_the_same_time_make_one_sequence_without_gaps(now: datetime) -> None:
    upload_file(b"\n".join(duels(40)), via=Upload.Via.API, now=now)

    def work(_: int) -> None:
        try:
            judge_all(now)
            while accept_due(now=now, watch=False):
                pass
        finally:
            connection.close()

    judge_all(now)
    make_due(Game.objects.order_by("pk"), now=now)
    with ThreadPoolExecutor(4) as workers:
        list(workers.map(work, range(4)))

    in_order = Acceptance.objects.order_by("number").values_list("number", flat=True)
    assert list(in_order) == list(range(1, 41))
    assert Standing.objects.get(player__name="Ada").games == 40
    assert_ledger_holds()


def assert_ledger_holds() -> None:
    """Assert that every event continues the player's last one and that the ladder matches the ledger."""
    last: dict[int, tuple[float, float]] = {}
    fresh = Rating()
    for event in RatingEvent.objects.order_by("number", "seat"):
        assert (event.mu_before, event.sigma_before) == last.get(event.player_id, (fresh.mu, fresh.sigma))
        last[event.player_id] = event.mu, event.sigma
    assert {standing.player_id: (standing.mu, standing.sigma) for standing in Standing.objects.all()} == last


@pytest.mark.django_db(transaction=True)
def test_games_wait_while_another_transaction_rates(now: datetime) -> None:
    upload_file(b"\n".join(duels(2)), via=Upload.Via.API, now=now)
    judge_all(now)
    make_due(Game.objects.order_by("pk"), now=now)

    def work() -> int:
        try:
            return accept_due(now=now, wait=False)
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as other:
        lock_order()
        assert other.submit(work).result() == 0
    assert accept_due(now=now) == 2


@pytest.mark.django_db(transaction=True)
def test_same_game_uploaded_concurrently_is_stored_once(now: datetime) -> None:
    for _ in range(12):
        upload_file(record(), via=Upload.Via.API, now=now)
    claims = queue.claim()
    assert len(claims) == 12

    def work(claim: queue.Lease) -> bool:
        try:
            return queue.judge(claim, now=now)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        assert all(workers.map(work, claims))

    assert Game.objects.get().logs.count() == 12
