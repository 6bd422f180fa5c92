"""A rejected record is corrected on its page, with and without scripts, and the page looks right."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Upload
from tests.browser.conftest import ONE_SCREEN, SCREENS, on_screen
from tests.browser.soundness import unsound
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

SAMPLES = (Path(__file__).parents[2] / "games" / "samples" / "with-mistakes.agn").read_bytes().split(b"\n\n[")
REJECTED = SAMPLES[0] + b"\n"


@pytest.fixture
def rejected(live: str, now: datetime) -> Upload:
    """An upload of one record with a wrong name for an orange ant."""
    upload = upload_file(REJECTED, via=Upload.Via.WEB, now=now, filename="evening-3.agn")
    judge_all(now)
    return upload


@pytest.mark.full
def test_the_best_suggestion_corrects_the_record_in_place_for_upload(
    rejected: Upload, page: Page, now: datetime
) -> None:
    page.goto(rejected.get_absolute_url())
    page.evaluate("window.still = true")
    expect(page.get_by_role("heading", level=1)).to_have_text("It is Orange’s turn; R6 is a red ant.")

    page.get_by_role("button", name="Use O1:S").first.click()

    title = page.get_by_role("heading", level=1)
    expect(title).to_contain_text("wins")
    expect(title).to_be_focused()
    assert page.evaluate("window.still")
    page.get_by_role("button", name="Upload the corrected log").click()
    expect(page).not_to_have_url(rejected.get_absolute_url())
    judge_all(now)
    page.reload()
    expect(page.locator(".verdict-said")).to_contain_text("Verified: all")


@pytest.mark.full
def test_an_action_is_previewed_on_the_board_and_an_edited_text_is_checked(rejected: Upload, page: Page) -> None:
    page.goto(rejected.get_absolute_url())
    board = page.locator("svg.board")
    still = board.inner_html()

    page.locator('button[data-preview="O2:N"]').hover()
    expect(page.locator("[data-preview-says]")).to_contain_text("O2:N: O2 walks north.")
    assert board.inner_html() != still
    page.mouse.move(0, 0)
    expect(page.locator("[data-preview-says]")).to_have_text("")

    editor = page.get_by_role("textbox", name="Log")
    editor.fill(editor.input_value().replace("R6:N", "O1:SN"))
    editor.press("Control+Enter")
    expect(page.locator(".verdict-said")).to_contain_text("Rejected at line 17")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.full
def test_each_action_is_a_form_button_without_scripts(rejected: Upload, open_page: Callable[..., Page]) -> None:
    page = open_page(scripts=False)
    page.goto(rejected.get_absolute_url())

    expect(page.locator("mark").first).to_have_text("R6:N")
    page.locator('button[value="replace:O1:S"]').first.click()
    expect(page.locator(".verdict-said")).to_contain_text("Verified: all 104 actions are legal")
    page.get_by_role("button", name="Upload the corrected log").click()
    expect(page.get_by_text("0 of 1 checked.")).to_be_visible()


@pytest.mark.full
@SCREENS
def test_all_verdict_pages_are_accessible_and_fit_the_screen(
    rejected: Upload, open_page: Callable[..., Page], width: int, dark: bool
) -> None:
    page = open_page(width=width, dark=dark)
    page.goto(rejected.get_absolute_url())
    looked_at = on_screen(("rejected", "corrected", "waiting"), width)
    for name, button in (("rejected", "Use O1:S"), ("corrected", "Upload the corrected log"), ("waiting", "")):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert name not in looked_at or unsound(page) == [], name
        if button:
            page.get_by_role("button", name=button).first.click()
            expect(page.get_by_role("heading", level=1)).not_to_have_text("It is Orange’s turn; R6 is a red ant.")


@pytest.mark.full
@ONE_SCREEN
def test_a_verified_game_shows_who_won_and_how_it_can_count(
    live: str, alice: User, now: datetime, open_page: Callable[..., Page], width: int, dark: bool
) -> None:
    corrected = REJECTED.replace(b"R6:N", b"O1:S")
    upload = upload_file(corrected, via=Upload.Via.WEB, now=now, uploader=alice, filename="evening-3.agn")
    judge_all(now)
    page = open_page(alice, width=width, dark=dark)

    page.goto(upload.get_absolute_url())

    expect(page.get_by_role("heading", level=1)).to_contain_text("Gustav wins")
    expect(page.locator(".verdict #count")).to_contain_text("0 of 3 confirmed")
    assert unsound(page) == []
