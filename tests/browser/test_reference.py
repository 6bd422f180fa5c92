"""The API's reference: Swagger UI on a page of the site, within its policy and its screen, light and dark."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.browser.conftest import EVERY_SCREEN

pytestmark = pytest.mark.full
DOCS = "/api/v1/docs/"
INK = {False: "rgb(59, 65, 81)", True: "rgb(228, 230, 230)"}
"""The colour of writing, by whether the page is dark."""


@pytest.mark.parametrize(("width", "dark"), EVERY_SCREEN)
def test_an_address_leads_to_its_operation_which_fits_on_the_screen(
    live: str, open_page: Callable[..., Page], width: int, *, dark: bool
) -> None:
    page = open_page(width=width, dark=dark)
    page.goto(f"{DOCS}#/games/get_game")
    operation = page.locator("#operations-games-get_game")
    expect(operation.locator(".responses-table").first).to_be_attached()
    expect(operation).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("getComputedStyle(document.querySelector('.opblock-tag')).color") == INK[dark]


def test_operations_are_found_by_their_words(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page(width=390)
    page.goto(DOCS)
    expect(page.locator(".opblock-tag").first).to_be_visible()
    expect(page.locator(".opblock")).to_have_count(0)
    search = page.get_by_placeholder("Words of an operation")
    search.fill("put favourite")
    expect(page.locator(".opblock")).to_have_count(1)
    expect(page.locator(".opblock")).to_contain_text("/api/v1/games/{key}/favourite")
    search.fill("aardvark")
    expect(page.locator(".opblock")).to_have_count(0)


def test_a_request_is_tried_as_the_account_that_is_signed_in(
    live: str, open_page: Callable[..., Page], alice: User
) -> None:
    page = open_page(alice)
    page.goto(f"{DOCS}#/account/post_account_collections")
    operation = page.locator("#operations-account-post_account_collections")
    operation.get_by_role("button", name="Try it out").click()
    operation.locator("textarea").fill('{"name": "Evenings"}')
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text("201")


def test_the_page_never_has_two_main_parts(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.add_init_script(
        """window.mains = [];
        const count = () => {
          mains.push(document.querySelectorAll("main:not([role])").length);
          requestAnimationFrame(count);
        };
        requestAnimationFrame(count);"""
    )
    page.goto(DOCS)
    expect(page.locator(".opblock-tag").first).to_be_visible()
    assert page.evaluate("Math.max(...mains)") == 1
