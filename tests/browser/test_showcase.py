"""The top of the front page: a game that can be broken."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.late import can_hold, hold, release, wait_for_held

TRAILS = "/?game=ant-trails&break=1"


def test_a_game_is_broken_restored_and_continued_without_a_page_load(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto(TRAILS)
    page.evaluate("window.kept = true")
    page.get_by_role("link", name="Another mistake").click()
    expect(page.locator(".answer-says")).to_have_text("There is already an ant on i10.")
    page.locator(".token-button", has_text="e3").click()
    expect(page.locator(".answer-stamp")).to_contain_text("Legal")
    page.get_by_role("link", name="Put it back").click()
    expect(page.locator(".answer")).to_have_count(0)
    page.get_by_role("link", name="Next").click()
    expect(page.locator("[data-at]")).to_have_text("93")
    expect(page.locator('.showcase-board [data-id="ant:e3"]')).to_have_count(1)
    assert page.evaluate("window.kept") is True


@pytest.mark.full
def test_every_button_works_as_a_link_without_scripts(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page(scripts=False)
    page.goto(TRAILS)
    page.get_by_role("link", name="Another mistake").click()
    expect(page.locator(".answer-says")).to_have_text("There is already an ant on i10.")
    page.get_by_role("link", name="Put it back").click()
    expect(page.locator(".answer")).to_have_count(0)
    page.get_by_role("link", name="First position").click()
    expect(page.locator(".showcase-board [data-id^='ant:']")).to_have_count(0)


@pytest.mark.full
def test_it_breaks_the_game_by_itself_and_does_not_play_again_after_a_reload(
    live: str, open_page: Callable[..., Page]
) -> None:
    page = open_page()
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/")
    expect(page.locator(".showcase:not(.rests)")).to_have_count(0)
    expect(page.locator(".answer")).to_be_visible(timeout=20_000)
    page.reload()
    expect(page.locator(".answer")).to_be_visible()
    expect(page.locator(".showcase:not(.rests)")).to_have_count(0)


@pytest.mark.full
def test_only_the_last_of_several_quick_clicks_is_shown(live: str, open_page: Callable[..., Page]) -> None:
    page = can_hold(open_page())
    page.goto(TRAILS)
    hold(page, "frames")
    for _ in range(2):
        page.get_by_role("link", name="Previous").click()
    wait_for_held(page)
    release(page)
    expect(page.locator("[data-at]")).to_have_text("90")
    hold(page, "part=showcase")
    page.get_by_role("link", name="Break this move").click()
    wait_for_held(page)
    page.get_by_role("link", name="Previous").click()
    expect(page.locator("[data-at]")).to_have_text("89")
    release(page)
    expect(page.locator("[data-at]")).to_have_text("89")
    expect(page.locator(".answer")).to_have_count(0)


@pytest.mark.full
def test_it_does_not_begin_by_itself_after_it_was_touched(live: str, open_page: Callable[..., Page]) -> None:
    page = can_hold(open_page())
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script("holds = 'lead=1';")
    page.goto("/")
    wait_for_held(page)
    at = page.locator("[data-at]").inner_text()
    page.locator("[data-caption]").click()
    release(page)
    expect(page.locator("[data-at]")).to_have_text(at)


def test_on_a_phone_board_and_controls_are_as_wide_as_the_screen(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page(width=390)
    page.goto("/")
    for part in (".showcase-board .board", ".showcase-board .controls-steps"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["width"] > 340
