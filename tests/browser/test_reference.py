"""The index of the API's reference: it is searched as one types, and old addresses lead to their pages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.full
DOCS = "/api/v1/docs/"


@pytest.mark.parametrize(
    ("anchor", "page"),
    [("get_game", "games/get_game/"), ("shape-GameShape", "types/GameShape/"), ("games", "#games"), ("%", "#%")],
)
def test_an_address_of_the_reference_of_one_page_leads_to_its_page(
    live: str, open_page: Callable[..., Page], anchor: str, page: str
) -> None:
    opened = open_page()
    opened.goto(f"{DOCS}#{anchor}")
    expect(opened).to_have_url(re.compile(f"{DOCS}{page}$"))


def test_operations_and_types_are_found_as_one_types(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page(width=390)
    page.goto(DOCS)
    expect(page.locator("#put_game_favourite")).to_be_hidden()
    page.get_by_role("searchbox", name="Search the reference").fill("put favourite")
    expect(page.locator("[data-entry]:visible")).to_have_count(1)
    expect(page.locator("#put_game_favourite")).to_contain_text("Add a game to the account's favourites")
    page.get_by_role("searchbox", name="Search the reference").fill("aardvark")
    expect(page.get_by_text("Nothing in the reference has these words.")).to_be_visible()


def test_without_a_script_an_old_address_shows_its_entry_on_a_phone(live: str, chromium: Browser) -> None:
    context = chromium.new_context(base_url=live, viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{DOCS}#get_game")
    expect(page.locator("#get_game")).to_be_in_viewport()
    context.close()
