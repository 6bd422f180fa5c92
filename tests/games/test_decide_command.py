"""Cases that concern a moderator are decided by the operator of the service."""

from datetime import datetime
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from games.models import Acceptance, Act, Challenge, Claim, Dispute, Flag, Game, Ladder, Player, Upload, Vouch
from games.players.claims import make_claim
from tests.factories import record
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


def call(*arguments: str) -> str:
    out = StringIO()
    call_command("decide", *arguments, stdout=out)
    return out.getvalue().strip()


@pytest.fixture
def dispute(alice: User, now: datetime) -> Dispute:
    """Alice disputes the only game."""
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    return Dispute.objects.create(game=Game.objects.get(), account=alice, reason="I was not there.", raised_at=now)


def test_dispute_is_settled_without_naming_a_moderator(dispute: Dispute) -> None:
    assert call("dispute", str(dispute.pk), "uphold", "--reason", "Two witnesses.") == "The dispute is upheld."
    dispute.refresh_from_db()
    assert (dispute.state, dispute.settled_by, dispute.answer) == ("upheld", None, "Two witnesses.")
    act = Act.objects.get()
    assert (act.kind, act.by, act.reason) == ("dispute-upheld", None, "Two witnesses.")


def test_check_previews_rating_changes_without_applying_them(dispute: Dispute, now: datetime) -> None:
    assert call("dispute", str(dispute.pk), "uphold", "--reason", "x", "--check") == "No rating would change."
    count_all(now)

    printed = call("dispute", str(dispute.pk), "uphold", "--reason", "x", "--check")

    assert "1 game would be rated differently, 2 ratings would change:" in printed
    assert "rank 1 -> -" in printed
    assert not Act.objects.exists()


def test_a_claim_is_decided(dispute: Dispute, alice: User, now: datetime) -> None:
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert call("claim", str(claim.pk), "approve", "--reason", "Seen.") == "The claim is approved."
    assert Claim.objects.get().player.account == alice


def test_a_challenge_is_decided(dispute: Dispute, now: datetime) -> None:
    upload_file(record(names=("Eve", "Bruno")), via=Upload.Via.API, now=now)
    judge_all(now)
    number = str(Challenge.objects.get().pk)
    assert call("challenge", number, "uphold", "--reason", "x", "--check") == "No rating would change."
    assert call("challenge", number, "uphold", "--reason", "Two witnesses.") == "The challenge is upheld."
    assert Game.objects.get(upheld=True).seatings.get(seat=0).player.name == "Eve"
    assert Act.objects.get().kind == "seating-chosen"


@pytest.fixture
def waiting(dispute: Dispute, now: datetime) -> Flag:
    """A flag that holds the only game."""
    ladder = Ladder.objects.create(ruleset=dispute.game.ruleset)
    Acceptance.objects.create(game=dispute.game, ladder=ladder, due_at=now, held=True)
    return Flag.objects.create(kind="repeated-pairing", game=dispute.game, ladder=ladder, raised_at=now)


def test_held_game_can_be_left_unrated_and_later_released(waiting: Flag) -> None:
    number = str(waiting.pk)
    assert call("flag", number, "leave", "--reason", "Copied.") == "The game is left unrated."
    assert Flag.objects.get(unrated=True).answer == "Copied."
    assert call("flag", number, "count", "--reason", "Seen.") == "The game counts, unless something else holds it."
    assert not Acceptance.objects.get().held
    assert [act.by for act in Act.objects.order_by("pk")] == [None, None]


def test_flag_without_a_held_game_can_be_settled(waiting: Flag) -> None:
    Flag.objects.update(ladder=None)
    assert call("flag", str(waiting.pk), "settle", "--reason", "Two brothers.") == "The flag is settled."
    assert Act.objects.get().kind == "flag-settled"


def test_a_name_is_vouched_for(dispute: Dispute, alice: User, now: datetime) -> None:
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    call("claim", str(claim.pk), "approve", "--reason", "Seen.")
    Vouch.objects.all().delete()
    assert call("claim", str(claim.pk), "vouch", "--reason", "Seen.") == "The name is vouched for."
    assert (Vouch.objects.get().by, Vouch.objects.get().role) == (None, "moderator")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["flag", "{pk}", "settle", "--reason", "x"], "A game waits for this flag: decide by count or leave."),
        (["flag", "{pk}", "approve", "--reason", "x"], "Decide a flag by count, leave or settle."),
        (["flag", "{pk}", "leave", "--reason", " "], "Give a reason. The people affected can read it."),
        (["flag", "0", "leave", "--reason", "x"], "There is no flag 0."),
        (["claim", "0", "vouch", "--reason", "x"], "There is no claim 0."),
    ],
)
def test_invalid_flag_decision_is_explained(waiting: Flag, words: list[str], said: str) -> None:
    with pytest.raises(CommandError) as refused:
        call(*[word.format(pk=waiting.pk) for word in words])
    assert str(refused.value) == said


def test_flag_without_a_held_game_cannot_leave_a_game_unrated(waiting: Flag) -> None:
    Flag.objects.update(ladder=None)
    with pytest.raises(CommandError, match="No game waits for this flag: decide by settle"):
        call("flag", str(waiting.pk), "leave", "--reason", "x")


def test_check_previews_the_release_of_a_game(waiting: Flag) -> None:
    printed = call("flag", str(waiting.pk), "count", "--reason", "x", "--check")
    assert printed == "The game would be rated next, unless another flag holds it."
    assert call("flag", str(waiting.pk), "leave", "--reason", "x", "--check") == "No rating would change."
    assert not Act.objects.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dispute", "{pk}", "approve", "--reason", "x"], "Decide a dispute by uphold or dismiss."),
        (["dispute", "{pk}", "dismiss", "--reason", " "], "Give a reason. The people affected can read it."),
        (["claim", "0", "refuse", "--reason", "x"], "There is no claim 0."),
    ],
)
def test_invalid_decision_is_explained(dispute: Dispute, words: list[str], said: str) -> None:
    with pytest.raises(CommandError) as refused:
        call(*[word.format(pk=dispute.pk) for word in words])
    assert str(refused.value) == said
