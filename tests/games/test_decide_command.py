"""What is a moderator's own matter is decided by whoever runs the service."""

from datetime import datetime
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from games.models import Act, Challenge, Claim, Dispute, Game, Player, Upload
from games.services.claims import make_claim
from games.services.intake import take_in
from tests.factories import record
from tests.games.judging import count_all, judge_all

pytestmark = pytest.mark.django_db


def call(*arguments: str) -> str:
    out = StringIO()
    call_command("decide", *arguments, stdout=out)
    return out.getvalue().strip()


@pytest.fixture
def dispute(alice: User, now: datetime) -> Dispute:
    """Alice disputes the one game."""
    take_in(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    return Dispute.objects.create(game=Game.objects.get(), account=alice, reason="I was not there.", raised_at=now)


def test_a_dispute_is_settled_and_nobody_is_named(dispute: Dispute) -> None:
    assert call("dispute", str(dispute.pk), "uphold", "--reason", "Two witnesses.") == "The dispute is upheld."
    dispute.refresh_from_db()
    assert (dispute.state, dispute.settled_by, dispute.answer) == ("upheld", None, "Two witnesses.")
    act = Act.objects.get()
    assert (act.kind, act.by, act.reason) == ("dispute-upheld", None, "Two witnesses.")


def test_what_upholding_would_change_is_told_and_not_done(dispute: Dispute, now: datetime) -> None:
    assert call("dispute", str(dispute.pk), "uphold", "--reason", "x", "--check") == "No rating would change."
    count_all(now)

    told = call("dispute", str(dispute.pk), "uphold", "--reason", "x", "--check")

    assert "1 games would be rated otherwise, 2 ratings would change:" in told
    assert "rank 1 -> -" in told
    assert not Act.objects.exists()


def test_a_claim_is_decided(dispute: Dispute, alice: User, now: datetime) -> None:
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert call("claim", str(claim.pk), "approve", "--reason", "Seen.") == "The claim is approved."
    assert Claim.objects.get().player.account == alice


def test_a_challenge_is_decided(dispute: Dispute, now: datetime) -> None:
    take_in(record(names=("Eve", "Bruno")), via=Upload.Via.API, now=now)
    judge_all(now)
    number = str(Challenge.objects.get().pk)
    assert call("challenge", number, "uphold", "--reason", "x", "--check") == "No rating would change."
    assert call("challenge", number, "uphold", "--reason", "Two witnesses.") == "The challenge is upheld."
    assert Game.objects.get(upheld=True).seatings.get(seat=0).player.name == "Eve"
    assert Act.objects.get().kind == "seating-chosen"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dispute", "{pk}", "approve", "--reason", "x"], "Of a dispute say uphold or dismiss."),
        (["dispute", "{pk}", "dismiss", "--reason", " "], "Give the reason: it is shown to those whom it concerns."),
        (["claim", "0", "refuse", "--reason", "x"], "There is no claim 0."),
    ],
)
def test_what_cannot_be_is_said(dispute: Dispute, words: list[str], said: str) -> None:
    with pytest.raises(CommandError) as refused:
        call(*[word.format(pk=dispute.pk) for word in words])
    assert str(refused.value) == said
