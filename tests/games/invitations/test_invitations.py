"""Invitations: a link claims a name and confirms its games in one step, and vouches for it only like an approval."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from games.consent.privacy import hide, show
from games.consent.reads.eligibility import consent_of
from games.invitations.answering import answer, may_undo, undo
from games.invitations.inviting import InvitationError, renew, revoke, say_who
from games.invitations.reads.invitations import find_invitation, games_for, names_of, state_of
from games.invitations.reads.tokens import token_of
from games.models import Claim, Confirmation, Dispute, Flag, Game, Invitation, InvitedName, Vouch
from games.moderation import moderators
from games.players.claims import approve_uncontested, decide_claim, make_claim
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.games.invitations.asking import evening, invited, named

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
NOTHING: Mapping[str, str] = {}


@pytest.fixture
def judge(db: None, now: datetime) -> User:
    """A moderator."""
    judge = User.objects.create_user("judge")
    moderators.make_moderator(judge, now=now)
    return judge


def confirm(name: InvitedName, account: User, wrong: Mapping[str, str] = NOTHING, *, now: datetime) -> InvitedName:
    """Answer for all games of a name, as the page does; those that are wrong by their keys."""
    right = {game.key: "" for game in games_for(name.invitation, name.player)}
    return answer(name, account, answers={**right, **wrong}, now=now)


def test_a_link_claims_the_name_and_confirms_all_its_games(alice: User, bob: User, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    confirm(bruno, bob, now=now)
    assert named("Bruno").account == bob
    assert Claim.objects.get().decided_by == alice
    assert Confirmation.objects.filter(account=bob, withdrawn_at=None).count() == 3


@pytest.mark.full
def test_a_reported_game_is_disputed_and_the_others_are_confirmed(alice: User, bob: User, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    wrong = Game.objects.order_by("pk")[1]
    confirm(bruno, bob, {wrong.key: "I was second."}, now=now)
    assert Dispute.objects.get().game == wrong
    assert Confirmation.objects.filter(account=bob).count() == 2
    assert consent_of(wrong, now=now).state == "disputed"


@pytest.mark.full
def test_games_that_the_page_did_not_show_are_not_confirmed(alice: User, bob: User, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    *hidden, seen = Game.objects.order_by("pk")
    for game in hidden:
        hide(game, alice, now=now)
    assert games_for(bruno.invitation, bruno.player) == [seen]
    for game in hidden:
        show(game, alice, now=now)
    answer(bruno, bob, answers={seen.key: ""}, now=now)
    assert Confirmation.objects.get(account=bob).game == seen


def test_a_link_works_once(alice: User, bob: User, mallory: User, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    confirm(bruno, bob, now=now)
    with pytest.raises(InvitationError, match="This invitation has been used"):
        confirm(bruno, mallory, now=now)


def test_an_invitation_expires_and_can_be_revoked_and_renewed(alice: User, bob: User, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    with pytest.raises(InvitationError, match="has expired"):
        confirm(bruno, bob, now=now + 15 * DAY)
    revoke(bruno.invitation, now=now)
    with pytest.raises(InvitationError, match="has been revoked"):
        confirm(bruno, bob, now=now)
    before = bruno.invitation.digest
    assert renew(bruno.invitation, now=now + 15 * DAY).digest != before
    confirm(bruno, bob, now=now + 16 * DAY)


def test_the_database_stores_only_digests_of_tokens(alice: User, now: datetime) -> None:
    invitation = invited("Bruno", evening(alice, now), alice, now).invitation
    token = token_of(invitation.nonce, invitation.digest)
    assert token
    assert find_invitation(token) == invitation
    assert token not in str(Invitation.objects.values())


def test_the_uploaders_own_name_waits_14_days_and_then_confirms_its_games(
    alice: User, bob: User, now: datetime
) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now, me="Ada")
    confirm(bruno, bob, now=now + timedelta(minutes=5))
    assert not Confirmation.objects.filter(account=alice).exists()
    approve_uncontested(now=now + 14 * DAY, has_time=lambda: True)
    assert Confirmation.objects.filter(account=alice).count() == 3
    assert consent_of(Game.objects.order_by("pk")[0], now=now + 14 * DAY).state == "confirmed"


def test_choosing_another_own_name_withdraws_the_first_claim_and_invites_that_name(alice: User, now: datetime) -> None:
    upload = evening(alice, now)
    say_who(upload, alice, me=named("Ada").pk, now=now)
    invitations = say_who(upload, alice, me=named("Bruno").pk, now=now)
    assert [one.player.name for made in invitations for one in names_of(made)] == ["Ada"]
    assert dict(Claim.objects.values_list("player__name", "state")) == {"Ada": "withdrawn", "Bruno": "open"}


def test_no_invitation_is_left_for_nobody_when_another_own_name_is_chosen(alice: User, now: datetime) -> None:
    upload = evening(alice, now)
    say_who(upload, alice, me=named("Ada").pk, now=now)
    say_who(upload, alice, me=named("Bruno").pk, now=now)
    assert [[one.player.name for one in names_of(made)] for made in Invitation.objects.all()] == [["Ada"]]


@pytest.mark.full
def test_one_link_serves_all_players_but_each_name_only_once(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    group = next(one for one in say_who(evening(alice, now), alice, me=None, now=now) if one.for_all)
    ada, bruno = names_of(group)
    confirm(ada, mallory, now=now)
    confirm(bruno, bob, now=now)
    assert [state_of(one, now=now) for one in names_of(group)] == ["used", "used"]
    assert consent_of(Game.objects.order_by("pk")[0], now=now).state == "confirmed"


@pytest.mark.full
def test_a_game_confirmed_only_through_the_uploaders_invitation_is_not_rated(
    alice: User, bob: User, now: datetime, judge: User
) -> None:
    upload = evening(alice, now, games=1)
    decide_claim(make_claim(named("Ada"), alice, now=now), approve=True, by=judge, answer="Seen.", now=now)
    bruno = invited("Bruno", upload, alice, now, me="Ada")
    confirm(bruno, bob, now=now)
    rate_waiting(now=now)
    game = Game.objects.get()
    assert consent_of(game, now=now).complete
    assert game.acceptances.get(ladder__club=None).number is None
    assert Flag.objects.get(kind="unvouched").player == named("Bruno")


def test_a_name_first_uploaded_by_another_account_needs_that_account_to_approve(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    evening(mallory, now, games=1)
    upload = evening(alice, now, options=UploadOptions(webhook=""), games=2)
    bruno = invited("Bruno", upload, alice, now)
    confirm(bruno, bob, now=now)
    assert named("Bruno").account is None
    assert not Vouch.objects.exists()
    decide_claim(Claim.objects.get(), approve=True, by=mallory, now=now)
    assert Confirmation.objects.filter(account=bob).count() == 2


def test_an_uploader_cannot_use_their_own_invitation(alice: User, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    with pytest.raises(InvitationError, match="your own invitation"):
        confirm(bruno, alice, now=now)


def test_an_invitation_is_gone_once_its_games_are_private(alice: User, bob: User, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    for game in Game.objects.all():
        hide(game, alice, now=now)
    assert state_of(bruno, now=now) == "gone"
    with pytest.raises(InvitationError, match="no longer public"):
        confirm(bruno, bob, now=now)


@pytest.mark.parametrize("options", [UploadOptions(private=True), UploadOptions(scored=False)])
def test_players_cannot_be_invited_to_games_that_cannot_be_rated(
    alice: User, now: datetime, options: UploadOptions
) -> None:
    with pytest.raises(InvitationError, match="These games cannot be rated"):
        say_who(evening(alice, now, options=options), alice, me=None, now=now)


def test_only_the_uploader_can_invite_players(alice: User, mallory: User, now: datetime) -> None:
    with pytest.raises(InvitationError, match="Only the account that uploaded"):
        say_who(evening(alice, now), mallory, me=None, now=now)


@pytest.mark.parametrize("who", ["the player", "the uploader"])
def test_an_answer_can_be_undone_for_a_week(alice: User, bob: User, mallory: User, now: datetime, who: str) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    used = confirm(bruno, bob, now=now)
    assert not may_undo(used, bob, now=now + 8 * DAY)
    assert not may_undo(used, mallory, now=now)
    undo(used, bob if who == "the player" else alice, now=now)
    assert named("Bruno").account is None
    assert not Confirmation.objects.filter(withdrawn_at=None).exists()
    confirm(bruno, mallory, now=now)
    assert named("Bruno").account == mallory


@pytest.mark.full
def test_an_inviter_cannot_undo_a_claim_that_a_moderator_approved(
    alice: User, bob: User, mallory: User, now: datetime, judge: User
) -> None:
    evening(mallory, now, games=1)
    used = confirm(invited("Bruno", evening(alice, now, games=2), alice, now), bob, now=now)
    assert may_undo(used, alice, now=now), "a claim that is still open hangs on the invitation alone"
    decide_claim(Claim.objects.get(), approve=True, by=judge, answer="I know him.", now=now)
    used.refresh_from_db()
    with pytest.raises(InvitationError, match="can no longer be undone"):
        undo(used, alice, now=now)
    assert named("Bruno").account == bob


def test_an_inviter_cannot_undo_a_claim_that_was_there_before(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    evening(mallory, now, games=1)
    bruno = invited("Bruno", evening(alice, now, games=2), alice, now)
    make_claim(named("Bruno"), bob, now=now - DAY)
    used = confirm(bruno, bob, now=now)
    assert not may_undo(used, alice, now=now)
    assert may_undo(used, bob, now=now)


@pytest.mark.full
def test_an_inviter_cannot_undo_the_confirmations_of_an_account_that_had_the_name(
    alice: User, bob: User, now: datetime, judge: User
) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    decide_claim(make_claim(named("Bruno"), bob, now=now), approve=True, by=judge, answer="Seen.", now=now)
    used = confirm(bruno, bob, now=now)
    with pytest.raises(InvitationError, match="can no longer be undone"):
        undo(used, alice, now=now)
    assert Confirmation.objects.filter(account=bob, withdrawn_at=None).count() == 3


@pytest.mark.full
@pytest.mark.parametrize(("who", "state"), [("the player", "withdrawn"), ("the uploader", "open")])
def test_undoing_withdraws_only_ones_own_reports(alice: User, bob: User, now: datetime, who: str, state: str) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    used = confirm(bruno, bob, {Game.objects.order_by("pk")[1].key: "I was second."}, now=now)
    undo(used, bob if who == "the player" else alice, now=now)
    assert Dispute.objects.get().state == state


@pytest.mark.full
def test_an_answer_cannot_be_undone_once_the_game_is_rated(
    alice: User, bob: User, mallory: User, now: datetime, judge: User
) -> None:
    moderators_upload = evening(judge, now, games=1)
    ada, bruno = (invited(name, moderators_upload, judge, now) for name in ("Ada", "Bruno"))
    confirm(ada, mallory, now=now)
    used = confirm(bruno, bob, now=now)
    Flag.objects.update(settled_at=now)
    rate_waiting(now=now)
    with pytest.raises(InvitationError, match="can no longer be undone"):
        undo(used, bob, now=now)
