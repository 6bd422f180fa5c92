"""A touch that is not legal answers with one sentence of the rules, wherever a board accepts actions."""

import pytest
from playwright.sync_api import Page, expect

from engine.registry import ruleset_by_slug
from tests.browser.conftest import UploadRecords
from tests.browser.scoring import hold_board, paste, touch
from tests.browser.test_playing_here import sit_down
from tests.factories import record

GAME = record("1. NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2")
OTHERS = "It is Yellow’s turn; R1 is a red ant."


def refused(page: Page, target: str, sentence: str) -> None:
    """Touch a target, and expect a sentence for a moment, on the page and for those who only hear it."""
    touch(page, target)
    expect(page.locator("[data-reason].is-refused:visible").first).to_have_text(sentence)
    expect(page.locator("[data-live]").first).to_have_text(sentence)
    expect(page.locator(".mark.refused")).to_have_count(1)
    expect(page.locator("[data-reason].is-refused:visible")).to_have_count(0)
    expect(page.locator(".mark.refused")).to_have_count(0)


def test_at_a_table_without_the_engine_in_the_browser(page: Page) -> None:
    sit_down(page, ruleset_by_slug("army-ants"))
    cell = page.evaluate("board.scene.pieces.get('BQ').title").split(" on ")[1]
    refused(page, "BQ", f"It is Red’s turn; the card on {cell} is Black’s.")


@pytest.mark.full
def test_on_the_score_sheet(page: Page) -> None:
    hold_board(page).goto("/score/")
    paste(page, record("1. NS@0,2 R1:N R2:E / Y1:S *").decode())
    expect(page.locator("[data-stage-at]")).to_have_text("5 / 5")
    refused(page, "R1", OTHERS)
    refused(page, "Y1", "Ant Y1 has already moved this turn.")


@pytest.mark.full
def test_in_what_if(upload_records: UploadRecords, page: Page) -> None:
    (game,) = upload_records(GAME)
    hold_board(page).goto(f"/games/{game.key}/?ply=5")
    page.get_by_role("button", name="What if", exact=True).click()
    page.wait_for_function("() => globalThis.board?.position?.ply === 5")
    refused(page, "R1", OTHERS)


@pytest.mark.full
def test_on_the_score_sheet_every_colour_that_is_left_may_have_resigned(page: Page) -> None:
    hold_board(page).goto("/score/")
    paste(page, record("1. NS@0,2 R1:N R2:E / Y1:S *").decode())
    page.get_by_text("Somebody left, or a draw was agreed").click()
    expect(page.locator("[data-resigning] button")).to_have_count(2)
    page.locator("[data-resigning] button").first.click()
    expect(page.locator("[data-stage-at]")).to_have_text("6 / 6")
    assert page.evaluate("board.position.frame.token") == "resign:R"
