"""A game counts when all who sat there say so, each by an account of his own, and by nothing else."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from time import sleep

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from games.consent import confirmations
from games.consent.confirmations import LAPSES_AFTER, confirm, withdraw
from games.consent.privacy import hide
from games.consent.reads.eligibility import consent_of
from games.models import Confirmation, Game, RatingEvent
from games.ratings.acceptance import accept_due
from games.run import rate_waiting
from tests.games.consent.asking import DAY, due, handed_in, state, why
from tests.games.seats import give_seat

pytestmark = pytest.mark.django_db


def test_a_game_is_due_when_the_last_seat_has_confirmed(game: Game, alice: User, bob: User, now: datetime) -> None:
    assert (confirm(game, alice, now=now).state, due(game)) == ("partly", False)
    assert (confirm(game, bob, now=now).state, due(game)) == ("confirmed", True)
    rate_waiting(now=now)
    assert RatingEvent.objects.count() == 2


def test_a_word_binds_digest_seat_and_ruleset_and_has_its_time(game: Game, alice: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    word = Confirmation.objects.get()
    assert (word.digest, word.ruleset, word.seat, word.account) == (game.digest, "atta-ants-online", 0, alice)
    assert (word.how, word.at, word.until) == ("explicit", now, now + LAPSES_AFTER)


def test_who_says_it_again_has_said_it_once_for_longer(game: Game, alice: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    confirm(game, alice, now=now + DAY)
    word = Confirmation.objects.get()
    assert (word.at, word.until) == (now, now + DAY + LAPSES_AFTER)


def test_a_word_lapses_after_a_fortnight(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    late = now + LAPSES_AFTER
    assert state(game, late - timedelta(seconds=1)) == "partly"
    assert state(game, late) == "pending"
    assert (confirm(game, bob, now=late).state, due(game)) == ("partly", False)
    assert (confirm(game, alice, now=late).state, due(game)) == ("confirmed", True)


def test_no_word_lapses_once_the_game_is_due(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    late = now + LAPSES_AFTER + DAY
    confirmations.settle(game, now=late)
    assert (state(game, late), due(game)) == ("confirmed", True)


def test_a_word_does_not_outlive_a_change_of_the_game(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    Game.objects.filter(pk=game.pk).update(digest="0" * 64)
    assert state(game, now) == "pending"
    confirm(game, bob, now=now)
    assert not due(game)


def test_a_word_does_not_outlive_the_claim(game: Game, alice: User, bob: User, mallory: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    player = game.seatings.get(seat=0).player
    player.account = mallory
    player.save()
    assert (confirm(game, bob, now=now).state, due(game)) == ("partly", False)
    assert next(seat.confirmation for seat in consent_of(game, now=now).seats) is None


def test_taking_a_word_back_undoes_what_is_due(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    assert (withdraw(game, bob, now=now).state, due(game)) == ("partly", False)
    rate_waiting(now=now)
    assert not RatingEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("word", [withdraw, hide])
def test_a_word_taken_back_while_the_game_gets_its_place_comes_too_late(
    word: Callable[..., object], alice: User, bob: User, now: datetime
) -> None:
    """The place is given and not yet to be seen, when the word is taken back."""
    game = handed_in(now, by=alice)
    for seat, account in enumerate((alice, bob)):
        give_seat(game, seat, account, now)
        confirm(game, account, now=now)

    def take_back() -> str:
        try:
            return why(lambda: word(game, alice, now=now))[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as others:
        with transaction.atomic():
            accept_due(now=now)
            too_late = others.submit(take_back)
            until_somebody_waits()
        assert too_late.result(timeout=20) in ("counted", "counts")
    game.refresh_from_db()
    assert not game.private
    assert game.confirmations.filter(withdrawn_at=None).count() == 2


def until_somebody_waits() -> None:
    """Returns when another connection waits for a lock that this one holds."""
    with connection.cursor() as cursor:
        for _ in range(1000):
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
            sleep(0.01)
    pytest.fail("nobody waits")
