"""Ownership of names: claimed by one account, decided by another."""

from datetime import datetime

import pytest
from django.contrib.auth.models import Permission, User

from games.consent.confirmations import confirm
from games.models import Acceptance, Act, Claim, Game, Player, Upload
from games.players.claims import ClaimError, decide_claim, make_claim, revoke_claim
from games.players.home import home_source
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(alice: User, now: datetime) -> Player:
    """A name first uploaded by Alice."""
    return Player.objects.create(name="Ada", source="", introduced_by=alice, created_at=now)


def moderator() -> User:
    user = User.objects.create_user("moderator")
    user.user_permissions.add(Permission.objects.get(codename="moderate"))
    return user


def refused(player: Player, account: User, now: datetime) -> str:
    with pytest.raises(ClaimError) as error:
        make_claim(player, account, now=now)
    return str(error.value)


def decision_error(claim: Claim, by: User, now: datetime) -> str:
    with pytest.raises(ClaimError) as error:
        decide_claim(claim, approve=True, by=by, now=now)
    return str(error.value)


def test_approved_claim_assigns_the_name_to_the_account(ada: Player, alice: User, bob: User, now: datetime) -> None:
    claim = decide_claim(make_claim(ada, bob, now=now), approve=True, by=alice, answer="I know her.", now=now)

    ada.refresh_from_db()
    assert (claim.state, ada.account) == ("approved", bob)
    act = Act.objects.get()
    assert (act.kind, act.by, act.reason, act.player) == ("claim-approved", alice, "I know her.", ada)


def test_a_name_of_this_site_is_claimed_only_by_the_account_of_that_name(alice: User, bob: User, now: datetime) -> None:
    player = Player.objects.create(name=bob.username, source=home_source(), introduced_by=alice, created_at=now)

    assert refused(player, alice, now) == (
        f"{bob.username} is a name of this site: only the account of that name can claim it."
    )
    assert make_claim(player, bob, now=now).state == "open"


def test_a_refused_claim_leaves_the_name_free(ada: Player, alice: User, bob: User, now: datetime) -> None:
    decide_claim(make_claim(ada, bob, now=now), approve=False, by=alice, now=now)

    ada.refresh_from_db()
    assert ada.account is None
    assert Act.objects.get().kind == "claim-refused"
    assert make_claim(ada, bob, now=now).state == "open"


def test_only_the_first_uploader_or_a_moderator_can_decide_a_claim(
    ada: Player, bob: User, mallory: User, now: datetime
) -> None:
    claim = make_claim(ada, bob, now=now)
    assert (
        decision_error(claim, mallory, now) == "Only the account that uploaded Ada first, or a moderator, can decide."
    )
    judge = moderator()
    assert decision_error(claim, judge, now) == "Give a reason."
    assert decide_claim(claim, approve=True, by=judge, answer="Seen at the club.", now=now).state == "approved"


def test_claimant_cannot_decide_their_own_claim(ada: Player, alice: User, now: datetime) -> None:
    judge = moderator()
    for own in (alice, judge):
        claim = make_claim(ada, own, now=now)
        assert decision_error(claim, own, now) == "This is your own claim: somebody else has to decide it."
    claim = Claim.objects.get(account=judge)
    assert decide_claim(claim, approve=True, by=None, answer="Seen at the club.", now=now).decided_by is None


def test_name_can_belong_to_only_one_account(ada: Player, alice: User, bob: User, mallory: User, now: datetime) -> None:
    late = make_claim(ada, mallory, now=now)
    decide_claim(make_claim(ada, bob, now=now), approve=True, by=alice, now=now)

    assert decision_error(late, alice, now) == "Ada already belongs to an account."
    assert refused(ada, mallory, now) == "Ada already belongs to an account."


def test_account_cannot_have_two_open_claims_to_a_name(ada: Player, bob: User, now: datetime) -> None:
    make_claim(ada, bob, now=now)
    assert refused(ada, bob, now) == "You have already claimed Ada. The claim is still open."


def test_a_claim_is_decided_once(ada: Player, alice: User, bob: User, now: datetime) -> None:
    claim = decide_claim(make_claim(ada, bob, now=now), approve=False, by=alice, now=now)
    assert decision_error(claim, alice, now) == "This claim is already decided."


def test_a_pseudonym_cannot_be_claimed(ada: Player, bob: User, now: datetime) -> None:
    ada.is_pseudonym = True
    ada.save()
    assert refused(ada, bob, now) == "The account behind Ada has been deleted."


def test_claim_to_a_name_that_became_a_pseudonym_cannot_be_approved(
    ada: Player, alice: User, bob: User, now: datetime
) -> None:
    claim = make_claim(ada, bob, now=now)
    Player.objects.update(is_pseudonym=True)
    assert decision_error(claim, alice, now) == "The account behind Ada has been deleted."


def test_revoking_a_claim_withdraws_due_games_of_merged_names(alice: User, bob: User, now: datetime) -> None:
    (log,) = upload_file(record(), via=Upload.Via.WEB, now=now).logs.all()
    judge_all(now)
    game = Game.objects.get(logs=log)
    give_seat(game, 1, bob, now)
    ada = Player.objects.create(name="Ada Lovelace", account=alice, created_at=now)
    claim = Claim.objects.create(player=ada, account=alice, made_at=now, state=Claim.State.APPROVED, decided_at=now)
    Player.objects.filter(name="Ada").update(merged_into=ada)
    for account in (alice, bob):
        confirm(game, account, now=now)
    assert Acceptance.objects.get(number=None).game == game

    revoke_claim(claim, by=moderator(), answer="She is another.", now=now)

    assert not Acceptance.objects.exists()
