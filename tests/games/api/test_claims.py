"""Claims in the API."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle

from games.models import Claim, Player
from games.moderation.moderators import make_moderator

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]


@pytest.fixture
def ada(alice: User, now: datetime) -> Player:
    """A name first uploaded by Alice."""
    return Player.objects.create(name="Ada", source="Casa", introduced_by=alice, created_at=now)


def error(answer: Any) -> tuple[int, str, str]:
    fault = answer.json()["error"]
    return answer.status_code, fault["code"], fault["message"]


def claim(client: APIClient, player: Player, reason: str = "It is my name.") -> Any:
    return client.post(f"/api/v1/players/{player.pk}/claims", {"reason": reason})


def test_claim_can_be_made_and_read_back(ada: Player, call: Call, bob: User) -> None:
    answer = claim(call(bob), ada)

    assert answer.status_code == 201
    found = call(bob).get(answer.json()["url"]).json()
    assert found == answer.json()
    assert (found["player"]["name"], found["by"], found["reason"]) == ("Ada", "bob", "It is my name.")
    assert (found["state"], found["decided_by"], found["decided_at"], found["answer"]) == ("open", None, None, "")


def test_first_uploader_of_a_name_finds_and_decides_its_claim(ada: Player, call: Call, alice: User, bob: User) -> None:
    claim(call(bob), ada)
    (found,) = call(alice).get("/api/v1/account/claims/to-decide").json()["claims"]

    decided = call(alice).post(f"{found['url']}/decision", {"approve": True, "answer": "I know him."}).json()

    assert (decided["state"], decided["decided_by"], decided["answer"]) == ("approved", "alice", "I know him.")
    assert Player.objects.get().account == bob
    assert call(alice).get("/api/v1/account/claims/to-decide").json()["claims"] == []
    assert error(call(alice).post(f"{found['url']}/decision", {"approve": False})) == (
        409, "decided", "This claim is already decided.",
    )  # fmt: skip


def test_own_claims_are_listed_newest_first(ada: Player, call: Call, bob: User, now: datetime) -> None:
    other = Player.objects.create(name="Adah", source="Casa", created_at=now)
    for player in (ada, other):
        claim(call(bob), player)
    listed = call(bob).get("/api/v1/account/claims").json()
    assert [one["player"]["name"] for one in listed["claims"]] == ["Adah", "Ada"]
    assert (listed["newer"], listed["older"]) == (None, None)
    assert call(bob).get("/api/v1/account/claims?before=x").status_code == 400


def test_claim_can_be_withdrawn_only_by_its_claimant(ada: Player, call: Call, alice: User, bob: User) -> None:
    address = claim(call(bob), ada).json()["url"]
    assert error(call(alice).post(f"{address}/withdrawal")) == (
        403,
        "not_yours",
        "This claim belongs to another account.",
    )
    assert call(bob).post(f"{address}/withdrawal").json()["state"] == "withdrawn"


def test_moderator_revokes_a_claim_with_a_reason(
    ada: Player, call: Call, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    make_moderator(mallory, now=now)
    address = claim(call(bob), ada).json()["url"]
    call(alice).post(f"{address}/decision", {"approve": True})

    said = "Only a moderator can revoke a claim."
    assert error(call(alice).post(f"{address}/revocation", {"answer": "No."})) == (403, "not_allowed", said)
    assert error(call(mallory).post(f"{address}/revocation", {"answer": ""})) == (400, "no_reason", "Give a reason.")
    assert call(mallory).post(f"{address}/revocation", {"answer": "It was another."}).json()["state"] == "revoked"
    assert Player.objects.get().account is None


def test_claim_that_cannot_be_made_returns_an_error_code(ada: Player, call: Call, bob: User, mallory: User) -> None:
    claim(call(bob), ada)
    assert error(claim(call(bob), ada))[:2] == (409, "asked")
    Player.objects.update(account=bob)
    assert error(claim(call(mallory), ada)) == (409, "taken", "Ada already belongs to an account.")
    Player.objects.update(account=None, is_pseudonym=True)
    assert error(claim(call(mallory), ada))[:2] == (409, "pseudonym")
    assert claim(call(bob), Player(pk=10**17)).status_code == 404


def test_own_claim_cannot_be_decided(ada: Player, call: Call, alice: User) -> None:
    address = claim(call(alice), ada).json()["url"]
    answer = call(alice).post(f"{address}/decision", {"approve": True})
    assert error(answer) == (403, "own_case", "This is your own claim: somebody else has to decide it.")


def test_claim_is_hidden_from_uninvolved_accounts(ada: Player, call: Call, bob: User, mallory: User) -> None:
    address = claim(call(bob), ada).json()["url"]
    assert call(mallory).get(address).status_code == 404
    assert call(mallory).post(f"{address}/decision", {"approve": True}).status_code == 404
    for path in (address, "/api/v1/account/claims", "/api/v1/account/claims/to-decide"):
        assert call().get(path).status_code == 401
    assert Claim.objects.get().state == "open"


def test_claims_are_rate_limited(ada: Player, call: Call, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"claim": "2/hour"})
    client = call(bob)
    assert [claim(client, ada).status_code for _ in range(3)] == [201, 409, 429]


def test_deeply_nested_body_is_rejected(ada: Player, call: Call, bob: User) -> None:
    body = b"[" * 60_000
    answer = call(bob).post(f"/api/v1/players/{ada.pk}/claims", body, content_type="application/json")
    assert error(answer) == (400, "parse_error", "This JSON is nested too deeply.")
