"""Confirmations and disputes in the API."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle

from games.models import Acceptance, Dispute, Game
from tests.factories import duels
from tests.games.seats import give_seat
from tests.games.web.test_consent import judged

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Alice plays as Ada, Bob as Bruno."""
    game = judged()
    give_seat(game, 0, alice, timezone.now())
    give_seat(game, 1, bob, timezone.now())
    return game


def address(game: Game, part: str) -> str:
    return f"/api/v1/games/{game.key}/{part}"


def error(answer: Any) -> tuple[int, str, str]:
    fault = answer.json()["error"]
    return answer.status_code, fault["code"], fault["message"]


def test_anyone_can_read_the_confirmations_of_a_game(game: Game, call: Call, alice: User) -> None:
    call(alice).post(address(game, "confirmation"))

    consent = call().get(address(game, "consent")).json()

    assert (consent["state"], consent["ineligible_reason"], consent["acceptances"], consent["disputes"]) == (
        "partly",
        "",
        [],
        [],
    )
    ada, bruno = consent["seats"]
    assert (ada["letter"], ada["name"], ada["claimed"]) == ("R", "Ada", True)
    assert (ada["confirmation"]["by"], ada["confirmation"]["how"]) == ("alice", "explicit")
    assert consent["until"] == ada["confirmation"]["until"]
    assert bruno["confirmation"] is None


def test_last_confirmation_rates_the_game(game: Game, call: Call, alice: User, bob: User) -> None:
    assert call(alice).post(address(game, "confirmation")).status_code == 200
    answer = call(bob).post(address(game, "confirmation"))
    (acceptance,) = answer.json()["acceptances"]
    assert (acceptance["ruleset"], acceptance["club"], acceptance["number"]) == ("atta-ants-online", None, 1)
    assert acceptance["counts"]


@pytest.mark.full
def test_confirmation_can_be_withdrawn_until_the_game_is_rated(game: Game, call: Call, alice: User, bob: User) -> None:
    call(alice).post(address(game, "confirmation"))
    assert call(alice).delete(address(game, "confirmation")).json()["state"] == "pending"
    assert error(call(alice).delete(address(game, "confirmation"))) == (
        409, "not_confirmed", "You have not confirmed this game.",
    )  # fmt: skip
    for account in (alice, bob):
        call(account).post(address(game, "confirmation"))
    assert error(call(alice).delete(address(game, "confirmation")))[:2] == (409, "counted")


def test_a_dispute_is_raised_with_a_reason_and_withdrawn(game: Game, call: Call, alice: User, bob: User) -> None:
    answer = call(bob).post(address(game, "dispute"), {"reason": "I was ill."})
    assert (answer.status_code, answer.json()["state"]) == (201, "disputed")
    (dispute,) = answer.json()["disputes"]
    assert (dispute["by"], dispute["reason"], dispute["state"]) == ("bob", "I was ill.", "open")

    withdrawal = address(game, f"disputes/{dispute['id']}/withdrawal")
    assert call(alice).post(withdrawal).status_code == 404
    assert call(bob).post(withdrawal).json()["disputes"][0]["state"] == "withdrawn"
    assert error(call(bob).post(withdrawal)) == (409, "closed", "This dispute is already settled.")


def test_a_dispute_needs_a_reason(game: Game, call: Call, bob: User) -> None:
    assert error(call(bob).post(address(game, "dispute"), {})) == (400, "invalid", "This field is required.")
    said = "Describe what is wrong with the game."
    assert error(call(bob).post(address(game, "dispute"), {"reason": " "})) == (400, "no_reason", said)
    assert not Dispute.objects.exists()


def test_only_accounts_seated_in_the_game_can_confirm_or_dispute(game: Game, call: Call, mallory: User) -> None:
    said = "None of your players played in this game."
    assert error(call(mallory).post(address(game, "confirmation"))) == (403, "not_seated", said)
    assert error(call(mallory).post(address(game, "dispute"), {"reason": "No."})) == (403, "not_seated", said)
    for part in ("confirmation", "dispute", "disputes/1/withdrawal"):
        assert error(call().post(address(game, part)))[:2] == (401, "not_authenticated")
    assert call().get("/api/v1/account/waiting").status_code == 401


@pytest.mark.usefixtures("uncounted")
def test_disputes_are_rate_limited(game: Game, call: Call, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"dispute": "2/hour"})
    client = call(bob)
    codes = [client.post(address(game, "dispute"), {"reason": ""}).status_code for _ in range(3)]
    assert codes == [400, 400, 429]


@pytest.mark.full
def test_games_waiting_for_own_confirmation_are_listed(call: Call, alice: User, bob: User) -> None:
    games = [judged(text=text) for text in duels(3)]
    for seat, account in enumerate((alice, bob)):
        give_seat(games[0], seat, account, timezone.now())
    client = call(alice)

    def waiting() -> list[str]:
        return [row["key"] for row in client.get("/api/v1/account/waiting").json()["games"]]

    assert waiting() == [game.key for game in reversed(games)]
    client.post(address(games[0], "confirmation"))
    client.post(address(games[1], "dispute"), {"reason": "No."})
    assert waiting() == [games[2].key]
    assert client.get("/api/v1/account/waiting?before=x").status_code == 400
    assert not Acceptance.objects.exists()
