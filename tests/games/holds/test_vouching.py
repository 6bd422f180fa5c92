"""Vouching: no circle of accounts gets its own games rated, and honest players do not wait forever."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db import connection, transaction

from games.clubs import organising
from games.consent.confirmations import confirm
from games.holds import flags
from games.models import Acceptance, Act, Claim, Club, Flag, Notice, Player, Vouch
from games.moderation.moderators import make_moderator
from games.players.claims import (
    CONTESTED_WITHIN,
    ClaimError,
    approve_uncontested,
    contest,
    decide_claim,
    make_claim,
    may_vouch,
    vouch,
)
from games.players.reads.claims import claims_to_contest, claims_to_decide
from games.ratings.acceptance import accept_due
from games.run import rate_waiting
from tests.games.naming import confirmed, named, uploaded

pytestmark = pytest.mark.django_db

LATER = CONTESTED_WITHIN + timedelta(seconds=1)


def refused(claim: Claim, by: User, now: datetime) -> str:
    with pytest.raises(ClaimError) as error:
        decide_claim(claim, approve=True, by=by, now=now)
    return error.value.code


@pytest.fixture
def judge(now: datetime) -> User:
    """A moderator."""
    user = User.objects.create_user("judge")
    make_moderator(user, now=now)
    return User.objects.get(pk=user.pk)


def test_two_accounts_that_approve_each_others_names_are_a_circle(alice: User, bob: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    uploaded(("Xenia", "Yara"), bob, now, "draw 1-1")
    named("Bruno", bob, now, by=alice)
    claim = make_claim(Player.objects.get(name="Xenia"), alice, now=now)
    assert refused(claim, bob, now) == "circle"
    assert not claims_to_decide(bob).exists()


def test_three_accounts_approving_each_others_names_form_a_circle(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    uploaded(("Cleo", "Dora"), bob, now, "draw 1-1")
    uploaded(("Xenia", "Yara"), mallory, now, "NS@0,2 resign:R 2-1")
    named("Bruno", bob, now, by=alice)
    named("Cleo", mallory, now, by=bob)
    assert refused(make_claim(Player.objects.get(name="Xenia"), alice, now=now), mallory, now) == "circle"


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_two_concurrent_mutual_approvals_cannot_both_succeed(alice: User, bob: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    uploaded(("Xenia", "Yara"), bob, now, "draw 1-1")
    pairs = [
        (make_claim(Player.objects.get(name="Bruno"), bob, now=now), alice),
        (make_claim(Player.objects.get(name="Xenia"), alice, now=now), bob),
    ]
    begin = Barrier(2)

    def decide(pair: tuple[Claim, User]) -> str:
        try:
            begin.wait(timeout=20)
            return decide_claim(pair[0], approve=True, by=pair[1], now=now).state
        except ClaimError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(decide, pairs)) == ["approved", "circle"]


def test_a_moderator_decides_where_there_would_be_a_circle(alice: User, bob: User, judge: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    uploaded(("Xenia", "Yara"), bob, now, "draw 1-1")
    named("Bruno", bob, now, by=alice)
    assert named("Xenia", alice, now, by=judge).state == "approved"
    assert Vouch.objects.get(by=judge).role == "moderator"


def test_two_accounts_of_one_person_do_not_get_onto_the_ladder(alice: User, bob: User, now: datetime) -> None:
    game = uploaded(("Ada", "Bruno"), alice, now)
    named("Bruno", bob, now, by=alice)
    make_claim(Player.objects.get(name="Ada"), alice, now=now)
    later = now + LATER
    assert approve_uncontested(now=later, has_time=lambda: True) == 1
    assert confirmed(game, later, alice, bob).held
    assert set(Flag.objects.values_list("kind", "player__name")) >= {("unvouched", "Ada"), ("unvouched", "Bruno")}


@pytest.mark.full
def test_two_players_vouched_for_by_one_player_are_held_together(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(("Mall", "Ada"), mallory, now, "draw 1-1")
    game = uploaded(("Ada", "Bruno"), mallory, now)
    named("Mall", mallory, now, by=judge)
    named("Ada", alice, now, by=mallory)
    named("Bruno", bob, now, by=mallory)
    assert confirmed(game, now, alice, bob).held


@pytest.mark.full
def test_voucher_playing_against_the_player_they_vouched_for_is_held(
    alice: User, mallory: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Mall", "Ada"), mallory, now)
    named("Mall", mallory, now, by=judge)
    named("Ada", alice, now, by=mallory)
    assert confirmed(game, now, alice, mallory).held


@pytest.mark.full
def test_player_vouched_for_by_a_known_player_is_rated_at_other_tables(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), mallory, now)
    uploaded(("Mall", "Ada"), mallory, now, "draw 1-1")
    named("Mall", mallory, now, by=judge)
    named("Bruno", bob, now, by=judge)
    named("Ada", alice, now, by=mallory)
    User.objects.update(date_joined=now - timedelta(days=30))
    assert confirmed(game, now, alice, bob).number == 1


def test_game_waiting_for_vouchers_is_released_when_a_moderator_vouches(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), alice, now)
    bruno = named("Bruno", bob, now, by=alice)
    make_claim(Player.objects.get(name="Ada"), alice, now=now)
    later = now + LATER
    approve_uncontested(now=later, has_time=lambda: True)
    assert confirmed(game, later, alice, bob).held

    for claim in (bruno, Claim.objects.get(player__name="Ada")):
        vouch(claim, by=judge, reason="Seen at the club.", now=later)
    rate_waiting(now=later)
    assert Acceptance.objects.get(game=game).number == 1
    assert Act.objects.filter(kind="name-vouched").count() == 2
    assert not Flag.objects.filter(kind="unvouched", settled_at=None).exists()


@pytest.mark.full
def test_confirmations_do_not_expire_while_a_game_waits_for_a_voucher(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), alice, now)
    named("Ada", alice, now, by=judge)
    bruno = named("Bruno", bob, now, by=alice)
    assert confirmed(game, now, alice, bob).held
    late = now + timedelta(days=90)
    vouch(bruno, by=judge, reason="Seen at the club.", now=late)
    rate_waiting(now=late)
    assert Acceptance.objects.get(game=game).number == 1


def test_known_player_may_vouch_for_a_former_opponent_but_not_a_stranger(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    uploaded(("Mall", "Bruno"), judge, now, "draw 1-1")
    bruno = named("Bruno", bob, now, by=alice)
    assert not may_vouch(bruno, mallory)
    named("Mall", mallory, now, by=judge)
    assert may_vouch(bruno, mallory)
    assert vouch(bruno, by=mallory, reason="We played.", now=now).role == "player"
    assert not may_vouch(bruno, mallory), "once is enough"
    with pytest.raises(ClaimError, match="cannot vouch"):
        vouch(bruno, by=bob, reason="It is me.", now=now)


@pytest.mark.full
def test_organiser_appointed_by_a_moderator_makes_players_known(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    organising.found(slug="club", name="Club", about="", organiser=mallory, by=judge, now=now)
    game = uploaded(("Ada", "Bruno"), mallory, now)
    named("Ada", alice, now, by=mallory)
    named("Bruno", bob, now, by=mallory)
    assert confirmed(game, now, alice, bob).number == 1


def test_organiser_appointed_by_another_organiser_vouches_only_as_a_player(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    club = organising.found(slug="club", name="Club", about="", organiser=mallory, by=judge, now=now)
    club.members.create(account=bob, name="bob", joined_at=now)
    organising.name_organiser(club, bob, by=mallory, now=now)
    uploaded(("Ada", "Bruno"), bob, now)
    named("Ada", alice, now, by=bob)
    assert Vouch.objects.get(by=bob).role == "player"
    assert Club.objects.get().organisers.count() == 2


def test_organiser_appointed_again_by_another_organiser_vouches_only_as_a_player(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    club = organising.found(slug="club", name="Club", about="", organiser=mallory, now=now)
    organising.name_organiser(club, bob, by=judge, now=now)
    organising.dismiss_organiser(club, bob, by=bob, now=now)
    organising.name_organiser(club, bob, by=mallory, now=now)
    uploaded(("Ada", "Bruno"), bob, now)
    named("Ada", alice, now, by=bob)
    assert Vouch.objects.get(by=bob).role == "player"


def test_uncontested_claim_of_the_uploader_is_approved_automatically(alice: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert claim.approved_from == now + CONTESTED_WITHIN
    assert approve_uncontested(now=now + CONTESTED_WITHIN - timedelta(seconds=1), has_time=lambda: True) == 0
    assert approve_uncontested(now=now + LATER, has_time=lambda: True) == 1
    claim.refresh_from_db()
    assert (claim.state, claim.player.account) == ("approved", alice)
    assert not Vouch.objects.exists(), "that nobody contests it is nobody's word"
    assert approve_uncontested(now=now + LATER, has_time=lambda: True) == 0


def test_claim_of_another_account_is_not_approved_automatically(alice: User, bob: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    assert make_claim(Player.objects.get(name="Ada"), bob, now=now).approved_from is None


def test_player_at_the_table_can_contest_and_a_moderator_then_decides(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    named("Bruno", bob, now, by=judge)
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert list(claims_to_contest(bob)) == [claim]
    with pytest.raises(ClaimError, match="cannot contest"):
        contest(claim, mallory, reason="No.", now=now)
    contest(claim, bob, reason="Ada is my sister.", now=now)
    assert approve_uncontested(now=now + LATER, has_time=lambda: True) == 0
    assert Act.objects.get(kind="claim-contested").reason == "Ada is my sister."
    assert decide_claim(claim, approve=False, by=judge, answer="So she is.", now=now).state == "refused"


def test_a_second_claim_to_the_name_contests_the_first(alice: User, mallory: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    for account in (alice, mallory):
        make_claim(Player.objects.get(name="Ada"), account, now=now)
    assert approve_uncontested(now=now + LATER, has_time=lambda: True) == 0


def test_players_who_can_contest_a_claim_are_notified(
    alice: User, bob: User, judge: User, now: datetime, settings: Any
) -> None:
    settings.MAIL_IS_ON = True
    EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True, verified=True)
    uploaded(("Ada", "Bruno"), alice, now)
    named("Bruno", bob, now, by=judge)
    Notice.objects.all().delete()
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert list(Notice.objects.values_list("account", "kind", "claim")) == [(bob.pk, "claim-made", claim.pk)]


def recheck(now: datetime) -> int:
    return flags.look_again(now=now, has_time=lambda: True)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_vouch_given_while_a_game_is_being_held_still_releases_it(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), alice, now)
    named("Ada", alice, now, by=judge)
    bruno = named("Bruno", bob, now, by=alice)
    for account in (alice, bob):
        confirm(game, account, now=now)
    written, vouched = Event(), Event()

    def hold_back() -> None:
        try:
            with transaction.atomic():
                accept_due(now=now)
                written.set()
                assert vouched.wait(30)
        finally:
            connection.close()

    other = Thread(target=hold_back)
    other.start()
    assert written.wait(30)
    vouch(bruno, by=judge, reason="Seen at the club.", now=now)
    vouched.set()
    other.join()

    assert Acceptance.objects.get().held
    assert recheck(now) == 1
    rate_waiting(now=now)
    assert Acceptance.objects.get().number == 1
    assert recheck(now) == 0


@pytest.mark.full
def test_game_held_for_a_new_account_is_released_when_it_is_old_enough(
    alice: User, bob: User, mallory: User, judge: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flags, "BATCH", 1)
    game = uploaded(("Ada", "Bruno"), mallory, now)
    uploaded(("Mall", "Ada"), mallory, now, "draw 1-1")
    named("Mall", mallory, now, by=judge)
    named("Bruno", bob, now, by=judge)
    named("Ada", alice, now, by=mallory)
    User.objects.update(date_joined=now - timedelta(days=6))
    assert confirmed(game, now, alice, bob).held
    assert recheck(now) == 0
    later = now + timedelta(days=1, seconds=1)
    assert recheck(later) == 1
    rate_waiting(now=later)
    assert Acceptance.objects.get(game=game).number == 1


@pytest.mark.full
def test_unvouched_game_stays_held_however_long_it_waits(alice: User, bob: User, judge: User, now: datetime) -> None:
    game = uploaded(("Ada", "Bruno"), alice, now)
    named("Ada", alice, now, by=judge)
    named("Bruno", bob, now, by=alice)
    assert confirmed(game, now, alice, bob).held
    assert recheck(now + timedelta(days=30)) == 0
    assert Flag.objects.filter(kind="unvouched", settled_at=None).exists()


def test_uploader_gets_only_one_name_of_a_table_automatically(alice: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    first, second = (make_claim(Player.objects.get(name=name), alice, now=now) for name in ("Ada", "Bruno"))
    assert first.approved_from
    assert second.approved_from is None
    assert approve_uncontested(now=now + LATER, has_time=lambda: True) == 1
    assert list(Player.objects.filter(account=alice).values_list("name", flat=True)) == ["Ada"]


def test_uploader_gets_no_second_name_from_the_same_source_automatically(alice: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    uploaded(("Cleo", "Dora"), alice, now, "draw 1-1")
    make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert make_claim(Player.objects.get(name="Cleo"), alice, now=now).approved_from is None


def test_uploader_already_holding_a_name_of_the_table_gets_no_other_automatically(
    alice: User, judge: User, now: datetime
) -> None:
    uploaded(("Ada", "Bruno"), alice, now)
    waiting = make_claim(Player.objects.get(name="Bruno"), alice, now=now)
    named("Ada", alice, now, by=judge)
    assert approve_uncontested(now=now + LATER, has_time=lambda: True) == 0
    waiting.refresh_from_db()
    assert (waiting.state, waiting.approved_from) == ("open", None), "a moderator decides"
