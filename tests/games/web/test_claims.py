"""Claiming a name, and how others decide about it."""

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from games.models import Act, Claim, Player
from games.moderation import moderators
from tests.factories import record
from tests.games.web.conftest import UploadRecords, words_of

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]


@pytest.fixture
def ada(upload_records: UploadRecords, alice: User, now: datetime) -> Player:
    """A name that Alice uploaded first."""
    upload_records(record(), uploader=alice)
    return Player.objects.get(name="Ada")


def make(page: Client, player: Player, reason: str = "It is my name.") -> Claim:
    assert page.post(f"/players/{player.pk}/claim/", {"reason": reason})["Location"] == player.get_absolute_url()
    return Claim.objects.latest("pk")


def act_on_claim(page: Client, claim: Claim, act: str, answer: str = "") -> str:
    """Act on a claim; return the text of the page that follows."""
    return words_of(page.post(f"/claims/{claim.pk}/", {"act": act, "answer": answer}, follow=True).content.decode())


def test_signed_in_user_is_offered_to_claim_an_unclaimed_name(ada: Player, browse: Browse, bob: User) -> None:
    assert "Is this you?" in browse(bob).get(ada.get_absolute_url()).content.decode()
    assert "Is this you?" not in browse(None).get(ada.get_absolute_url()).content.decode()


def test_first_uploader_of_a_name_approves_its_claim(ada: Player, browse: Browse, alice: User, bob: User) -> None:
    claim = make(browse(bob), ada)
    assert "bob claims Ada" in words_of(browse(alice).get("/account/players/").content.decode())
    assert "approved · alice" in act_on_claim(browse(alice), claim, "approve", "I know him.")
    ada.refresh_from_db()
    assert ada.account == bob
    assert "This is your player." in browse(bob).get(ada.get_absolute_url()).content.decode()
    assert Act.objects.get().kind == "claim-approved"


def test_moderator_rejects_a_claim_with_an_answer(
    ada: Player, browse: Browse, bob: User, mallory: User, now: datetime
) -> None:
    moderators.make_moderator(mallory, now=now)
    claim = make(browse(bob), ada)
    assert f"/claims/{claim.pk}/" in browse(mallory).get("/moderation/").content.decode()
    act_on_claim(browse(mallory), claim, "refuse", "Ada is in Chile.")
    assert "Ada is in Chile." in browse(bob).get(f"/claims/{claim.pk}/").content.decode()
    ada.refresh_from_db()
    assert ada.account is None


@pytest.mark.full
def test_claimant_cannot_approve_their_own_claim(ada: Player, browse: Browse, alice: User, now: datetime) -> None:
    claim = make(browse(alice), ada)
    assert 'value="approve"' not in browse(alice).get(f"/claims/{claim.pk}/").content.decode()
    assert "This is your own claim: somebody else has to decide it." in act_on_claim(browse(alice), claim, "approve")
    moderators.make_moderator(alice, now=now)
    act_on_claim(browse(User.objects.get(pk=alice.pk)), claim, "approve")
    assert Claim.objects.get().state == "open"


def test_claim_is_hidden_from_uninvolved_accounts(ada: Player, browse: Browse, bob: User, mallory: User) -> None:
    claim = make(browse(bob), ada)
    assert browse(mallory).get(f"/claims/{claim.pk}/").status_code == 404
    assert browse(mallory).post(f"/claims/{claim.pk}/", {"act": "approve"}).status_code == 404
    assert browse(None).get(f"/claims/{claim.pk}/").status_code == 302


def test_a_claim_can_be_withdrawn_until_it_is_decided(ada: Player, browse: Browse, bob: User, alice: User) -> None:
    claim = make(browse(bob), ada)
    assert "withdrawn" in act_on_claim(browse(bob), claim, "withdraw")
    assert "This claim is already decided." in act_on_claim(browse(alice), claim, "approve")


def test_name_that_belongs_to_an_account_cannot_be_claimed(
    ada: Player, browse: Browse, bob: User, mallory: User
) -> None:
    Player.objects.filter(pk=ada.pk).update(account=bob)
    page = browse(mallory).post(f"/players/{ada.pk}/claim/", follow=True)
    assert "Ada already belongs to an account." in words_of(page.content.decode())
    assert Claim.objects.count() == 0


@pytest.mark.full
def test_a_moderator_revokes_a_claim_and_says_why(
    ada: Player, browse: Browse, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    moderators.make_moderator(mallory, now=now)
    claim = make(browse(bob), ada)
    act_on_claim(browse(alice), claim, "approve")
    assert "Give a reason." in act_on_claim(browse(mallory), claim, "revoke")
    act_on_claim(browse(mallory), claim, "revoke", "It was somebody else.")
    ada.refresh_from_db()
    assert ada.account is None
    assert Claim.objects.get().state == "revoked"


@pytest.mark.full
def test_bot_is_marked_wherever_it_is_named(ada: Player, browse: Browse, bob: User, mallory: User) -> None:
    Player.objects.filter(pk=ada.pk).update(account=bob)
    browse(bob).post(f"/players/{ada.pk}/bot/", {"bot": "yes"})
    for path in ("/", "/games/", ada.get_absolute_url()):
        assert "Bot: a program plays under this name" in browse(None).get(path).content.decode(), path
    refused = browse(mallory).post(f"/players/{ada.pk}/bot/", {"bot": "no"}, follow=True)
    assert "Ada is not your player." in words_of(refused.content.decode())
    browse(bob).post(f"/players/{ada.pk}/bot/", {"bot": "no"})
    assert [act.kind for act in Act.objects.order_by("pk")] == ["bot-marked", "bot-unmarked"]


def test_own_players_and_claims_are_listed(ada: Player, browse: Browse, bob: User) -> None:
    make(browse(bob), ada)
    page = words_of(browse(bob).get("/account/players/").content.decode())
    assert "No player belongs to your account yet." in page
    assert "Your claims Ada to be decided" in page


@pytest.mark.full
def test_other_players_see_a_contestable_claim_without_its_reason(
    ada: Player, browse: Browse, call: Callable[[User], APIClient], alice: User, bob: User, mallory: User
) -> None:
    Player.objects.filter(name="Bruno").update(account=mallory)
    claims = {"own": make(browse(alice), ada, "My diary."), "other": make(browse(bob), ada, "My passport.")}
    pages = {which: browse(mallory).get(f"/claims/{claim.pk}/") for which, claim in claims.items()}
    answers = {which: call(mallory).get(f"/api/v1/claims/{claim.pk}") for which, claim in claims.items()}
    assert (pages["other"].status_code, answers["other"].status_code) == (404, 404)
    assert "contest" in pages["own"].content.decode()
    assert "My diary." not in pages["own"].content.decode()
    assert (answers["own"].json()["reason"], answers["own"].json()["answer"]) == ("", "")

    assert "My diary." in browse(alice).get(f"/claims/{claims['own'].pk}/").content.decode()
    assert call(alice).get(f"/api/v1/claims/{claims['own'].pk}").json()["reason"] == "My diary."
    assert call(alice).get(f"/api/v1/claims/{claims['other'].pk}").json()["reason"] == "My passport."
    assert "claim" in act_on_claim(browse(mallory), claims["own"], "contest", "It is not hers.").lower()


@pytest.mark.parametrize("state", ["refused", "withdrawn", "revoked", "approved"])
def test_decided_claim_is_shown_to_other_players_only_if_approved(
    state: str, ada: Player, browse: Browse, call: Callable[[User], APIClient], bob: User, mallory: User
) -> None:
    now = ada.created_at
    Player.objects.filter(name="Bruno").update(account=mallory)
    claim = Claim.objects.create(
        player=ada, account=bob, reason="My passport.", answer="Seen.", state=state, made_at=now, decided_at=now
    )
    page, answer = browse(mallory).get(f"/claims/{claim.pk}/"), call(mallory).get(f"/api/v1/claims/{claim.pk}")
    assert page.status_code == answer.status_code == (200 if state == "approved" else 404)
    for text in (page.content.decode(), answer.content.decode()):
        assert "My passport." not in text
        assert "Seen." not in text


@pytest.mark.full
def test_a_claim_that_changes_after_it_was_read_is_not_decided(
    ada: Player, browse: Browse, alice: User, bob: User, mallory: User
) -> None:
    claim = make(browse(bob), ada)
    page = browse(alice).get(f"/claims/{claim.pk}/").content.decode()
    (seen,) = re.findall(r'name="seen" value="(\w+)"', page)
    make(browse(mallory), ada)
    late = {"act": "approve", "answer": "I know him.", "seen": seen}
    answer = browse(alice).post(f"/claims/{claim.pk}/", late)
    assert answer.status_code == 409
    assert "This claim was contested, or others claimed the name, since you read it." in answer.content.decode()
    assert "I know him.</textarea>" in answer.content.decode()
    claim.refresh_from_db()
    assert claim.state == Claim.State.OPEN
    (again,) = re.findall(r'name="seen" value="(\w+)"', answer.content.decode())
    assert browse(alice).post(f"/claims/{claim.pk}/", late | {"seen": again}).status_code == 303
    claim.refresh_from_db()
    assert claim.state == Claim.State.APPROVED
