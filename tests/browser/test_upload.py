"""Uploading games with a real browser and a real worker."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from games import tasks
from games.models import Upload
from tests.conftest import Worker
from tests.factories import BROKEN, duels, record
from tests.games.uploading import upload_file
from tests.tiers import by_tier

LARGE = by_tier(quick=250, long=700)
"""Legal games in a large file."""

DROP = """(zone, texts) => {
    const dropped = new DataTransfer();
    for (const [name, text] of Object.entries(texts))
        dropped.items.add(new File([text], name, {type: "text/plain"}));
    for (const kind of ["dragover", "drop"])
        zone.dispatchEvent(new DragEvent(kind, {dataTransfer: dropped, bubbles: true, cancelable: true}));
}"""

WATCH = """() => {
    window.contradicted = false;
    const look = () => {
        const said = document.querySelector(".progress-words")?.textContent ?? "";
        window.contradicted ||= said.includes("All ") && document.querySelector(".progress-counts .waiting") !== null;
    };
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""
"""Notices when all games are said to be checked while some wait."""


def drop(page: Page, files: dict[str, str]) -> None:
    page.locator("[data-drop]").evaluate(DROP, files)


def test_a_pasted_game_gets_its_verdict_without_a_reload(worker: Worker, page: Page) -> None:
    page.goto("/upload/")
    page.get_by_label("Or paste the text").fill(record().decode())
    page.get_by_role("button", name="Upload and verify").click()
    page.wait_for_url("**/uploads/*-*/")
    page.evaluate("window.still = true")
    expect(page.locator(".verdict-said .stamp")).to_contain_text("Verified: ")
    assert page.evaluate("window.still")
    page.locator("main").get_by_role("link", name="Watch").click()
    expect(page.locator("[data-replay] svg.board")).to_be_visible()


@pytest.mark.full
def test_a_dropped_file_of_games_is_verified_one_by_one(worker: Worker, page: Page) -> None:
    page.goto("/upload/")
    drop(page, {"evening.agn": b"\n".join([*duels(30), BROKEN]).decode()})
    expect(page.locator("[data-chosen]")).to_contain_text("evening.agn, ")
    expect(page.get_by_role("button", name="Upload and verify")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="evening.agn")).to_be_visible()
    expect(page.locator(".progress-words")).to_contain_text("All 31 games checked")
    expect(page.locator(".progress-counts")).to_contain_text("30 verified")
    expect(page.locator("#record-31")).to_contain_text("Ant R1 has already moved this turn.")


@pytest.mark.full
def test_file_can_be_uploaded_with_the_file_picker(worker: Worker, page: Page, tmp_path: Path) -> None:
    file = tmp_path / "chosen.agn"
    file.write_bytes(record())
    page.goto("/upload/")
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Upload and verify").click()
    expect(page.locator(".verdict-said .stamp")).to_contain_text("Verified: ")


def test_it_works_without_scripts(worker: Worker, open_page: Callable[..., Page]) -> None:
    page = open_page(scripts=False)
    page.goto("/upload/")
    page.get_by_label("Or paste the text").fill(BROKEN.decode())
    page.get_by_role("button", name="Upload and verify").click()
    # The page reloads while something is waiting.
    expect(page.locator(".verdict-said .stamp")).to_contain_text("Rejected at line ")
    expect(page.locator(".fix mark")).to_have_text("R1:E")


@pytest.mark.full
def test_oversized_file_is_reported_before_uploading(page: Page) -> None:
    page.goto("/upload/")
    drop(page, {"large.agn": "x" * (8 * 1024 * 1024 + 1)})
    expect(page.locator("[data-chosen]")).to_contain_text("This file is too large.")


@pytest.mark.full
def test_dropped_files_become_one_upload_that_names_them(worker: Worker, page: Page) -> None:
    page.goto("/upload/")
    drop(page, {"march.agn": next(duels(1)).decode(), "april.agn": BROKEN.decode()})
    expect(page.locator("[data-chosen]")).to_contain_text("2 files, ")
    page.get_by_role("button", name="Upload and verify").click()
    expect(page.get_by_role("heading", name="march.agn + 1")).to_be_visible()
    expect(page.locator(".found-file")).to_have_text(["march.agn", "april.agn"])


@pytest.mark.full
def test_a_chosen_folder_of_an_account_becomes_one_upload(
    worker: Worker, alice: User, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    for name, data in (
        ("2019/march.agn", record()),
        ("2019/more/april.agn.gz", gzip.compress(BROKEN)),
        ("2019/notes.pdf", b"%"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    page = open_page(alice)
    page.goto("/upload/")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(tmp_path / "2019")
    expect(page.locator("[data-chosen]")).to_contain_text("2 files, ")
    page.get_by_role("button", name="Upload and verify").click()
    expect(page.get_by_role("heading", name="2019.zip")).to_be_visible()
    expect(page.locator(".found-file")).to_have_text(["march.agn", "more/april.agn.gz"])


@pytest.mark.full
def test_several_files_are_uploaded_without_scripts(
    worker: Worker, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    files = [tmp_path / "march.agn", tmp_path / "april.agn"]
    for file, data in zip(files, (record(), BROKEN), strict=True):
        file.write_bytes(data)
    page = open_page(scripts=False)
    page.goto("/upload/")
    page.get_by_label("Files").set_input_files(files)
    page.get_by_role("button", name="Upload and verify").click()
    expect(page.locator(".found-file")).to_have_text(["march.agn", "april.agn"])


@pytest.mark.full
@pytest.mark.parametrize("sample", ["With mistakes", "Unfinished"])
def test_a_sample_fills_the_form(page: Page, sample: str) -> None:
    page.goto("/upload/")
    page.get_by_role("link", name=sample).click()
    expect(page.get_by_label("Or paste the text")).to_have_value(re.compile(r"\[Game "))


# With a worker of their own: last, so that the shared one is not started again between them


@pytest.mark.full
def test_progress_of_a_large_file_is_streamed(stopped_worker: Worker, page: Page) -> None:
    upload = upload_file(b"\n".join([*duels(LARGE), BROKEN]), via=Upload.Via.WEB, now=timezone.now())
    with page.expect_response(re.compile("/progress$")) as answer:
        page.goto(upload.get_absolute_url())
    assert answer.value.headers["content-type"] == "text/event-stream"
    expect(page.locator("[data-message]")).to_have_text(f"0 of {LARGE + 1} checked.")
    page.evaluate(WATCH)
    stopped_worker.start()
    tasks.wake_workers(wait=5)
    expect(page.locator(".progress-words")).to_have_text(f"All {LARGE + 1} games checked", timeout=60_000)
    assert page.evaluate("window.contradicted") is False
    expect(page.get_by_role("status")).to_have_text(f"All {LARGE + 1} games checked")
    expect(page.locator(".broken")).to_contain_text("ATTA-MOVE-1 An own ant, once a turn")
    expect(page.locator("#record-1 .stamp")).to_have_text("verified")


@pytest.mark.full
def test_upload_waits_for_a_worker_and_then_updates_by_itself(stopped_worker: Worker, page: Page) -> None:
    page.goto("/upload/")
    page.get_by_label("Or paste the text").fill(record().decode())
    page.get_by_role("button", name="Upload and verify").click()
    expect(page.locator("#record-1 .stamp")).to_have_text("waiting")
    stopped_worker.start(beat=True)
    expect(page.locator(".verdict-said .stamp")).to_contain_text("Verified: ")
