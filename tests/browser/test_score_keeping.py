"""A score sheet is kept on the device across reloads, offline and in two tabs; every step can be undone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.templatetags.static import static
from playwright.sync_api import Locator, Page, expect

from tests.browser.scoring import paste, text_of, type_at_end
from tests.factories import record

RECORD = record("1. NS@0,2 R1:N R2:E / *").decode()
GAME = RECORD.removesuffix(" *\n")
LONGER = f"{GAME} Y1:S"

DEAF = "globalThis.BroadcastChannel = class { postMessage() {} }"
"""Make a tab miss all messages from others, as if it had been asleep."""


def status(page: Page) -> Locator:
    return page.locator("[data-status]")


@pytest.fixture
def sheet(page: Page) -> Iterator[Page]:
    """A sheet with a pasted record."""
    page.goto("/score/")
    paste(page, RECORD)
    expect(text_of(page)).to_have_value(GAME)
    expect(status(page)).to_contain_text("Saved on this device")
    yield page


@pytest.mark.full
def test_a_pasted_record_survives_a_reload_and_its_steps_can_be_undone(sheet: Page) -> None:
    type_at_end(sheet, " Y1:S")
    expect(status(sheet)).to_contain_text("5 actions")
    sheet.reload()
    expect(text_of(sheet)).to_have_value(LONGER)
    text_of(sheet).focus()
    sheet.keyboard.press("Control+z")
    sheet.keyboard.press("Control+z")
    expect(text_of(sheet)).to_have_value(GAME)


@pytest.mark.full
def test_text_typed_offline_is_kept_with_a_notice(sheet: Page) -> None:
    sheet.context.set_offline(True)
    type_at_end(sheet, " Y1:S")
    expect(sheet.locator("[data-away]")).to_contain_text("You are offline. You can go on typing")
    expect(status(sheet)).to_contain_text("5 actions")
    sheet.context.set_offline(False)
    expect(sheet.locator("[data-away]")).to_be_hidden()
    sheet.reload()
    expect(text_of(sheet)).to_have_value(LONGER)


@pytest.mark.full
def test_everything_can_be_undone_and_redone(sheet: Page) -> None:
    for word in (" Y1:S", " Y2:W", " /"):
        type_at_end(sheet, word)
    written = text_of(sheet).input_value()
    undo, redo = (sheet.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    while undo.is_enabled():
        undo.click()
    expect(text_of(sheet)).to_have_value(GAME)
    while redo.is_enabled():
        redo.click()
    expect(text_of(sheet)).to_have_value(written)


@pytest.mark.full
def test_a_second_tab_with_the_same_sheet_follows_the_first(sheet: Page) -> None:
    second = sheet.context.new_page()
    second.goto(sheet.url)
    expect(text_of(second)).to_have_value(GAME)
    type_at_end(sheet, " Y1:S")
    expect(text_of(second)).to_have_value(LONGER)
    type_at_end(second, " Y2:W")
    expect(text_of(sheet)).to_have_value(f"{LONGER} Y2:W")


@pytest.mark.full
def test_simultaneous_edits_in_two_tabs_are_kept_as_branches(sheet: Page) -> None:
    second = sheet.context.new_page()
    second.add_init_script(DEAF)
    second.goto(sheet.url)
    expect(text_of(second)).to_have_value(GAME)
    type_at_end(sheet, " Y1:S")
    expect(status(sheet)).to_contain_text("5 actions")
    type_at_end(second, " Y2:W")
    expect(second.locator("[data-notice-says]")).to_have_text(
        "Another tab changed this sheet at the same moment. What you wrote is kept as a branch."
    )
    expect(text_of(second)).to_have_value(f"{GAME} Y2:W")
    sheet.reload()
    sheet.get_by_role("tab", name="Moves").click()
    expect(sheet.locator("[data-lines] .line-open")).to_have_text(["Main line", "Kept from another tab (1)"])
    sheet.get_by_role("button", name="Main line", exact=True).click()
    expect(text_of(sheet)).to_have_value(LONGER)


@pytest.mark.full
def test_what_is_typed_while_another_tabs_text_is_read_is_kept_as_a_branch(sheet: Page) -> None:
    second = sheet.context.new_page()
    second.goto(sheet.url)
    expect(text_of(second)).to_have_value(GAME)
    for name in ("read", "write"):
        sheet.evaluate(LATE, [static(KEEPING), name])
    type_at_end(second, ";")
    expect(sheet.locator("html")).to_have_attribute("data-read", "done")
    type_at_end(sheet, " Y1:S")
    sheet.evaluate("go.read()")
    sheet.evaluate("go.write()")
    expect(sheet.locator("[data-notice-says]")).to_contain_text("What you wrote is kept as a branch.")
    expect(text_of(sheet)).to_have_value(LONGER)


@pytest.mark.full
def test_what_was_typed_last_is_saved_even_if_another_sheet_is_begun_at_once(sheet: Page) -> None:
    sheet.evaluate(LATE, [static(KEEPING), "write"])
    type_at_end(sheet, " ")
    expect(sheet.locator("html")).to_have_attribute("data-write", "done")
    type_at_end(sheet, "Y1:S")
    sheet.get_by_role("tab", name="Sheets").click()
    sheet.get_by_role("button", name="New sheet").click()
    sheet.evaluate("go.write()")
    sheet.wait_for_function(IS_KEPT, arg=[static(KEEPING), LONGER])


KEEPING = "games/js/score/keeping.js"
IS_KEPT = """async ([module, words]) => {
  const kept = await (await import(module)).Keeping.open(() => {});
  const written = ({ draft, lines }) => [lines[0].text, ...(draft?.seats ?? []).map(({ name }) => name)];
  return (await kept.list()).some((sheet) => written(sheet).includes(words));
}"""
"""Whether a sheet on this device has this text, or a player of this name."""
LATE = """async ([module, name]) => {
  const kept = (await import(module)).Keeping.prototype;
  const act = kept[name];
  const waiting = new Promise((resolve) => { (globalThis.go ??= {})[name] = resolve; });
  kept[name] = async function (...given) {
    kept[name] = act;
    try {
      return await act.apply(this, given);
    } finally {
      document.documentElement.dataset[name] = "done";
      await waiting;
    }
  };
}"""
"""Let the page learn only at `go.NAME()` what the device's store did when it was next asked to read or write."""


@pytest.mark.full
def test_simultaneous_setup_changes_in_two_tabs_create_two_sheets(page: Page) -> None:
    page.goto("/score/")
    page.get_by_label("Name of player 1").fill("Ada")
    expect(status(page)).to_contain_text("Saved on this device at")
    second = page.context.new_page()
    second.add_init_script(DEAF)
    second.goto(page.url)
    expect(second.get_by_label("Name of player 1")).to_have_value("Ada")
    page.get_by_label("Name of player 2").fill("Bruno")
    page.wait_for_function(IS_KEPT, arg=[static(KEEPING), "Bruno"])
    second.get_by_label("Name of player 2").fill("Cleo")
    expect(second.locator("[data-notice-says]")).to_contain_text("What you laid is kept as a sheet of its own.")
    second.get_by_role("tab", name="Sheets").click()
    expect(second.locator("[data-sheets] .line-open")).to_have_text(["Ada, Cleo", "Ada, Bruno"])


@pytest.mark.full
def test_a_file_of_several_games_becomes_several_sheets(page: Page, tmp_path: Path) -> None:
    (tmp_path / "evening.agn").write_text(f"{RECORD}\n{RECORD}")
    page.goto("/score/")
    page.get_by_role("tab", name="Sheets").click()
    page.locator("[data-file]").set_input_files(tmp_path / "evening.agn")
    expect(page.locator("[data-sheets] li")).to_have_count(2)
    expect(page.locator("[data-sheets] .line-open").first).to_have_text("Ada, Bruno")


@pytest.mark.full
def test_a_sheet_is_deleted_on_the_second_press(sheet: Page) -> None:
    sheet.get_by_role("tab", name="Sheets").click()
    sheet.get_by_role("button", name="Delete this sheet: Ada, Bruno").click()
    expect(sheet.locator("[data-sheets] li")).to_have_count(1)
    other = sheet.context.new_page()
    other.goto("/score/")
    paste(other, RECORD)
    expect(sheet.locator("[data-sheets] li")).to_have_count(2)
    expect(sheet.get_by_role("button", name="Really delete?")).to_be_focused()
    sheet.get_by_role("button", name="Really delete?").click()
    expect(sheet.locator("[data-sheets] li")).to_have_count(1)
    sheet.get_by_role("button", name="Delete this sheet: Ada, Bruno").click()
    sheet.get_by_role("button", name="Really delete?").click()
    expect(sheet.locator("[data-sheets] li")).to_have_count(0)
    expect(sheet.locator("[data-no-sheets]")).to_be_visible()


@pytest.mark.full
def test_text_with_a_fault_can_be_saved_as_a_file(sheet: Page) -> None:
    type_at_end(sheet, " R9:Q")
    with sheet.expect_download() as saving:
        sheet.get_by_role("button", name="Save AGN").click()
    assert saving.value.suggested_filename == "atta-ants.agn"
    assert Path(saving.value.path()).read_text() == f"{GAME} R9:Q\n*\n"


def test_score_page_without_javascript_links_to_the_upload_form(open_page: Callable[..., Page]) -> None:
    page = open_page(scripts=False)
    page.goto("/score/")
    page.get_by_role("main").get_by_role("link", name="upload it").click()
    expect(page).to_have_url("/upload/")
