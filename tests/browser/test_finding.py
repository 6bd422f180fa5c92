"""The search in the header, and the filter of games."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import UploadRecords
from tests.browser.late import can_hold, hold, release, wait_for_held
from tests.factories import record


def test_results_come_as_one_types_and_keys_lead_to_them(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    upload_records(record(names=("Dora", "Bruno")))
    page = open_page()
    page.goto("/rules/")
    page.keyboard.press("/")
    page.keyboard.type("dor")
    expect(page.locator("[data-found] .found-name").first).to_have_text("Dora")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dora")


BLOCKED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })"


def test_results_come_where_the_browser_keeps_nothing(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    upload_records(record(names=("Dora", "Bruno")))
    page = open_page()
    page.add_init_script(BLOCKED)
    page.goto("/rules/")
    page.keyboard.press("/")
    page.keyboard.type("dor")
    expect(page.locator("[data-found] .found-name").first).to_have_text("Dora")


def test_the_search_is_a_form_without_scripts(upload_records: UploadRecords, open_page: Callable[..., Page]) -> None:
    upload_records(record(names=("Dora", "Bruno")))
    page = open_page(scripts=False)
    page.goto("/rules/")
    page.get_by_role("searchbox").first.fill("dor")
    page.keyboard.press("Enter")
    expect(page.locator(".search-found .found-name").first).to_have_text("Dora")


@pytest.mark.full
def test_a_result_reached_by_keys_keeps_the_focus_when_newer_results_come(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    upload_records(record(names=("Dora", "Bruno")))
    page = can_hold(open_page())
    page.goto("/rules/")
    page.get_by_role("searchbox").first.type("do")
    dora = page.locator("[data-found] a").filter(has_text="Dora").first
    expect(dora).to_be_visible()
    hold(page, "part=1")
    page.keyboard.type("r")
    wait_for_held(page)
    page.keyboard.press("ArrowDown")
    expect(dora).to_be_focused()
    dora.evaluate("(old) => old.toggleAttribute('data-old')")
    release(page)
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(dora).to_be_focused()


@pytest.mark.full
def test_closed_results_stay_closed_when_newer_ones_come(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    upload_records(record(names=("Dora", "Bruno")))
    page = can_hold(open_page())
    page.goto("/rules/")
    hold(page, "part=1")
    page.get_by_role("searchbox").first.type("dor")
    wait_for_held(page)
    page.keyboard.press("Escape")
    release(page)
    expect(page.locator("[data-found]")).to_be_hidden()


def test_a_condition_is_added_at_once_where_scripts_run(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto("/games/?player=ada")
    page.get_by_text("Add a condition").click()
    page.get_by_role("button", name="Length").click()
    expect(page.get_by_label("Length from (actions)")).to_be_focused()
    expect(page.get_by_role("button", name="Length")).to_have_count(0)
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"player=ada.*shortest=3"))
    expect(page.get_by_label("Length from (actions)")).to_have_value("3")
    page.get_by_text("Add a condition").click()
    expect(page.get_by_role("button", name="What else happened")).to_be_hidden()
    page.get_by_role("button", name="What happened").click()
    page.get_by_text("Add a condition").click()
    expect(page.get_by_role("button", name="What else happened")).to_be_visible()


def test_a_condition_keeps_what_was_typed_where_no_scripts_run(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page(scripts=False)
    page.goto("/games/")
    page.get_by_label("Player", exact=True).fill("ada")
    page.get_by_text("Add a condition").click()
    page.get_by_role("button", name="Winner").click()
    expect(page.get_by_label("Winner")).to_be_visible()
    expect(page.get_by_label("Player", exact=True)).to_have_value("ada")
