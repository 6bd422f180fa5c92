"""The last player to confirm does not wait for the ratings of others, however many are due."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Thread
from time import sleep
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from games import run
from games.holds import thresholds
from games.models import Acceptance, Game, Ladder, Player, RatingEvent, Upload
from games.ratings import acceptance
from games.ratings.acceptance import FEW, accept_few, make_due
from tests.factories import duels, record
from tests.games.consent.asking import uploaded_game
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file


@pytest.fixture(autouse=True)
def _nothing_is_unusual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeated pairings are not flagged here: these tests are about the number of due games."""
    for threshold in ("PAIRINGS_A_DAY", "PAIRINGS_A_MONTH", "FARMED", "RECEIVED"):
        monkeypatch.setattr(thresholds, threshold, 10**6)


def backlog(count: int, now: datetime, *, ladder: Ladder | None = None) -> None:
    """Add due games of others, on the ladder of their ruleset or on another."""
    others = upload_file(b"\n".join(duels(count, ("Cleo", "Dora"))), via=Upload.Via.API, now=now)
    judge_all(now)
    games = Game.objects.filter(logs__upload=others).order_by("pk")
    if ladder:
        Acceptance.objects.bulk_create(Acceptance(game=game, ladder=ladder, due_at=now) for game in games)
    else:
        make_due(games, now=now)


def confirmed_by_all(alice: User, bob: User, now: datetime) -> tuple[Game, Client]:
    """Return a game that Alice has uploaded and Bob confirms on its page."""
    game = uploaded_game(now, text=record("NS@0,2 resign:R 2-1"), by=alice)
    for seat, user in enumerate((alice, bob)):
        give_seat(game, seat, user, now)
    clients = []
    for user in (alice, bob):
        client = Client()
        client.force_login(user)
        assert client.post(f"/games/{game.key}/confirm/").status_code == 303
        clients.append(client)
    return game, clients[1]


def places(game: Game) -> list[int | None]:
    return list(Acceptance.objects.filter(game=game).values_list("number", flat=True))


@pytest.mark.full
@pytest.mark.django_db
def test_confirmation_rates_its_ladder_despite_a_backlog_on_others(alice: User, bob: User, now: datetime) -> None:
    backlog(60, now, ladder=Ladder.objects.create(ruleset="ant-trails"))
    game, _ = confirmed_by_all(alice, bob, now)

    assert places(game) == [1]
    assert RatingEvent.objects.count() == 2
    assert Acceptance.objects.filter(number=None).count() == 60


@pytest.mark.full
@pytest.mark.django_db
def test_confirmation_leaves_a_long_backlog_to_the_worker(alice: User, bob: User, now: datetime) -> None:
    backlog(FEW + 40, now)
    game, client = confirmed_by_all(alice, bob, now)

    assert places(game) == [None]
    assert not RatingEvent.objects.exists()
    assert client.get(f"/games/{game.key}/").status_code == 200

    run.rate_waiting(now=timezone.now)
    assert places(game) == [FEW + 41]


@pytest.mark.full
@pytest.mark.django_db
def test_short_backlog_is_rated_in_due_order_with_the_confirmed_game(alice: User, bob: User, now: datetime) -> None:
    backlog(FEW - 1, now)
    game, _ = confirmed_by_all(alice, bob, now)

    assert places(game) == [FEW]


@contextmanager
def standings_held() -> Iterator[None]:
    """Let another transaction lock the table of standings meanwhile."""
    held, over = Event(), Event()

    def hold() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE games_standing IN ACCESS EXCLUSIVE MODE")
            held.set()
            over.wait(30)
        connection.close()

    other = Thread(target=hold)
    other.start()
    held.wait(30)
    try:
        yield
    finally:
        over.set()
        other.join()


@pytest.mark.django_db(transaction=True)
def test_slow_immediate_rating_is_rolled_back(now: datetime) -> None:
    backlog(3, now)
    with standings_held():
        assert accept_few(Ladder.objects.get().pk, now=now, within=0.1) == 0

    assert not Acceptance.objects.exclude(number=None).exists()
    assert acceptance.accept_due(now=now) == 3


@pytest.mark.django_db
def test_immediate_rating_stops_when_many_short_statements_take_too_long(now: datetime) -> None:
    backlog(3, now)
    asked = []

    def slowly(execute: Any, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        sleep(0.03)
        return execute(sql, *rest)

    with connection.execute_wrapper(slowly):
        assert accept_few(Ladder.objects.get().pk, now=now, within=0.1) == 0
    assert len(asked) < 10
    assert not Acceptance.objects.exclude(number=None).exists()
    assert acceptance.accept_due(now=now) == 3


@pytest.mark.django_db
def test_immediate_rating_without_time_rates_nothing(now: datetime) -> None:
    backlog(FEW + 40, now)
    assert accept_few(Ladder.objects.get().pk, now=now, within=0.0001) == 0


@pytest.mark.django_db(transaction=True)
def test_immediate_rating_without_the_lock_leaves_it_to_the_worker(now: datetime) -> None:
    backlog(3, now)
    with standings_held(), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = 10")
        assert accept_few(Ladder.objects.get().pk, now=now, within=20) == 0
        cursor.execute("RESET lock_timeout")
    assert acceptance.accept_due(now=now) == 3


@pytest.mark.django_db
def test_approved_claim_rates_the_games_it_makes_due(alice: User, bob: User, now: datetime) -> None:
    backlog(60, now, ladder=Ladder.objects.create(ruleset="ant-trails"))
    game = uploaded_game(now, text=record("NS@0,2 resign:R 2-1"), by=alice)
    make_due([game], now=now)
    player = Player.objects.get(name="Bruno")

    assert run.rate_at_once_of(player.pk, now=now) == 1
    assert run.rate_at_once_of(Player.objects.get(name="Cleo").pk, now=now) == 0
    assert places(game) == [1]
