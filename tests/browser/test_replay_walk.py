"""The way of a newcomer: a game is searched for, explored, saved as a study and shared, by what can be seen."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, UploadRecords
from tests.strategies import FIXTURES

pytestmark = pytest.mark.full
WIDTHS = pytest.mark.parametrize("width", [PHONE, 1280])


def find(page: Page, width: int) -> None:
    """Search for a player, and open her game."""
    page.goto("/")
    if width == PHONE:
        page.get_by_role("link", name="Search", exact=True).click()
    page.locator("input[type=search]:visible").first.fill("Ada")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/**")
    page.locator("main a[href^='/games/']:has-text('Bruno')").first.click()


@WIDTHS
def test_a_game_is_found_explored_and_saved_as_a_study(
    upload_records: UploadRecords, alice: User, open_page: Callable[..., Page], width: int
) -> None:
    upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    page = open_page(alice, width=width)
    find(page, width)
    page.locator("[data-menu] summary").click()
    page.get_by_role("link", name="Next event").click()
    page.get_by_role("link", name="Look closer").click()
    page.locator("[data-closer] [data-act]").first.click()
    expect(page.locator(".branch-moves .move[aria-current]")).to_have_count(1)
    page.get_by_role("button", name="Save as a study").click()
    expect(page.locator(".variation .move")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@WIDTHS
def test_a_game_that_was_found_is_shared_from_its_first_screen(
    upload_records: UploadRecords, open_page: Callable[..., Page], width: int
) -> None:
    upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    page = open_page(width=width)
    find(page, width)
    page.get_by_role("link", name="Share", exact=True).click()
    expect(page.get_by_role("heading", name="Share")).to_be_in_viewport()
    picture = page.get_by_role("link", name="Picture (PNG)").get_attribute("href") or ""
    assert page.request.get(picture).headers["content-type"] == "image/png"
    page.get_by_text("Embed this game").click()
    expect(page.locator(".embed-code code")).to_have_text(re.compile(r"<iframe .*/embed/"))
    page.get_by_role("link", name="Film (GIF, WebP or MP4)").click()
    page.get_by_role("button", name="Make the film").click()
    expect(page).to_have_url(re.compile(r"/films/\d+/$"))


def test_a_whole_game_is_made_a_study_without_a_branch(
    upload_records: UploadRecords, alice: User, open_page: Callable[..., Page]
) -> None:
    (game,) = upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    page = open_page(alice)
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="Make a study of this game").click()
    expect(page).to_have_url(re.compile("/studies/"))
    expect(page.locator("[data-tree] .move").first).to_have_text("b2~b3")
