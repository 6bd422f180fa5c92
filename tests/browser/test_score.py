"""The score sheet keeps text and board in sync: typing, faults, going back, branches, comments, upload."""

import re
from collections.abc import Callable
from datetime import datetime
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from engine.agn.lines import json_line
from engine.verify import verify_file
from games.models import Upload
from games.uploads.origin import UploadOptions
from tests.browser.late import can_hold, hold, release, wait_for_held
from tests.browser.scoring import hold_board, paste, score, text_of, touch, type_at_end
from tests.conftest import Worker
from tests.factories import record
from tests.games.test_upload_options import CHOSEN, let_choose, wished
from tests.tiers import by_tier

RECORD = record("1. NS@0,2 R1:N R2:E / Y1:S *").decode()
GAME = RECORD.removesuffix(" *\n")
"""The record while it is edited, without a result."""
TOGETHER: list[tuple[str, ...]] = [("scored", "private", "dry_run"), ("club", "webhook")]
"""All upload options: games for a club are neither private nor training games."""


@pytest.fixture
def sheet(page: Page) -> Page:
    """A sheet with an unfinished record, five actions long."""
    hold_board(can_hold(page)).goto("/score/")
    paste(page, RECORD)
    expect(at(page)).to_have_text("5 / 5")
    return page


def at(page: Page) -> Locator:
    return page.locator("[data-stage-at]")


@pytest.mark.full
def test_unfinished_record_continues_from_its_last_action(sheet: Page) -> None:
    score(sheet, ("Y2:W", "/"), first=5)
    expect(text_of(sheet)).to_have_value(f"{GAME} Y2:W /")
    expect(sheet.locator("[data-round]")).to_have_text("Round 2")


@pytest.mark.full
def test_the_board_follows_what_is_typed_and_the_caret(sheet: Page) -> None:
    type_at_end(sheet, " Y2:W ")
    expect(at(sheet)).to_have_text("6 / 6")
    assert sheet.evaluate("board.position.frame.token") == "Y2:W"
    field = text_of(sheet)
    field.evaluate("(area) => area.setSelectionRange(area.value.indexOf('R1:N') + 2, area.value.indexOf('R1:N') + 2)")
    expect(at(sheet)).to_have_text("2 / 6")
    sheet.keyboard.press("Control+End")
    expect(at(sheet)).to_have_text("6 / 6")


def test_fault_is_underlined_and_explained_and_the_board_shows_the_position_before_it(sheet: Page) -> None:
    type_at_end(sheet, " Y1:N Y2:W ")
    expect(sheet.locator(".editor-wrong")).to_have_text("Y1:N")
    expect(sheet.locator(".editor-rest").first).to_have_text("Y2:W")
    expect(sheet.locator("[data-fault-said]")).to_contain_text("Ant Y1 has already moved this turn.")
    expect(at(sheet)).to_have_text("5 / 5")
    expect(sheet.locator("[data-upload]")).to_have_text("Upload fix 1 fault first", use_inner_text=True)
    expect(sheet.locator("[data-upload]")).to_have_attribute("aria-disabled", "true")
    sheet.locator("[data-stage-at]").click()
    box = sheet.locator(".editor-wrong").bounding_box()
    assert box
    sheet.mouse.move(box["x"] + 5, box["y"] + 5)
    expect(sheet.locator("[data-tip]")).to_contain_text("ATTA-MOVE-1: ")
    expect(sheet.locator("[data-tip]")).to_contain_text("it has not moved in this turn")


@pytest.mark.full
def test_tab_accepts_a_completion_and_arrow_keys_choose_another(sheet: Page) -> None:
    type_at_end(sheet, " Y2:")
    offered = sheet.get_by_role("listbox", name="Legal here").get_by_role("option")
    expect(offered).to_have_count(4)
    wrong, box = (sheet.locator(part).bounding_box() for part in (".editor-wrong", "[data-fault]"))
    assert wrong
    assert box
    assert 0 <= box["y"] - wrong["y"] - wrong["height"] < wrong["height"]
    second = offered.nth(1).locator("code").inner_text()
    sheet.keyboard.press("ArrowDown")
    sheet.keyboard.press("ArrowDown")
    sheet.keyboard.press("Tab")
    expect(text_of(sheet)).to_have_value(f"{GAME} {second} ")
    expect(at(sheet)).to_have_text("6 / 6")
    sheet.keyboard.type("/x")
    expect(offered.first).to_contain_text("Tab")
    sheet.keyboard.press("Escape")
    expect(sheet.locator("[data-fault]")).to_be_hidden()


@pytest.mark.full
def test_action_clicked_on_the_board_replaces_a_typed_fault(sheet: Page) -> None:
    type_at_end(sheet, " R1:E ")
    expect(sheet.locator(".editor-wrong")).to_have_text("R1:E")
    expect(sheet.locator("[data-fault-said]")).to_contain_text("It is Yellow’s turn")
    score(sheet, ("Y2:W",), first=5)
    expect(text_of(sheet)).to_have_value(f"{GAME} Y2:W ")


@pytest.mark.full
def test_touching_what_comes_next_plays_what_is_chosen(sheet: Page) -> None:
    paste(sheet, record("1. NS@0,2 *").decode())
    expect(at(sheet)).to_have_text("1 / 1")
    for target in ("R1", "card:0,1"):
        touch(sheet, target)
    hold(sheet, "positions")
    touch(sheet, "R2")
    wait_for_held(sheet)
    touch(sheet, "card:1,0")
    release(sheet)
    expect(at(sheet)).to_have_text("2 / 2")
    expect(sheet.locator("[data-board] [data-spelled]").first).to_have_text("R2:E")
    expect(text_of(sheet)).to_have_value(re.compile(r"1\. NS@0,2 R1:N$"))


@pytest.mark.full
def test_a_move_is_chosen_even_if_the_list_changes_and_playing_there_creates_a_branch(sheet: Page) -> None:
    sheet.get_by_role("tab", name="Moves").click()
    moves = sheet.locator("[data-moves]")
    hold(sheet, "positions")
    moves.get_by_role("button", name="R2:E", exact=True).click()
    wait_for_held(sheet)
    moves.get_by_role("button", name="R1:N", exact=True).hover()
    sheet.mouse.down()
    release(sheet)
    sheet.mouse.up()
    expect(at(sheet)).to_have_text("2 / 5")
    score(sheet, ("R2:S",), first=2)
    expect(sheet.locator("[data-lines] .line-open")).to_have_text(["Main line", "Branch 1"])
    expect(text_of(sheet)).to_have_value(GAME.split("1. ")[0] + "1. NS@0,2 R1:N R2:S")
    sheet.get_by_role("button", name="Main line", exact=True).click()
    expect(text_of(sheet)).to_have_value(GAME)
    expect(at(sheet)).to_have_text("5 / 5")


@pytest.mark.full
def test_undo_leaves_a_branch(sheet: Page) -> None:
    sheet.get_by_role("button", name="Previous").click()
    expect(at(sheet)).to_have_text("4 / 5")
    score(sheet, ("Y1:W",), first=4)
    for _ in range(2):
        sheet.get_by_role("button", name="Undo", exact=True).click()
    expect(text_of(sheet)).to_have_value(GAME)
    expect(at(sheet)).to_have_text("4 / 5")


@pytest.mark.full
def test_comment_is_inserted_after_the_action_reached_by_two_quick_presses(sheet: Page) -> None:
    hold(sheet, "positions")
    for _ in range(2):
        sheet.get_by_role("button", name="Previous").click()
    wait_for_held(sheet)
    release(sheet)
    expect(at(sheet)).to_have_text("3 / 5")
    sheet.get_by_role("button", name="Comment", exact=True).click()
    dialog = sheet.get_by_role("dialog", name="Comment on R2:E")
    dialog.get_by_role("textbox").fill("Bruno {thinks} long")
    dialog.get_by_role("button", name="Save comment").click()
    expect(text_of(sheet)).to_have_value(GAME.replace(" R2:E ", " R2:E {Bruno {thinks) long} "))
    expect(sheet.locator("[data-status]")).to_contain_text("5 actions.")


@pytest.mark.full
def test_tabs_on_a_phone_are_not_covered_and_the_end_is_explained(phone: Page) -> None:
    phone.goto("/score/")
    paste(phone, f"{GAME} resign:Y")
    expect(phone.locator("[data-sentence]")).to_have_text(
        "Yellow resigns and leaves the game. The game is over: Red wins with 2 ants. Yellow resigned."
    )
    phone.get_by_role("tab", name="Moves").tap()
    phone.locator("[data-moves]").get_by_role("button", name="R1:N", exact=True).tap()
    expect(at(phone)).to_have_text("2 / 6")


@pytest.mark.full
def test_resigning_ends_a_two_player_game(sheet: Page) -> None:
    sheet.get_by_text("Somebody left, or a draw was agreed").click()
    sheet.get_by_role("button", name="Y Bruno resigned").click()
    expect(sheet.locator("[data-round]")).to_have_text("The game is over")
    text = text_of(sheet).input_value()
    assert text.endswith("Y1:S resign:Y\n1-2\n")
    (verdict,) = verify_file(BytesIO(text.encode()))
    assert verdict.fault is None


@pytest.mark.full
def test_pasted_json_record_continues_as_text_and_gets_a_verdict(worker: Worker, page: Page) -> None:
    (verdict,) = verify_file(BytesIO(RECORD.encode()))
    assert verdict.replay
    page.goto("/score/")
    paste(page, json_line(verdict.replay.as_json()))
    expect(at(page)).to_have_text("5 / 5")
    expect(text_of(page)).to_have_value(verdict.replay.text().removesuffix("\n*\n"))
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("button", name="Upload and verify").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Unfinished, and legal so far")


@pytest.mark.full
def test_names_and_event_are_changed_in_the_text_while_a_touched_piece_stays_picked(sheet: Page) -> None:
    hold(sheet, "positions")
    sheet.get_by_role("tab", name="Setup").click()
    sheet.get_by_label("Event").fill("Thursday")
    wait_for_held(sheet)
    sheet.evaluate("board.touch('Y2')")
    release(sheet)
    expect(sheet.locator("[data-board] [data-spelled]").first).to_have_text("Y2:")
    sheet.get_by_label("Name of player 2").fill("Hedda")
    sheet.get_by_role("tab", name="AGN text").click()
    expect(text_of(sheet)).to_have_value(GAME.replace("Bruno", "Hedda").replace("[Res", '[Event "Thursday"]\n[Res'))


@pytest.mark.full
@pytest.mark.parametrize("names", by_tier(quick=TOGETHER, long=TOGETHER + [(name,) for name in CHOSEN]), ids="-".join)
def test_upload_options_are_sent_with_the_sheet(
    open_page: Callable[..., Page], alice: User, now: datetime, names: tuple[str, ...]
) -> None:
    page = open_page(let_choose(alice, now))
    page.goto("/score/")
    paste(page, RECORD)
    page.get_by_role("button", name="Upload", exact=True).click()
    for name in names:
        choose(page.get_by_role("dialog", name="Upload this game"), name)
    page.get_by_role("button", name="Upload and verify").click()
    page.wait_for_url("**/uploads/*-*/")
    assert UploadOptions.of(Upload.objects.get()) == wished(*names)


def choose(dialog: Locator, name: str) -> None:
    """Choose a non-default value in a form."""
    if name == "club":
        dialog.get_by_label("Club", exact=True).select_option("nest")
    elif name == "webhook":
        dialog.get_by_label("Webhook").fill(str(CHOSEN["webhook"]))
    else:
        value = "false" if name == "scored" else "true"
        dialog.locator(f"[name={name}][value={value}]").check()
