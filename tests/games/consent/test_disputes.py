"""What a dispute prevents from being rated, and for how long."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.consent import confirmations
from games.consent.confirmations import confirm, dispute
from games.models import Acceptance, Dispute, Game
from games.run import rate_waiting
from tests.games.consent.asking import due, state, why

pytestmark = pytest.mark.django_db


def test_open_dispute_keeps_a_game_from_being_rated(game: Game, alice: User, bob: User, now: datetime) -> None:
    raised = dispute(game, bob, reason=" I was ill. ", now=now)
    assert (raised.reason, raised.state) == ("I was ill.", "open")
    for account in (alice, bob):
        assert confirm(game, account, now=now).state == "disputed"
    assert not due(game)
    confirmations.close_dispute(raised, Dispute.State.DISMISSED, by=None, answer="You were seen.", now=now)
    assert due(game)


def test_dispute_cancels_a_due_game_but_not_a_rated_one(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    raised = dispute(game, alice, reason="No.", now=now)
    assert not due(game)
    confirmations.withdraw_dispute(game, alice, pk=raised.pk, now=now)
    rate_waiting(now=now)
    dispute(game, alice, reason="No.", now=now)
    assert Acceptance.objects.get(game=game).number == 1


def test_upheld_dispute_keeps_the_game_unrated(game: Game, alice: User, bob: User, now: datetime) -> None:
    raised = dispute(game, bob, reason="No.", now=now)
    confirmations.close_dispute(raised, Dispute.State.UPHELD, by=None, answer="So it is.", now=now)
    for account in (alice, bob):
        confirm(game, account, now=now)
    assert (state(game, now), due(game)) == ("disputed", False)


def test_a_dispute_has_a_reason_and_is_raised_once(game: Game, alice: User, now: datetime) -> None:
    assert why(lambda: dispute(game, alice, reason=" \n", now=now)) == (
        "no_reason",
        "Describe what is wrong with the game.",
    )
    dispute(game, alice, reason="No.", now=now)
    refusal = ("disputed", "You have already disputed this game.")
    assert why(lambda: dispute(game, alice, reason="No!", now=now)) == refusal


def test_dispute_is_withdrawn_once_and_only_by_its_author(game: Game, alice: User, bob: User, now: datetime) -> None:
    raised = dispute(game, alice, reason="No.", now=now)
    with pytest.raises(Dispute.DoesNotExist):
        confirmations.withdraw_dispute(game, bob, pk=raised.pk, now=now)
    confirmations.withdraw_dispute(game, alice, pk=raised.pk, now=now)
    refusal = ("closed", "This dispute is already settled.")
    assert why(lambda: confirmations.withdraw_dispute(game, alice, pk=raised.pk, now=now)) == refusal
