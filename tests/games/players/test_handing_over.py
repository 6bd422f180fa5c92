"""When a name changes owner, its due games are rechecked in batches, and none slips through."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from games.consent.confirmations import confirm
from games.corrections.rerating import Instruction, order_merge, perform_waiting
from games.models import Acceptance, Claim, Flag, Game, Player
from games.moderation.moderators import make_moderator
from games.players import handing_over
from games.players.claims import revoke_claim
from games.ratings.acceptance import accept_due
from games.run import rate_waiting
from tests.games.evenings import player
from tests.games.naming import named, uploaded

pytestmark = pytest.mark.django_db

TEXTS = ("draw 1-1", "NS@0,2 draw 1-1", "NS@0,2 R1:N draw 1-1", "NS@0,2 R1:N R2:N draw 1-1", "NS@0,2 R1:S draw 1-1")


@pytest.fixture
def judge(now: datetime) -> User:
    """A moderator."""
    User.objects.create_user("judge")
    make_moderator(User.objects.get(username="judge"), now=now)
    return User.objects.get(username="judge")


@pytest.fixture
def due(alice: User, bob: User, judge: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Five due games that Alice and Bob have confirmed; two are rechecked at a time."""
    monkeypatch.setattr(handing_over, "SLICE", 2)
    User.objects.update(date_joined=now - timedelta(days=100))
    games = [uploaded(("Ada", "Bruno"), None, now, text) for text in TEXTS]
    for name, user in (("Ada", alice), ("Bruno", bob)):
        named(name, user, now, by=judge)
    for game in games:
        confirm(game, alice, now=now)
        confirm(game, bob, now=now)
    return games


@pytest.mark.full
def test_no_game_of_a_revoked_name_is_rated_before_it_is_rechecked(due: list[Game], judge: User, now: datetime) -> None:
    revoke_claim(Claim.objects.get(player__name="Bruno"), by=judge, answer="Not Bruno.", now=now)
    assert Acceptance.objects.count() == 3
    accept_due(now=now)
    assert not Acceptance.objects.filter(number__isnull=False).exists()
    rate_waiting(now=now)
    assert not Acceptance.objects.exists()
    assert not Player.objects.filter(unsettled_after__isnull=False).exists()


@pytest.mark.full
def test_games_with_valid_confirmations_are_rated_after_the_recheck(due: list[Game], now: datetime) -> None:
    Player.objects.filter(name="Ada").update(unsettled_after=0)
    accept_due(now=now)
    assert Acceptance.objects.filter(held=True).count() == 5
    rate_waiting(now=now)
    assert list(Acceptance.objects.filter(number__isnull=False).values_list("game", flat=True).order_by("number")) == [
        game.pk for game in due
    ]


@pytest.mark.full
def test_recheck_continues_slice_by_slice_while_there_is_time(due: list[Game], now: datetime) -> None:
    Player.objects.filter(name="Ada").update(unsettled_after=0)
    once = iter([True, False])
    assert handing_over.settle_on(now=now, has_time=once.__next__) == 1
    assert Player.objects.get(name="Ada").unsettled_after == due[1].pk
    accept_due(now=now)
    assert set(Acceptance.objects.filter(held=True).values_list("game", flat=True)) == {game.pk for game in due[2:]}


@pytest.mark.full
def test_confirmation_by_the_other_account_is_void_after_a_merge(
    due: list[Game], mallory: User, judge: User, now: datetime
) -> None:
    uploaded(("Mall", "Cleo"), None, now, "resign:R 2-1")
    named("Mall", mallory, now, by=judge)
    order_merge(player("Bruno", now), player("Mall", now), Instruction(judge, "One person.", now))
    perform_waiting(now=now)
    accept_due(now=now)
    assert not Acceptance.objects.filter(number__isnull=False).exists()
    rate_waiting(now=now)
    assert not Acceptance.objects.exists()


@pytest.mark.full
def test_name_with_many_games_does_not_block_other_names(due: list[Game], now: datetime) -> None:
    Player.objects.filter(name="Ada").update(unsettled_after=due[1].pk)
    Player.objects.filter(name="Bruno").update(unsettled_after=0)
    once = iter([True, False])
    handing_over.settle_on(now=now, has_time=once.__next__)
    assert Player.objects.get(name="Bruno").unsettled_after == due[1].pk
    assert Player.objects.get(name="Ada").unsettled_after == due[1].pk


@pytest.mark.full
def test_games_with_two_seats_of_one_person_are_flagged_slice_by_slice(
    due: list[Game], alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate_waiting(now=now)
    assert Acceptance.objects.filter(number__isnull=False).count() == 5
    monkeypatch.setattr(handing_over, "LOOKED_BACK", 2)
    bruno = player("Bruno", now)
    handing_over.hand_over(bruno, alice.pk, now)
    pointed_out = Flag.objects.filter(kind="same-person", ladder=None).order_by("game")
    assert [flag.game for flag in pointed_out] == due[:2]
    assert handing_over.settle_on(now=now, has_time=lambda: True) == 2
    assert [flag.game for flag in pointed_out.all()] == due
    assert not Player.objects.filter(unsettled_after__isnull=False).exists()
