"""Confirming a game on a phone."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Acceptance, Game, Upload
from games.run import rate_waiting
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file
from tests.tiers import first_quick

PHONE = 390


@pytest.fixture
def games(live: str, now: datetime, alice: User, bob: User) -> list[Game]:
    """Alice plays as Ada, Bob as Bruno."""
    upload = upload_file(b"\n".join(duels(3)), via=Upload.Via.WEB, now=timezone.now(), filename="evening.agn")
    judge_all(timezone.now())
    games = [log.game for log in upload.logs.order_by("number") if log.game]
    for seat, account in enumerate((alice, bob)):
        give_seat(games[0], seat, account, now)
    return games


@pytest.mark.parametrize("scripts", first_quick([True, False]))
def test_both_players_can_confirm_a_game_on_its_page(
    games: list[Game], alice: User, bob: User, open_page: Callable[..., Page], *, scripts: bool
) -> None:
    page = open_page(alice, width=PHONE, scripts=scripts)
    page.goto(f"/games/{games[0].key}/")
    panel = page.locator("#consent")
    panel.get_by_role("button", name="Confirm").click()
    expect(panel).to_contain_text("Site ladder: waiting for 1 confirmation.")
    panel.get_by_role("button", name="Withdraw confirmation").click()
    expect(panel).to_contain_text("not confirmed yet")
    panel.get_by_role("button", name="Confirm").click()
    expect(panel).to_contain_text("Ada confirmed by alice")

    other = open_page(bob, width=PHONE, scripts=scripts)
    other.goto(f"/games/{games[0].key}/")
    other.get_by_role("button", name="Confirm and rate the game").click()
    expect(other.locator("#consent")).to_contain_text("Bruno confirmed by bob")
    rate_waiting(now=timezone.now())  # a busy server leaves it to the worker
    other.reload()
    expect(other.locator("#consent")).to_contain_text("rated (game 1, ")
    assert other.evaluate("document.documentElement.scrollWidth") <= PHONE


@pytest.mark.full
def test_a_game_is_disputed_with_a_reason(games: list[Game], bob: User, open_page: Callable[..., Page]) -> None:
    page = open_page(bob, width=PHONE)
    page.goto(f"/games/{games[0].key}/")
    page.get_by_text("Report a problem").click()
    page.get_by_label("What is wrong with the game").fill("I was ill that evening.")
    page.get_by_role("button", name="Dispute game").click()
    expect(page.locator("#consent .stamp")).to_have_text("disputed")
    page.get_by_role("button", name="Withdraw dispute").click()
    expect(page.locator("#consent .stamp")).to_have_text("not confirmed yet")


@pytest.mark.full
def test_many_games_are_confirmed_at_once(games: list[Game], alice: User, open_page: Callable[..., Page]) -> None:
    page = open_page(alice, width=PHONE)
    page.goto("/account/")
    page.get_by_label("Select all").check()
    page.get_by_role("button", name="Confirm selected").click()
    expect(page.get_by_role("status")).to_contain_text("3 games confirmed.")
    expect(page.locator("main")).to_contain_text("No games to confirm.")
    assert not Acceptance.objects.exists()
