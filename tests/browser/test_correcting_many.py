"""One of 38 rejected records of an archive is corrected, and the reader is back in the report."""

from collections.abc import Callable
from datetime import datetime
from time import monotonic

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Upload
from games.uploads import splitting
from tests.browser.conftest import SCREENS
from tests.browser.soundness import unsound
from tests.browser.test_verdict import REJECTED
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.uploads.unpacking.bombs import zipped

MONTHS = ("march", "april", "may", "june")
SECONDS = 10
"""In which one is corrected, without the time that a reader thinks."""


@pytest.fixture
def archive(live: str, alice: User, now: datetime) -> Upload:
    """An archive of four files with 38 rejected games, each of other players."""
    broken = [REJECTED.replace(b"Flora", b"Flora %d" % number) for number in range(38)]
    files = [(f"2019/{month}.agn", b"\n".join([*duels(2), *broken[at::4]])) for at, month in enumerate(MONTHS)]
    upload = upload_file(zipped(files), via=Upload.Via.WEB, now=now, uploader=alice, filename="archive.zip")
    while splitter := splitting.claim():
        list(splitting.split(splitter, clock=timezone.now, pulse=lambda: None))
    judge_all(now)
    return upload


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_one_of_many_is_corrected_in_three_clicks_and_the_next_is_one_away(
    archive: Upload, alice: User, open_page: Callable[..., Page], scripts: bool
) -> None:
    page = open_page(alice, scripts=scripts)
    page.goto(f"{archive.get_absolute_url()}?show=rejected")
    begun = monotonic()

    page.locator("#record-3").get_by_role("link", name="See why").click()
    page.get_by_role("button", name="Use O1:S").first.click()
    page.get_by_role("button", name="Upload the corrected log").click()

    expect(page.locator("#corrected")).to_contain_text("Game 3 is corrected.")
    assert monotonic() - begun < SECONDS
    expect(page.locator("#corrected")).to_be_in_viewport()
    expect(page.locator(".progress-counts")).to_contain_text("1 corrected")
    page.locator("#corrected").get_by_role("link", name="Next rejected").click()
    expect(page.locator(".record-place")).to_have_text("archive.zip · 2019/march.agn, game 4")


def test_a_key_leads_from_one_rejected_record_to_the_next(
    archive: Upload, alice: User, open_page: Callable[..., Page]
) -> None:
    page = open_page(alice)
    page.goto(f"{archive.get_absolute_url()}records/12/")
    page.keyboard.press("n")
    expect(page.locator(".record-place")).to_have_text("archive.zip · 2019/april.agn, game 15")
    page.get_by_role("textbox", name="Log").press("n")
    expect(page.locator(".record-place")).to_contain_text("game 15")


@pytest.mark.full
@SCREENS
def test_the_way_through_corrections_fits_the_screen(
    archive: Upload, alice: User, now: datetime, open_page: Callable[..., Page], width: int, dark: bool
) -> None:
    page = open_page(alice, width=width, dark=dark)
    page.goto(f"{archive.get_absolute_url()}records/3/")
    page.get_by_role("button", name="Use O1:S").first.click()
    page.get_by_role("button", name="Upload the corrected log").click()
    judge_all(now)
    correction = page.locator("#corrected").get_by_role("link", name="See the corrected game").get_attribute("href")
    for address in (f"{archive.get_absolute_url()}?sort=file&corrected=3", str(correction)):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert unsound(page) == []
