"""Files are checked in the browser with the engine itself: nothing is sent, and the verdicts are the same."""

from io import BytesIO
from pathlib import Path

import pytest
from django.templatetags.static import static
from playwright.sync_api import Page, Route, expect

from engine.agn.lines import json_line
from engine.suggesting import suggest
from engine.verify import verify_bytes, verify_file
from tests.factories import record
from tests.tiers import LONG, by_tier

SAMPLE = (Path(__file__).parents[2] / "games" / "samples" / "with-mistakes.agn").read_bytes()
PROJECT = Path(__file__).parents[2]
FIXTURES = sorted((PROJECT / "fixtures").rglob("*.agn"))
VECTORS = sorted((PROJECT.parent / "shared" / "vectors").rglob("*.agn"))
"""Conformance vectors beside the project, where there are any."""
EVERY = by_tier(quick=20, long=1)
OTHER_RULES = "The site’s rules have changed since this page was opened. Reload the page."
PATIENCE = 60_000
"""Milliseconds to load six megabytes and start Python, on a busy machine too."""

_SOME = 0.2
"""How much of the engine has arrived, of 1."""


def check(page: Page, content: bytes, name: str = "evening.agn") -> None:
    choose(page, content, name)
    expect(page.locator("[data-acts]")).to_be_visible(timeout=PATIENCE)


def choose(page: Page, content: bytes, name: str) -> None:
    page.locator("[data-file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})


def report_of(page: Page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the report").click()
    assert download.value.suggested_filename == f"{name}.verdicts.ndjson"
    return Path(download.value.path()).read_text()


def lines_of(content: bytes, name: str) -> str:
    return "".join(json_line({"file": name, **verdict.as_json()}) for verdict in verify_file(BytesIO(content)))


@pytest.fixture
def checker(page: Page) -> Page:
    page.goto("/check/")
    return page


@pytest.mark.full
def test_the_engine_in_the_browser_gives_the_report_of_the_command_line_and_sends_nothing(checker: Page) -> None:
    check(checker, SAMPLE)
    sent = list[str]()
    checker.on("request", lambda request: sent.append(request.url))
    checker.context.set_offline(True)
    content = b"\n\n".join(path.read_bytes() for path in [*FIXTURES, *VECTORS][::EVERY])
    check(checker, content, "fixtures.agn")
    assert report_of(checker, "fixtures.agn") == lines_of(content, "fixtures.agn")
    correct_first(checker, SAMPLE)
    assert [url for url in sent if not url.startswith("blob:") and "/static/" not in url] == []

    checker.context.set_offline(False)
    checker.get_by_role("button", name="Upload and verify").click()
    checker.wait_for_url("**/uploads/**")


@pytest.mark.skipif(not LONG, reason="the quick tier compares a part, all files in one")
@pytest.mark.parametrize(
    "files",
    [FIXTURES, pytest.param(VECTORS, marks=pytest.mark.skipif(not VECTORS, reason="no vectors beside the project"))],
)
def test_every_file_gives_the_same_lines_in_the_browser_as_on_the_command_line(
    checker: Page, files: list[Path]
) -> None:
    checker.evaluate(LOAD, static("games/js/engine/engine.js"))
    names = [(path, path.relative_to(PROJECT.parent).as_posix()) for path in files]
    different = [name for path, name in names if report_in(checker, path, name) != lines_of(path.read_bytes(), name)]
    assert different == []


def report_in(page: Page, path: Path, name: str) -> str:
    """Return the report on a file by the engine that `LOAD` has loaded."""
    return str(page.evaluate(REPORT, [name, list(path.read_bytes())]))


LOAD = """async (module) => {
  const { Engine } = await import(module);
  globalThis.loaded = new Engine(document.querySelector("[data-checker]"));
  await loaded.load();
}"""
REPORT = """async ([name, bytes]) => {
  await loaded.call("check", new File([new Uint8Array(bytes)], name));
  let report = "";
  for (let over = false; !over; ) {
    const found = await loaded.call("more");
    report += found.report;
    over = found.over;
  }
  return report;
}"""


def correct_first(page: Page, content: bytes) -> None:
    """Take the suggestion for the first rejected game, which is the only one that makes it legal."""
    check(page, content)
    row = page.locator("[data-rejected] summary").first
    expect(row).to_contain_text("Game 1, line 15, column 15 It is Orange’s turn; R6 is a red ant.")
    row.click()
    page.get_by_role("button", name="Use O1:S").first.click()
    expect(page.locator(".check-corrected")).to_contain_text("This game is legal now.")
    expect(page.locator("[data-counts]")).to_contain_text("1 corrected")


@pytest.mark.full
def test_a_list_of_legal_actions_that_is_cut_says_how_many_are_not_shown(checker: Page) -> None:
    content = record("NS@9,9 R1:N resign:R 2-1")
    (verdict,) = verify_bytes(content)
    found = suggest(verdict)
    assert found
    check(checker, content)
    checker.locator("[data-rejected] summary").click()
    left = f"{found.legal - 120:,} more legal actions are not shown."
    expect(checker.locator("[data-rows]")).to_contain_text(left, timeout=PATIENCE)


@pytest.mark.full
def test_the_page_shows_the_progress_and_stays_usable_while_the_engine_arrives_slowly(phone: Page) -> None:
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    phone.context.route("**/pyodide.asm.wasm", hold)
    phone.goto("/check/")
    with phone.expect_request("**/pyodide.asm.wasm"):
        choose(phone, SAMPLE, "first.agn")
    expect(phone.locator("[data-says]")).to_have_text("Loading the engine: about 6 MB, once.")
    while phone.locator("[data-bar]").evaluate("(bar) => bar.value") <= _SOME:
        phone.wait_for_timeout(50)  # waiting within the page would need `eval`, which it forbids

    phone.get_by_label("Or paste a log").fill(record("NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2").decode())
    phone.get_by_role("button", name="Check", exact=True).tap()
    expect(phone.locator("[data-name]")).to_have_text("Pasted text")
    held[0].continue_()
    expect(phone.locator("[data-counts]")).to_have_text("1 verified", timeout=PATIENCE)


@pytest.mark.full
def test_a_page_of_a_site_with_other_rules_says_so_instead_of_checking(checker: Page) -> None:
    checker.evaluate("document.querySelector('[data-checker]').dataset.version = '0'")
    choose(checker, SAMPLE, "first.agn")
    problem = checker.locator("[data-problem]")
    expect(problem).to_have_text(OTHER_RULES, timeout=PATIENCE)
    expect(checker.locator("[data-acts]")).to_be_hidden()
