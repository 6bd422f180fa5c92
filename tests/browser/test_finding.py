"""The search in the header."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import HandIn
from tests.factories import record


def test_results_come_as_one_types_and_keys_lead_to_them(hand_in: HandIn, open_page: Callable[..., Page]) -> None:
    hand_in(record(names=("Dora", "Bruno")))
    page = open_page()
    page.goto("/rules/")
    page.keyboard.press("/")
    page.keyboard.type("dor")
    expect(page.locator("[data-found] .found-name").first).to_have_text("Dora")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dora")


def test_the_search_is_a_form_without_scripts(hand_in: HandIn, open_page: Callable[..., Page]) -> None:
    hand_in(record(names=("Dora", "Bruno")))
    page = open_page(scripts=False)
    page.goto("/rules/")
    page.get_by_role("searchbox").first.fill("dor")
    page.keyboard.press("Enter")
    expect(page.locator(".search-found .found-name").first).to_have_text("Dora")
