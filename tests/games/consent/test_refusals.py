"""Rejected confirmations and disputes, with reasons."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.consent.confirmations import confirm, dispute, withdraw
from games.models import Confirmation, Game
from games.run import rate_waiting
from games.uploads.origin import SCORED, UploadOptions
from tests.factories import BROKEN, record
from tests.games.consent.asking import due, uploaded_game, why
from tests.games.seats import give_seat

pytestmark = pytest.mark.django_db


def test_account_not_seated_in_a_game_cannot_confirm_or_dispute_it(game: Game, mallory: User, now: datetime) -> None:
    refusal = ("not_seated", "None of your players played in this game.")
    assert why(lambda: confirm(game, mallory, now=now)) == refusal
    assert why(lambda: dispute(game, mallory, reason="No.", now=now)) == refusal


@pytest.mark.parametrize(
    ("text", "options", "refusal"),
    [
        (record("*"), SCORED, ("unfinished", "Only a game that was played to its end can be rated.")),
        (record(), UploadOptions(scored=False), ("training", "A training game is never rated.")),
        (record(), UploadOptions(private=True), ("private", "A private game cannot be rated.")),
    ],
)
def test_game_that_can_never_be_rated_cannot_be_confirmed(
    text: bytes, options: UploadOptions, refusal: tuple[str, str], alice: User, now: datetime
) -> None:
    game = uploaded_game(now, text=text, by=alice, options=options)
    give_seat(game, 0, alice, now)
    assert why(lambda: confirm(game, alice, now=now)) == refusal
    assert not Confirmation.objects.exists()


def test_a_record_that_a_later_engine_rejects_is_not_confirmed(game: Game, alice: User, now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(verdict="rejected")
    assert why(lambda: confirm(game, alice, now=now)) == ("rejected", "A rejected record cannot be rated.")


def test_rejected_record_has_no_seats_to_confirm(alice: User, now: datetime) -> None:
    game = uploaded_game(now, text=BROKEN)
    assert why(lambda: confirm(game, alice, now=now))[0] == "not_seated"


def test_confirmation_of_a_rated_game_cannot_be_withdrawn(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    rate_waiting(now=now)
    said = "The game is already rated. To object, dispute it; a moderator then decides."
    assert why(lambda: withdraw(game, alice, now=now)) == ("counted", said)


def test_missing_confirmation_cannot_be_withdrawn(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    assert why(lambda: withdraw(game, bob, now=now)) == ("not_confirmed", "You have not confirmed this game.")


def test_game_with_one_account_in_two_seats_is_not_rated(alice: User, now: datetime) -> None:
    game = uploaded_game(now)
    for seat in (0, 1):
        give_seat(game, seat, alice, now)
    found = confirm(game, alice, now=now)
    assert (found.state, found.ineligible_reason, due(game)) == ("confirmed", "same-person", False)
