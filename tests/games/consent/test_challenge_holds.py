"""How long a challenge holds a game, and what happens to its confirmations."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from games.consent import confirmations, seatings
from games.consent.reads.eligibility import consent_of, waiting_for
from games.models import Acceptance, Challenge, Flag, Game
from games.moderation import decisions
from games.moderation.decisions import Decision
from games.moderation.moderators import make_moderator
from games.ratings.acceptance import accept_due
from tests.games.contests import EXCHANGED, MADE_UP, TRUE, ineligible_reason, upload_records
from tests.games.seats import give_seat

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Alice plays as Ada, Bob as Bruno."""
    game = upload_records(TRUE, now)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game


@pytest.fixture
def confirmed(game: Game, alice: User, bob: User, now: datetime) -> Game:
    """Both have confirmed it, and it is not rated yet."""
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    return game


@pytest.fixture
def decision(db: None, now: datetime) -> Decision:
    """By a moderator who plays no games."""
    moderator = User.objects.create_user("moderator")
    make_moderator(moderator, now=now)
    return Decision(moderator, now, "Seen on video.")


@pytest.mark.full
def test_rival_seating_naming_its_own_uploader_does_not_hold_a_confirmed_game(
    confirmed: Game, mallory: User, now: datetime
) -> None:
    for name in ("Mallory", "Mallory again", "Mallory once more"):
        rival = upload_records((name, "Bruno"), now)
        give_seat(rival, 0, mallory, now)
        upload_records((name, "Yuri"), now, by=mallory)
    assert set(Challenge.objects.values_list("holds", flat=True)) == {False}
    assert accept_due(now=now) == 1


@pytest.mark.full
def test_game_decided_by_a_moderator_can_no_longer_be_held(
    confirmed: Game, bob: User, mallory: User, decision: Decision, now: datetime
) -> None:
    upload_records(EXCHANGED, now, by=bob)
    decisions.choose_seating(confirmed, decision)
    upload_records(MADE_UP, now, by=bob)
    upload_records(("Mallory", "Bruno"), now, by=mallory)
    assert [one.holds for one in Challenge.objects.filter(state="open")] == [False, False], "a moderator may look"
    assert accept_due(now=now) == 1


@pytest.mark.full
def test_the_place_in_the_queue_is_kept_while_a_challenge_holds_the_game(
    confirmed: Game, alice: User, bob: User, now: datetime
) -> None:
    due = Acceptance.objects.get()
    upload_records(EXCHANGED, now, by=bob)
    assert Acceptance.objects.get(held=True) == due
    assert accept_due(now=now) == 0
    seatings.choose(confirmed, alice, now=now)
    assert Acceptance.objects.get(held=False) == due
    assert accept_due(now=now) == 1


@pytest.mark.full
def test_confirmations_do_not_expire_during_a_challenge(
    game: Game, alice: User, bob: User, mallory: User, decision: Decision, now: datetime
) -> None:
    confirmations.confirm(game, alice, now=now)
    upload_records(MADE_UP, now + DAY, by=mallory)
    late = now + 30 * DAY
    assert consent_of(game, now=late).state == "partly"
    assert not waiting_for(alice.pk, now=late).exists()
    decisions.choose_seating(game, Decision(decision.by, late, "Seen."))
    assert confirmations.confirm(game, bob, now=late + 10 * DAY).complete, "13 days of Alice's were left"


def test_expired_confirmation_stays_expired_during_a_challenge(
    game: Game, alice: User, mallory: User, now: datetime
) -> None:
    confirmations.confirm(game, alice, now=now)
    upload_records(MADE_UP, now + 15 * DAY, by=mallory)
    assert consent_of(game, now=now + 16 * DAY).state == "pending"
    assert waiting_for(alice.pk, now=now + 16 * DAY).exists()


@pytest.mark.full
def test_held_game_is_released_only_without_flags_and_challenges(
    confirmed: Game, bob: User, decision: Decision, now: datetime
) -> None:
    due = Acceptance.objects.get()
    Flag.objects.create(kind="same-person", game=confirmed, ladder=due.ladder, raised_at=now)
    upload_records(EXCHANGED, now, by=bob)
    decisions.settle_flag(Flag.objects.get(), decision)
    assert ineligible_reason(confirmed, now) == "contested"
    assert Acceptance.objects.get().held

    Flag.objects.update(settled_at=None)
    decisions.choose_seating(confirmed, decision)
    assert Acceptance.objects.get().held
    decisions.settle_flag(Flag.objects.get(), decision)
    assert accept_due(now=now) == 1


@pytest.mark.full
def test_self_named_rival_does_not_prevent_the_players_from_agreeing(
    confirmed: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    give_seat(upload_records(("Mallory", "Bruno"), now), 0, mallory, now)
    upload_records(EXCHANGED, now, by=bob)
    assert ineligible_reason(confirmed, now) == "contested"
    seatings.choose(confirmed, alice, now=now)
    assert accept_due(now=now) == 1


@pytest.mark.full
def test_sole_opponent_can_hold_a_game_only_until_a_moderator_decides(
    game: Game, alice: User, bob: User, decision: Decision, now: datetime
) -> None:
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    for number in range(3):
        upload_records((f"Nobody {number}", "Bruno"), now, by=bob)
    assert accept_due(now=now) == 0
    decisions.choose_seating(game, decision)
    for number in range(3, 6):
        upload_records((f"Nobody {number}", "Bruno"), now, by=bob)
    assert accept_due(now=now) == 1
