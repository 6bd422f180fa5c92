"""A game is due when all its players have confirmed it, each with their own account, and not otherwise."""

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
from games.consent.reads.given import seats_given
from games.models import Confirmation, Game, RatingEvent
from games.ratings.acceptance import accept_due
from games.run import rate_waiting
from tests.games.consent.asking import DAY, due, state, uploaded_game, why
from tests.games.seats import give_seat

pytestmark = pytest.mark.django_db


def test_a_game_is_due_when_the_last_seat_has_confirmed(game: Game, alice: User, bob: User, now: datetime) -> None:
    assert (confirm(game, alice, now=now).state, due(game)) == ("partly", False)
    assert (confirm(game, bob, now=now).state, due(game)) == ("confirmed", True)
    rate_waiting(now=now)
    assert RatingEvent.objects.count() == 2


def test_confirmation_stores_digest_seat_ruleset_and_expiry(game: Game, alice: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    word = Confirmation.objects.get()
    assert (word.digest, word.ruleset, word.seat, word.account) == (game.digest, "atta-ants-online", 0, alice)
    assert (word.how, word.at, word.until) == ("explicit", now, now + LAPSES_AFTER)


def test_repeated_confirmation_extends_its_expiry(game: Game, alice: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    confirm(game, alice, now=now + DAY)
    word = Confirmation.objects.get()
    assert (word.at, word.until) == (now, now + DAY + LAPSES_AFTER)


def test_confirmation_expires_after_two_weeks(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    late = now + LAPSES_AFTER
    assert state(game, late - timedelta(seconds=1)) == "partly"
    assert state(game, late) == "pending"
    assert (confirm(game, bob, now=late).state, due(game)) == ("partly", False)
    assert (confirm(game, alice, now=late).state, due(game)) == ("confirmed", True)


def test_expired_confirmation_is_not_shown_with_invitations(game: Game, alice: User, now: datetime) -> None:
    confirm(game, alice, now=now)

    def shown(at: datetime) -> set[bool]:
        return {given for games in seats_given([game.pk], now=at).values() for given in games.values()}

    assert shown(now) == {True, False}
    assert shown(now + LAPSES_AFTER) == {False}


def test_confirmations_of_a_due_game_do_not_expire(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    late = now + LAPSES_AFTER + DAY
    confirmations.settle(game, now=late)
    assert (state(game, late), due(game)) == ("confirmed", True)


def test_confirmation_is_void_when_the_game_changes(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    Game.objects.filter(pk=game.pk).update(digest="0" * 64)
    assert state(game, now) == "pending"
    confirm(game, bob, now=now)
    assert not due(game)


def test_confirmation_is_void_when_the_claim_ends(
    game: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    confirm(game, alice, now=now)
    player = game.seatings.get(seat=0).player
    player.account = mallory
    player.save()
    assert (confirm(game, bob, now=now).state, due(game)) == ("partly", False)
    assert next(seat.confirmation for seat in consent_of(game, now=now).seats) is None


def test_withdrawing_a_confirmation_makes_a_due_game_pending_again(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    assert (withdraw(game, bob, now=now).state, due(game)) == ("partly", False)
    rate_waiting(now=now)
    assert not RatingEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("word", [withdraw, hide])
def test_withdrawing_or_hiding_while_the_game_is_being_rated_comes_too_late(
    word: Callable[..., object], alice: User, bob: User, now: datetime
) -> None:
    """The place is assigned but not yet visible when the confirmation is withdrawn."""
    game = uploaded_game(now, by=alice)
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
            until_a_lock_is_awaited()
        assert too_late.result(timeout=20) in ("counted", "counts")
    game.refresh_from_db()
    assert not game.private
    assert game.confirmations.filter(withdrawn_at=None).count() == 2


def until_a_lock_is_awaited() -> None:
    """Return when another connection waits for a lock held by this one."""
    with connection.cursor() as cursor:
        for _ in range(1000):
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
            sleep(0.01)
    pytest.fail("nobody waits")
