"""Files are checked in the browser with the engine itself: nothing is sent, and the verdicts are the same."""

from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.agn.lines import json_line
from engine.verify import verify_file
from tests.tiers import by_tier

SAMPLE = (Path(__file__).parents[2] / "games" / "samples" / "with-mistakes.agn").read_bytes()
FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.agn"))
EVERY = by_tier(quick=20, long=1)
PATIENCE = 60_000
"""Milliseconds to load six megabytes and start Python, on a busy machine too."""


def check(page: Page, content: bytes, name: str = "evening.agn") -> None:
    page.locator("[data-file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    expect(page.locator("[data-acts]")).to_be_visible(timeout=PATIENCE)


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


def test_the_engine_in_the_browser_gives_the_report_of_the_command_line_and_sends_nothing(checker: Page) -> None:
    check(checker, SAMPLE)
    sent = list[str]()
    checker.on("request", lambda request: sent.append(request.url))
    content = b"\n\n".join(path.read_bytes() for path in FIXTURES[::EVERY])
    check(checker, content, "fixtures.agn")
    assert report_of(checker, "fixtures.agn") == lines_of(content, "fixtures.agn")
    correct_first(checker, SAMPLE)
    assert [url for url in sent if not url.startswith("blob:") and "/static/" not in url] == []

    checker.get_by_role("button", name="Upload and verify").click()
    checker.wait_for_url("**/uploads/**")


def correct_first(page: Page, content: bytes) -> None:
    """Take the suggestion for the first rejected game, which is the only one that makes it legal."""
    check(page, content)
    row = page.locator("[data-rejected] summary").first
    expect(row).to_contain_text("Game 1, line 15, column 15 It is Orange's turn; R6 is a red ant.")
    row.click()
    page.get_by_role("button", name="Use O1:S").first.click()
    expect(page.locator(".check-corrected")).to_contain_text("This game is legal now.")
    expect(page.locator("[data-counts]")).to_contain_text("1 corrected")
