"""Four people take a game from a file to its rating, in a limited number of clicks."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Game
from games.moderation import moderators
from games.run import rate_waiting
from tests.games.invitations.asking import evening, invited, link
from tests.games.judging import judge_all
from tests.games.web.accounts.forms import PASSWORD

GAME = Path("fixtures/atta_ants/games/shared-second-of-four.agn")
FOUR = ("Ada", "Bruno", "Chloé", "Dịu")
CLICKS = 7
"""Upload, "I only kept the log", "Copy one link for everybody", and one for each of four signed-in players,
whose accounts are called as in the log."""


class Counting:
    """Counts clicks."""

    def __init__(self) -> None:
        self.clicks = 0

    def click(self, page: Page, name: str) -> None:
        page.get_by_role("button", name=name).first.click()
        self.clicks += 1


@pytest.mark.full
def test_a_game_of_four_is_rated_after_seven_clicks(live: str, open_page: Callable[..., Page]) -> None:
    keeper, people = User.objects.create_user("olga"), [User.objects.create_user(name) for name in FOUR]
    moderators.make_moderator(keeper, now=timezone.now())
    hand, page = Counting(), open_page(keeper)
    page.goto("/upload/")
    page.get_by_label("Or paste the text").fill(GAME.read_text())
    hand.click(page, "Upload")
    page.wait_for_url("**/uploads/*-*/")
    judge_all(timezone.now())
    page.reload()
    hand.click(page, "None of them: I only recorded the game")
    address = page.get_by_role("button", name="Copy one link for everybody").get_attribute("data-copy") or ""
    hand.clicks += 1  # the link is copied and sent to the group
    for person in people:
        other = open_page(person, width=390)
        other.goto(address)
        hand.click(other, "Confirm the game")
        expect(other.locator("h1")).to_have_text("The game is confirmed")
    rate_waiting(now=timezone.now())
    page.reload()
    page.locator("main").get_by_role("link", name="Watch").click()
    page.goto(Game.objects.get().get_absolute_url())
    expect(page.locator("#consent")).to_contain_text("rated (game 1, ")
    assert hand.clicks == CLICKS


@pytest.mark.full
def test_a_visitor_without_an_account_confirms_all_games_without_scripts(
    live: str, alice: User, open_page: Callable[..., Page]
) -> None:
    bruno = invited("Bruno", evening(alice, timezone.now()), alice, timezone.now())
    page = open_page(width=390, scripts=False)
    page.goto(link(bruno.invitation))
    page.get_by_label("E-mail address").fill("bruno@ants.example")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm all 3 games").click()
    expect(page.locator("h1")).to_contain_text("Check your mail")
